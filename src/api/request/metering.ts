/** Admission of data requests: who calls → charge → plan → work, with the quota status in the headers of every answer. */

import type { Admitter, Ask, Who } from "#accounts/limits/admit.ts";
import { isRefunded } from "#accounts/limits/failure.ts";
import { type ErrorCode, Failure, Rejection } from "#domain/faults/errors.ts";
import type { Caller } from "#domain/limits/caller.ts";
import type { Granted, QuotaStatus } from "#domain/limits/taken.ts";
import { CLIENT_GONE, isClientGone } from "#domain/net/message.ts";
import type { Day } from "#domain/time/day.ts";

/** What an admitted request may have, and the status of its quota for the headers of the answer. */
export interface Admission {
  /** Minutes that live rates are held back for this caller; undefined: what holds for the server. */
  readonly delayMinutes: number | undefined;
  /** Whose calls are counted together; null where callers are not distinguished. */
  readonly caller: Caller | null;
  /** After the charge; null where nothing is counted. */
  readonly quota: QuotaStatus | null;
  /** Set by who writes the quota into the headers; else the meter does. */
  isQuotaWritten: boolean;
}

/** A caller who was identified without waiting. */
export interface KnownCaller {
  readonly delayMinutes: number | undefined;
  /** Failures: not admitted. */
  charge(cost: number): Charge | Promise<Charge>;
}

/** A call that was charged, and is not answered yet. */
export interface Charge {
  readonly admission: Admission;
  /** What it asked for, as far as the plan was looked at. */
  readonly ask: Ask;
  /** Requires that the plan reaches a day, or has all days for null. Failure `plan_gated`. */
  reach(earliest: Day | null, interval?: string): void;
  /** Settles by the status of the answer, once; the status of the quota then, null where nothing is counted. */
  settle(status: number): QuotaStatus | null;
}

export interface Meter {
  /** Identifies the caller and charges for a request whose syntax is right. Failures: not admitted. */
  admit(request: Request, cost: number, authorization?: string | null): Charge | Promise<Charge>;
  /** The cached caller of a request; null where it has to be looked up, or something is wrong with it. */
  known(request: Request): KnownCaller | null;
  /**
   * Adds the quota status to a refusal that came before admission. Without a key, or with an invalid one, it is that of the
   * address, for which such a request counts; 5xx never count.
   */
  refused(request: Request, failure: Failure, authorization?: string | null): Promise<void>;
  /** Resolves for a caller who would be identified; charges nothing. Failures: as `admit`, for a key that opens nothing. */
  check(request: Request): Promise<void>;
  /**
   * For a long-running answer: whether the caller would still be admitted, with the same delay of live rates. True while
   * that cannot be checked.
   */
  stillHolds(request: Request, delayMinutes: number | undefined): boolean | Promise<boolean>;
}

/** The meter of private installations: every caller is admitted, with the server's delay of live rates, and nothing is counted. */
export function openMeterless(delayMinutes: number): Meter {
  const admission = { delayMinutes, caller: null, quota: null, isQuotaWritten: false };
  const everyCaller: KnownCaller = { delayMinutes, charge: (cost) => uncounted(admission, cost) };
  return {
    known: () => everyCaller,
    admit: (_, cost) => everyCaller.charge(cost),
    refused: async () => {},
    check: async () => {},
    stillHolds: () => true,
  };
}

/** The charge of a call that is not counted. */
function uncounted(admission: Admission, cost: number): Charge {
  let ask: Ask = { cost, earliest: null };
  return {
    admission,
    get ask() {
      return ask;
    },
    reach: (earliest, interval) => {
      ask = askOf(cost, earliest, interval);
    },
    settle: () => null,
  };
}

function askOf(cost: number, earliest: Day | null, interval: string | undefined): Ask {
  return interval === undefined ? { cost, earliest } : { cost, earliest, interval };
}

/** What is said of a presented key, by Failure's code. */
const KEY_REFUSALS: ReadonlySet<ErrorCode> = new Set(["invalid_api_key", "forbidden", "auth_unavailable"]);

export interface MeterDeps {
  readonly admitter: Admitter;
  /** The client's address, behind trusted proxies too. */
  readonly addressOf: (request: Request) => string;
}

