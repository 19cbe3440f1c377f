/** Admission of data requests: caller → charge → plan → work, with the quota status in the headers of every answer. */

import { type Admitter, type Ask, isRefunded, type Who } from "#accounts/limits/admit.ts";
import { type ErrorCode, Failure, Rejection } from "#domain/faults/errors.ts";
import type { Caller } from "#domain/limits/counts.ts";
import type { Granted, QuotaStatus } from "#domain/limits/quota-status.ts";
import { CLIENT_GONE, isClientGone } from "#domain/net/message.ts";
import type { Day } from "#domain/time/day.ts";

/** A charged call: the rights of its caller, and its quota status for the headers of the answer. */
export interface Charge {
  /** The caller's delay of live rates in minutes; undefined means the server's. */
  readonly delayMinutes: number | undefined;
  /** Calls of one caller are counted together; null when callers are not distinguished. */
  readonly caller: Caller | null;
  /** The status after the charge; null without counting. */
  readonly quota: QuotaStatus | null;
  /** True once the quota's headers are written; else the meter writes them. */
  isQuotaWritten: boolean;
  /** The request's cost, and its days once `reach` has checked them. */
  ask: Ask;
  /** Requires that the plan covers the day; null requires nothing. Fails with `plan_gated`. */
  reach(earliest: Day | null, interval?: string): void;
  /** Settles by the status of the answer, once; returns the quota status after it, null without counting. */
  settle(status: number): QuotaStatus | null;
}

export type Meter = ReturnType<typeof openMeter>;

/** The meter of private installations admits every caller with the server's delay of live rates, and counts nothing. */
export function openMeterless(delayMinutes: number): Meter {
  const charge: Charge = {
    ...{ delayMinutes, caller: null, quota: null, isQuotaWritten: false },
    ask: { cost: 1, earliest: null },
    reach: () => {},
    settle: () => null,
  };
  const everyCaller = { delayMinutes, charge: () => charge };
  return {
    cachedCaller: () => everyCaller,
    admit: () => charge,
    refused: async () => {},
    check: async () => {},
    stillHolds: () => true,
  };
}

export interface CallerDeps {
  /** Returns the client's address, also behind trusted proxies: limits count callers by it. */
  readonly callerOf: (request: Request) => string;
}

const KEY_REFUSALS: ReadonlySet<ErrorCode> = new Set(["invalid_api_key", "forbidden", "auth_unavailable"]);

export interface MeterDeps extends CallerDeps {
  readonly admitter: Admitter;
}

export function openMeter({ admitter, callerOf }: MeterDeps) {
  const byAddress = (request: Request) => admitter.identify(null, () => callerOf(request));
  const identify = (request: Request, authorization = request.headers.get("authorization")) => {
    if (authorization !== null) return admitter.identify(authorization, () => callerOf(request));
    refuseOtherHeader(request);
    return byAddress(request);
  };
  const charge = (who: Who, cost: number): Charge | Promise<Charge> => {
    const granted = admitter.charge(who, cost);
    return granted instanceof Promise
      ? granted.then((later) => chargeOf(admitter, who, later))
      : chargeOf(admitter, who, granted);
  };
  /** An invalid key, or one that cannot be checked now, does not identify the caller: the address does. */
  const identifyRefused = async (request: Request, { code }: Failure, authorization?: string | null) => {
    try {
      // After such a refusal the key is not checked again: an unreachable ledger takes its time.
      return await (KEY_REFUSALS.has(code) ? byAddress(request) : identify(request, authorization));
    } catch (other) {
      if (other instanceof Failure) return await byAddress(request);
      throw other;
    }
  };
  return {
    /** Returns the cached caller; null when a look-up is needed, or something is wrong. */
    cachedCaller: (request: Request) => {
      try {
        const who = identify(request);
        if (!(who instanceof Promise))
          return { delayMinutes: who.terms.live_delay_minutes, charge: (cost: number) => charge(who, cost) };
        // `admit` shares this look-up, and reports its fault.
        who.catch(() => {});
        return null;
      } catch (thrown) {
        // Other routes take other credentials, and syntax comes first: `admit` reports the fault.
        if (thrown instanceof Failure) return null;
        throw thrown;
      }
    },
    /** Identifies the caller and charges for a request with valid syntax. Fails without admission. */
    admit: (request: Request, cost: number, authorization?: string | null) => {
      const who = identify(request, authorization);
      return who instanceof Promise ? who.then((later) => charge(later, cost)) : charge(who, cost);
    },
    /** Adds the quota status to a refusal before admission. A missing or invalid key counts for the address; 5xx never count. */
    refused: async (request: Request, failure: Failure, authorization?: string | null) => {
      const who = await identifyRefused(request, failure, authorization);
      try {
        const counts = who.caller.kind === "address" && failure.status < 500;
        failure.quota = counts ? (await admitter.charge(who, 1)).quota : await admitter.quota(who);
      } catch (other) {
        // The first refusal stays, even if the limits would refuse the request too.
        if (!(other instanceof Failure)) throw other;
        failure.quota = other.quota;
      }
    },
    /** Resolves for an identifiable caller; charges nothing. Fails as `admit`, for an invalid key. */
    check: async (request: Request) => {
      await identify(request);
    },
    /**
     * Returns whether a long-running answer's caller would still be admitted, with the same delay of live rates. True
     * while that cannot be checked.
     */
    stillHolds: (request: Request, delayMinutes: number | undefined): boolean | Promise<boolean> => {
      const authorization = request.headers.get("authorization");
      if (authorization === null) return true;
      const isSame = ({ terms }: Who) => terms.live_delay_minutes === delayMinutes;
      try {
        const who = identify(request, authorization);
        return who instanceof Promise ? who.then(isSame, hasNotEnded) : isSame(who);
      } catch (thrown) {
        return hasNotEnded(thrown);
      }
    },
  };
}

