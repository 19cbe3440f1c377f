/** Callers with keys that ask both replicas without a break: every answer is checked, and what each key was served is counted. */

import { dayAt, formatDay } from "#domain/time/day.ts";
import type { Member, Site } from "#test/failover/site.ts";
import { bearer } from "#test/metered/client.ts";
import { DAYS, type FedDocuments } from "./oracle.ts";

/** How a key is limited: by nothing that the load reaches, or by its minute. */
export type Limited = "wide" | "minute";

export interface Caller {
  readonly key: string;
  /** Of its owner's session. */
  readonly token: string;
  readonly limited: Limited;
}

/** A call without an answer, or with one after this, is broken off. */
const PATIENCE_MILLISECONDS = 10_000;
const PAUSES: Readonly<Record<Limited, number>> = { wide: 25, minute: 250 };
/** What a killed process has served before that and not written; docs/accounts.md says a second. */
const UNWRITTEN_MILLISECONDS = 1_200;
/** Refusals that an outage may cause. */
const OUTAGE_CODES = ["auth_unavailable", "quota_unavailable", "service_unavailable"];

/** Of one key. */
export interface Served {
  calls: number;
  /** Calls without an answer: they may count. */
  unanswered: number;
  /** Calls that a `kill -9` may have lost. */
  atRisk: number;
  /** When each was answered, of a key that is limited. */
  readonly times: number[];
}

export interface Report {
  readonly answers: number;
  /** How many of each outcome that is not a 200. */
  readonly others: Readonly<Record<string, number>>;
  readonly p99: number;
  readonly slowest: number;
}

export interface Callers {
  readonly served: ReadonlyMap<Caller, Served>;
  readonly violations: readonly string[];
  /** From now on outcomes of an outage are in order, at this member only or at all. Null: at no member. */
  expect(outage: { readonly member: Member | null } | null): void;
  /** A collector's clock was wrong. */
  skewed(): void;
  /** To be called when a member was killed. */
  killed(member: Member): void;
  /** Since the last report. */
  report(): Report;
  stop(): Promise<void>;
}

/** `pace`: how many times longer they pause than usual. */
export function startCallers(
  site: Site,
  callers: readonly Caller[],
  fed: FedDocuments,
  random: () => number,
  pace: number,
): Callers {
  const served = new Map<Caller, Served>(
    callers.map((one) => [one, { calls: 0, unanswered: 0, atRisk: 0, times: [] }]),
  );
  const violations: string[] = [];
  const recent = new Map<Member, { readonly caller: Caller; readonly at: number }[]>();
  let outage: { readonly member: Member | null } | null = null;
  let [isOver, isSkewed] = [false, false];
  let took: number[] = [];
  let others: Record<string, number> = {};

  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const pathOf = (limited: Limited): string => {
    if (limited !== "wide") return "/v1/latest";
    const [base, to] = [pick(fed.codes), pick(fed.codes)];
    const today = dayAt(site.now());
    const [day, before] = [random(), random()].map((part) => formatDay(today - 1 - Math.floor(part * DAYS)));
    const [from, end] = [day as string, before as string].sort();
    if (base === to) return "/v1/latest?base=EUR";
    const paths = [
      "/v1/latest",
      "/v1/latest?base=EUR",
      `/v1/${day}?base=${base}`,
      `/v1/convert/${base}/${to}/250?date=${day}`,
      `/v1/range?base=${base}&symbols=${to}&start_date=${from}&end_date=${end}`,
    ];
    return pick(paths);
  };
  const complain = (what: string) => {
    if (violations.length < 100) violations.push(`${new Date(site.now()).toISOString()} ${what}`);
  };

  const call = async (member: Member, caller: Caller) => {
    const count = served.get(caller) as Served;
    const path = pathOf(caller.limited);
    const process = member.process();
    const began = performance.now();
    const couldBe = outage;
    let [status, text] = [0, ""];
    try {
      const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
      const answer = await fetch(`${process?.url}${path}`, { headers: bearer(caller.key), signal });
      text = await answer.text();
      status = answer.status;
    } catch {
      count.unanswered += 1;
    }
    const now = performance.now();
    took.push(now - began);
    if (status === 200) {
      count.calls += 1;
      if (caller.limited !== "wide") count.times.push(now);
      const list = (recent.get(member) ?? []).filter(({ at }) => at > now - UNWRITTEN_MILLISECONDS);
      recent.set(member, [...list, { caller, at: now }]);
      for (const fault of await fed.check(path, text, isSkewed)) complain(`wrong: ${fault}`);
      return;
    }
    const code = status === 0 ? "no answer" : `${status} ${(JSON.parse(text) as { code: string }).code}`;
    if (status === 429 && caller.limited !== "wide") return;
    others[code] = (others[code] ?? 0) + 1;
    const during = [couldBe, outage].find((one) => one !== null && (one.member ?? member) === member);
    const isOfOutage = status === 0 || (status === 503 && OUTAGE_CODES.some((one) => code.endsWith(one)));
    if (during === undefined || !isOfOutage) complain(`${member.name} ${path}: ${code}`);
  };
  const loops = site.replicas.flatMap((member) =>
    callers.map(async (caller) => {
      while (!isOver) {
        if (member.process() !== null) await call(member, caller);
        await Bun.sleep(PAUSES[caller.limited] * pace);
      }
    }),
  );
  return {
    served,
    violations,
    expect: (expected) => {
      outage = expected;
    },
    skewed: () => {
      isSkewed = true;
    },
    killed: (member) => {
      for (const { caller, at } of recent.get(member) ?? [])
        if (at > performance.now() - UNWRITTEN_MILLISECONDS) (served.get(caller) as Served).atRisk += 1;
    },
    report: () => {
      const sorted = took.sort((a, b) => a - b);
      const result = {
        answers: sorted.length,
        others,
        p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
        slowest: sorted.at(-1) ?? 0,
      };
      [took, others] = [[], {}];
      return result;
    },
    stop: async () => {
      isOver = true;
      await Promise.all(loops);
    },
  };
}