export function openMeter({ admitter, addressOf }: MeterDeps): Meter {
  /** Identified by the address alone. */
  const stranger = (request: Request) => admitter.identify(null, () => addressOf(request));
  const identify = (request: Request, authorization = request.headers.get("authorization")) => {
    if (authorization !== null) return admitter.identify(authorization, () => addressOf(request));
    refuseOtherHeader(request);
    return stranger(request);
  };
  const charge = (who: Who, cost: number): Charge | Promise<Charge> => {
    const granted = admitter.charge(who, cost);
    return granted instanceof Promise
      ? granted.then((later) => chargeOf(admitter, who, later))
      : chargeOf(admitter, who, granted);
  };
  /** A key that opens nothing, or that cannot be checked now, does not identify the caller: then the address does. */
  const identifyRefused = async (request: Request, { code }: Failure, authorization?: string | null) => {
    try {
      // The key is not checked a second time where that was the refusal: an unreachable ledger takes its time.
      return await (KEY_REFUSALS.has(code) ? stranger(request) : identify(request, authorization));
    } catch (other) {
      if (other instanceof Failure) return await stranger(request);
      throw other;
    }
  };
  const quotaOfRefused = async (
    request: Request,
    failure: Failure,
    authorization?: string | null,
  ): Promise<QuotaStatus | null> => {
    const who = await identifyRefused(request, failure, authorization);
    try {
      const counts = who.caller.kind === "address" && failure.status < 500;
      return counts ? (await admitter.charge(who, 1)).quota : await admitter.quota(who);
    } catch (other) {
      // The first refusal stays, even if the limits would refuse the request too.
      if (other instanceof Failure) return other.quota;
      throw other;
    }
  };
  return {
    known: (request) => {
      try {
        const who = identify(request);
        if (!(who instanceof Promise))
          return { delayMinutes: who.terms.live_delay_minutes, charge: (cost) => charge(who, cost) };
        // The long way joins this very look, and says what comes of it.
        who.catch(() => {});
        return null;
      } catch (thrown) {
        // Other routes take other credentials, and the question's syntax comes first: the long way says what is wrong.
        if (thrown instanceof Failure) return null;
        throw thrown;
      }
    },
    admit: (request, cost, authorization) => {
      const who = identify(request, authorization);
      return who instanceof Promise ? who.then((later) => charge(later, cost)) : charge(who, cost);
    },
    refused: async (request, failure, authorization) => {
      failure.quota = await quotaOfRefused(request, failure, authorization);
    },
    check: async (request) => {
      await identify(request);
    },
    stillHolds: (request, delayMinutes) => {
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

/** A key in another service's header is never passed over: its sender would be a stranger, with a stranger's limits and days. */
function refuseOtherHeader({ headers }: Request): void {
  if ((headers.get(OTHER_HEADER) ?? "") === "") return;
  const wording = "X-API-Key is not read here: send the API key as Authorization: Bearer <key>";
  throw new Failure("invalid_api_key", { wording });
}

/** What is wrong with a caller who was let in before: only what is known for sure is. */
function hasNotEnded(thrown: unknown): boolean {
  if (thrown instanceof Failure) return thrown.code === "auth_unavailable";
  throw thrown;
}

function chargeOf(admitter: Admitter, who: Who, granted: Granted): Charge {
  const { quota, cost } = granted;
  const { terms, caller } = who;
  let ask: Ask = { cost, earliest: null };
  let left: QuotaStatus | null = null;
  return {
    admission: { delayMinutes: terms.live_delay_minutes, caller, quota, isQuotaWritten: false },
    get ask() {
      return ask;
    },
    reach: (earliest, interval) => {
      ask = askOf(cost, earliest, interval);
      admitter.gate(who, ask);
    },
    settle: (status) => {
      left ??= settle(admitter, who, granted, status);
      return left;
    },
  };
}

/** Settles the charge by the status of the answer, and returns the quota status after it. A refund is made in every window, so the tightest stays the same. */
function settle(admitter: Admitter, who: Who, granted: Granted, status: number): QuotaStatus {
  admitter.settle(who, granted, status);
  const { quota, cost } = granted;
  if (!isRefunded(status, who.caller.kind)) return quota;
  return { ...quota, remaining: Math.min(quota.limit, quota.remaining + cost) };
}

/** Settles a charge by what was thrown, and returns the refusal, which says what is left. */
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

/** The three headers, all of the same window. */
export function setLimitHeaders(headers: Headers, { limit, remaining, resetAt }: QuotaStatus): void {
  headers.set("X-RateLimit-Limit", String(limit));
  headers.set("X-RateLimit-Remaining", String(remaining));
  headers.set("X-RateLimit-Reset", String(resetAt));
}

/** For an answer that caches may store: plans see different days and rates at one URL. */
export function addVaryCaller(headers: Headers): void {
  const vary = headers.get("Vary");
  if (vary?.endsWith(CALLER) !== true) headers.set("Vary", vary === null ? CALLER : `${vary}, ${CALLER}`);
}
