/** Shared by all compatible routes: their admission, their answers, and their texts in the document. */

import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { STATUS_MEANING } from "#api/errors.ts";
import { byCurrency } from "#api/model.ts";
import { code as anyCode, type Described, type Parameter, readTogether, segment } from "#api/parameters.ts";
import type { House } from "#api/plugins/house.ts";
import type { Wire } from "#api/plugins/wire.ts";
import { LATEST } from "#api/rates/latest.ts";
import type { RangedReads } from "#api/response/conditions.ts";
import type { Dialect } from "#api/response/failures.ts";
import { cacheFor, modeOf } from "#api/response/headers.ts";
import type { TurnDeps } from "#api/response/json.ts";
import { respondText } from "#api/response/respond.ts";
import { type OkResponse, type ResponseHeaders, type Words, words } from "#api/words.ts";
import { CURRENCY_CODES, currencyIndex, mixedCaseHint } from "#domain/currency/currency.ts";
import type { Simulated } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { formatInstant, type Instant } from "#domain/time/day.ts";
import type { RatesDeps } from "#rates/query.ts";
import type { RangeDeps } from "#rates/range/range.ts";

export interface CompatDeps extends TurnDeps, RatesDeps, RangeDeps {
  readonly house: House;
  readonly reads: RangedReads;
}

export const LATEST_SECONDS = LATEST.maxAgeSeconds;
/** Past days change only by corrections. */
export const PAST_SECONDS = 300;
export const CATALOG_SECONDS = 3600;

/** The macro `compatible` comes after `metered`. It waits for a turn; the handler returns an `Answer`. */
export const compatible = (deps: CompatDeps) =>
  new Elysia({ name: "compatible" }).use(deps.house).macro({
    compatible: (_: true) => ({
      async beforeHandle({ request }: { request: Request }) {
        await deps.turns.take(request);
      },
      async afterHandle({ request, responseValue }: { request: Request; responseValue: unknown }) {
        return responseValue instanceof Response
          ? responseValue
          : await send(deps, request, responseValue as Answer);
      },
    }),
  });

export interface Origin {
  /** The least fresh contributing source. */
  readonly source: string | null;
  /** Time of the oldest contributing observation; null without an observation. */
  readonly dataUpdatedAt: Instant | null;
  /** Which of its rates are simulated; absent without rates. */
  readonly simulated?: Simulated;
}

export const NO_ORIGIN: Origin = { source: null, dataUpdatedAt: null };

export interface Answer {
  /** In parts, where it is long. */
  readonly text: string | readonly (string | Uint8Array<ArrayBuffer>)[];
  /** Media type of a file of lines, which programs read by its URL and in parts; absent for JSON. */
  readonly mime?: string;
  /** Absent without a rate. */
  readonly origin?: Origin;
  /** With 0 the answer is never stored. */
  readonly maxAgeSeconds: number;
  /** Requested currencies that are not in the catalog, and so not in the body. */
  readonly unavailable?: readonly string[];
}

const JSON_MIME = "application/json; charset=utf-8";

/** Answers 200 with an ETag over the whole body, or 304 when the caller has it already. */
function send(
  { dataset, reads, ...deps }: CompatDeps,
  request: Request,
  { text, mime, origin = NO_ORIGIN, maxAgeSeconds, unavailable = [] }: Answer,
): Promise<Response> {
  // Data that was never collected may arrive at any moment.
  const isIncomplete = dataset()?.pending !== undefined;
  const lifetime = maxAgeSeconds === 0 ? "no-store" : cacheFor(maxAgeSeconds);
  const headers = {
    ...(origin.simulated === undefined ? {} : modeOf(origin.simulated)),
    ...(origin.source === null ? {} : { "X-Source": origin.source }),
    ...(origin.dataUpdatedAt === null ? {} : { "X-Data-Updated-At": formatInstant(origin.dataUpdatedAt) }),
    ...(unavailable.length === 0 ? {} : { "X-Unavailable-Symbols": unavailable.join(",") }),
  };
  const fields = { mime: mime ?? JSON_MIME, cacheControl: isIncomplete ? "no-cache" : lifetime, headers };
  return respondText(request, deps, fields, text, mime === undefined ? null : reads);
}

/** Runs a computation in steps, each in its turn; see ComputeTurns. `large` may refuse the computation before its first step. */
export function runSteps<T>(
  { turns, large }: CompatDeps,
  request: Request,
  steps: Generator<undefined, T>,
): Promise<T> {
  const admitted = function* () {
    large.admit(request);
    large.admitLong(request);
    return yield* steps;
  };
  return turns.run(request, admitted());
}

/**
 * Reads a list of codes; undefined means the whole catalog. `symbols` are those of the catalog, once each, in
 * alphabetical order. `hint` is about a code in mixed case, because GBp may be pence.
 */