const OTHER_HEADER = "x-api-key";

/** A key in another service's header is never ignored: its sender would get the limits and days of a caller without a key. */
function refuseOtherHeader({ headers }: Request): void {
  if ((headers.get(OTHER_HEADER) ?? "") === "") return;
  const wording = "X-API-Key is not read here: send the API key as Authorization: Bearer <key>";
  throw new Failure("invalid_api_key", { wording });
}

/** An admitted caller stays admitted until a refusal is certain. */
function hasNotEnded(thrown: unknown): boolean {
  if (thrown instanceof Failure) return thrown.code === "auth_unavailable";
  throw thrown;
}

function chargeOf(admitter: Admitter, who: Who, granted: Granted): Charge {
  const { quota, cost } = granted;
  const { terms, caller } = who;
  let left: QuotaStatus | null = null;
  const charge: Charge = {
    delayMinutes: terms.live_delay_minutes,
    caller,
    quota,
    isQuotaWritten: false,
    ask: { cost, earliest: null },
    reach: (earliest, interval) => {
      charge.ask = interval === undefined ? { cost, earliest } : { cost, earliest, interval };
      admitter.gate(who, charge.ask);
    },
    settle: (status) => {
      if (left !== null) return left;
      admitter.settle(who, granted, status);
      left = quota;
      // A refund is made in every window: the tightest stays the same.
      if (isRefunded(status, caller.kind))
        left = { ...quota, remaining: Math.min(quota.limit, quota.remaining + cost) };
      return left;
    },
  };
  return charge;
}

/** Settles a charge by the thrown value, and returns the refusal with the quota. */
export function settleThrown(charge: Charge, request: Request, thrown: unknown): unknown {
  if (isClientGone(thrown, request.signal)) {
    charge.settle(CLIENT_GONE);
    return thrown;
  }
  const rejection = thrown instanceof Rejection ? thrown : new Failure("internal_error", {}, thrown);
  const left = charge.settle(rejection.status);
  if (left !== null) rejection.quota = left;
  return rejection;
}

const CALLER = "Authorization";

export function setLimitHeaders(headers: Headers, { limit, remaining, resetAt }: QuotaStatus): void {
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("X-RateLimit-Reset", String(resetAt));
}

/** Plans see different days and rates at one URL: only the caller may store an answer. Some shared caches ignore Vary. */
export function keepForCaller(headers: Headers): void {
  headers.set("Cache-Control", (headers.get("Cache-Control") ?? "no-store").replace("public", "private"));
  const vary = headers.get("Vary");
  if (vary?.endsWith(CALLER) !== true) headers.set("Vary", vary === null ? CALLER : `${vary}, ${CALLER}`);
}
