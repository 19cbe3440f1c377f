/** The demo's simulator with one more official authority, a feed with bid and ask, and faults to switch on: what the tests collect from. */

import type { DemoRequest, Printing } from "#demo/request.ts";
import { type SimulatorOptions, startSimulator } from "#demo/simulator.ts";
import { type Instant, parseDay } from "#domain/time/day.ts";
import { endsWithFile } from "#test/support/at-end.ts";
import { massive } from "#test/support/massive.ts";
import { bnr } from "./bnr.ts";
import { fredApi } from "./fred.ts";

const HOSTS = {
  "api.stlouisfed.org": fredApi,
  "api.massive.com": massive,
  "curs.bnr.ro": bnr,
};

/** Tables of the authorities that are simulated. Of the others real documents are read: test/sources/official. */
export const SIMULATED_TABLES: readonly string[] = [
  ...["mex_fix", "mex_settlement", "mex_dof", "eue_reference", "eue_customs", "rou_reference"],
];

/** Answers instead of `intact`: the document does not arrive as it should. `gone` resolves when the server stops. */
export type BrokenTransport = (intact: () => Response, gone: Promise<void>) => Response | Promise<Response>;

/** The document is well-formed; its content is wrong, or not what was requested. */
type FigureFault =
  | { readonly kind: "nan" }
  | { readonly kind: "wrong-date" }
  /** The newest figure of one currency is ten times too large. */
  | { readonly kind: "decimal-slip"; readonly currency: string }
  /** One figure of the past is changed by this factor (1.01 when not given). */
  | {
      readonly kind: "correction";
      readonly currency: string;
      /** `YYYY-MM-DD`, a day on which the upstream has a figure; of an official table the day by which it is published. */
      readonly date: string;
      readonly factor?: number;
    }
  /** Time stops: every answer is that of the moment when the fault was switched on. */
  | { readonly kind: "unchanged" };

export type Misbehaviour = BrokenTransport | FigureFault;

interface ActiveFault {
  readonly behaviour: Misbehaviour;
  readonly since: Instant;
  /** Makes validators differ each time that a fault is switched on. */
  readonly serial: number;
}

function printingUnder(fault: FigureFault, since: Instant, serial: number): Printing {
  const isCorrected = (codes: readonly string[], day: number) =>
    fault.kind === "correction" && codes.includes(fault.currency) && day === parseDay(fault.date);
  const factorOf: Printing["value"] = (codes, day, newest) => {
    if (fault.kind === "correction") return isCorrected(codes, day) ? (fault.factor ?? 1.01) : 1;
    if (day !== newest) return 1;
    if (fault.kind === "nan") return Number.NaN;
    return fault.kind === "decimal-slip" && codes.includes(fault.currency) ? 10 : 1;
  };
  return {
    value: (codes, day, newest, value) => value * factorOf(codes, day, newest, value),
    day: (day, newest) => (fault.kind === "wrong-date" && day === newest ? day + 365 : day),
    correctedAt: (code, day) => (isCorrected([code], day) ? since : null),
    ...{ since, serial },
  };
}

interface SeenRequest {
  /** `/<host>/<path>?<query>` as received, credentials included. */
  readonly path: string;
  readonly at: Instant;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const REMEMBERED = 1000;

export type Simulator = Awaited<ReturnType<typeof startFullSimulator>>;

export async function startFullSimulator(options: Omit<SimulatorOptions, "hosts" | "answer">) {
  const { now } = options;
  const faults = new Map<string, ActiveFault>();
  const seen: SeenRequest[] = [];
  let serial = 0;
  const faultOn = (path: string): ActiveFault | undefined => {
    const prefixes = [...faults.keys()].filter((prefix) => path.startsWith(prefix));
    return faults.get(prefixes.sort((a, b) => b.length - a.length)[0] ?? "");
  };
  const answer: SimulatorOptions["answer"] = async (request, respond, gone) => {
    const { url, headers } = request;
    const path = `/${url.host}${url.pathname}${url.search}`;
    const response = await answered(faultOn(path), request, respond, gone);
    seen.push({ path, at: now(), status: response.status, headers: Object.fromEntries(headers) });
    if (seen.length > REMEMBERED) seen.shift();
    return response;
  };
  const simulator = await startSimulator({ ...options, hosts: HOSTS, answer });
  return {
    ...simulator,
    stop: endsWithFile(simulator.stop),
    /** The latest requests that were answered, oldest first, at most a thousand. */
    requests: (): readonly SeenRequest[] => seen,
    /** Answers addresses beginning with `/<host>/…` in this way from now on; the longest of several prefixes counts. */
    misbehave(pathPrefix: string, behaviour: Misbehaviour): void {
      serial++;
      faults.set(normal(pathPrefix), { behaviour, since: now(), serial });
    },
    behave(pathPrefix?: string): void {
      if (pathPrefix === undefined) faults.clear();
      else faults.delete(normal(pathPrefix));
    },
  };
}

async function answered(
  active: ActiveFault | undefined,
  request: DemoRequest,
  respond: (request: DemoRequest, conditions?: Headers) => Response,
  gone: Promise<void>,
): Promise<Response> {
  if (active === undefined) return respond(request);
  const { behaviour, since, serial } = active;
  if (typeof behaviour === "function") return await behaviour(() => respond(request, new Headers()), gone);
  if (behaviour.kind === "unchanged") return respond({ ...request, now: since });
  return respond({ ...request, printing: printingUnder(behaviour, since, serial) });
}

function normal(pathPrefix: string): string {
  return pathPrefix.startsWith("/") ? pathPrefix : `/${pathPrefix}`;
}