export function readCodes(list: string | undefined) {
  const codes = list?.split(",").map((code) => code.trim()) ?? CURRENCY_CODES;
  const symbols = [...new Set(codes.map(currencyIndex))].filter((index) => index >= 0);
  return {
    codes,
    symbols: symbols.sort((a, b) => a - b),
    unknown: codes.filter((code) => currencyIndex(code) < 0),
    hint: codes.map(mixedCaseHint).find((text) => text !== null) ?? null,
  };
}

/** Describes a part of a path that is a currency code. It is read after admission. */
export function code(description: string, example: string): Parameter<string> {
  return segment(described(description, example, anyCode));
}

export function described(description: string, example: string, schema: TSchema = Type.String()): Described {
  return { description, example, schema };
}

export function required(description: string, example: string, schema?: TSchema): Described {
  return { ...described(description, example, schema), isRequired: true };
}

export function aside(description: string, example: string, schema?: TSchema): Described {
  return { ...described(description, example, schema), inSampleCall: false };
}

export function namesOfCurrencies($id: string, example: Readonly<Record<string, string>>) {
  return { ...byCurrency(Type.String(), "English names from ISO 4217 by currency code.", example), $id };
}

const PROVENANCE: ResponseHeaders = {
  "X-Source": [
    "The least fresh contributing source, as `source` of the rate answers; absent without a rate.",
    "ecb_daily",
  ],
  "X-Data-Updated-At": [
    "Time of the oldest contributing observation, UTC; absent without a rate.",
    "2026-04-13T12:15:00Z",
  ],
};

const UNAVAILABLE = {
  "X-Unavailable-Symbols": [
    "Requested currencies that are not in the catalog and so not in the body; absent where all are.",
    "AED,XAU",
  ],
} as const;

const REFUSALS: Readonly<Record<number, Failure>> = {
  400: new Failure("unsupported_base", { base: "XYZ" }),
  401: new Failure("invalid_api_key"),
  403: new Failure("plan_gated", { reason: "without a key the last 30 days are shown, from 2026-03-15 on" }),
  404: new Failure("not_found"),
  412: new Failure("precondition_failed"),
  416: new Failure("range_not_satisfiable", { size: 1116 }),
  422: new Failure("bad_date"),
  429: new Failure("rate_limited", {
    reason: "12 calls a minute from one address are allowed; wait 20 s, or use an API key for more",
  }),
  500: new Failure("internal_error"),
  503: new Failure("data_unavailable", { reason: "no rate has been collected yet; see /status" }),
};

interface Options extends Omit<Words, "tag" | "errors" | "foreign"> {
  /** The handler reads it after admission, as `sent`: these services check in an order of their own. */
  readonly query?: Readonly<Record<string, Described>>;
  readonly params?: object;
  /** Statuses of refusals, besides those of every route and those about callers. */
  readonly statuses?: readonly number[];
  /** Bodies of refusals by status, where they are not the service's usual ones. */
  readonly refused?: Readonly<Record<number, object>>;
  /** True when requested currencies outside the catalog are left out, and named in a header. */
  readonly leavesOut?: true;
}

/** Makes the options of a service's routes. `schema` describes its refusals; `usual` are their statuses on metered routes. */
export function routesOf(
  schema: TSchema,
  wire: Wire & { readonly dialect: Dialect },
  usual: readonly number[],
  idOf = (id: string) => id,
) {
  const route = <Own extends Options>(options: Own, always: readonly number[]) => {
    const { params, query = {}, statuses = [], refused = {}, leavesOut, ok, ...of }: Options = options;
    const byStatus = [...statuses, ...always, 500, 503].map((status) => {
      const example = refused[status] ?? wire.dialect(REFUSALS[status] as Failure).body;
      return [status, { description: STATUS_MEANING[status] ?? "", example }];
    });
    const headers = leavesOut === true ? { ...PROVENANCE, ...UNAVAILABLE } : PROVENANCE;
    const made = {
      compatible: true as const,
      wire,
      query: readTogether(query, (sent) => ({ sent })),
      detail: words({
        ...{ tag: "Compatibility", conditional: true, ...of, id: idOf(of.id) },
        ok: { headers, ...("schema" in ok ? (ok as OkResponse) : { schema: ok }) },
        foreign: { schema, byStatus: Object.fromEntries(byStatus) },
      }),
    };
    return { ...made, ...(params && { params }) } as typeof made & Pick<Own, "params" & keyof Own>;
  };
  return {
    /** Public, and counts against no limit. */
    free: <Own extends Options>(options: Own) => route({ security: [], ...options }, []),
    metered: <Own extends Options>(options: Own) => ({
      ...route({ statuses: usual, ...options }, [401, 403, 429]),
      metered: { isLarge: true } as const,
    }),
  };
}
