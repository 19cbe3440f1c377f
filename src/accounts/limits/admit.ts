/** Admits calls of data endpoints: key or address, plan, windows, history. A refusal names the window and says what to do. */

import type { LastUsed } from "#accounts/identity/sessions.ts";
import type { KeyDirectory } from "#accounts/keys/authenticate.ts";
import type { KeyHolder } from "#domain/account/key.ts";
import { type Tier, tierInForce } from "#domain/account/organization.ts";
import {
  allowanceOf,
  earliestAllowed,
  largestLimit,
  type Plans,
  plansReaching,
  type Terms,
} from "#domain/billing/plan.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Allowance, Caller, Window } from "#domain/limits/counts.ts";
import type { Granted, QuotaStatus, Refused, Taken } from "#domain/limits/quota-status.ts";
import { CLIENT_GONE } from "#domain/net/message.ts";
import { type Day, dayAt, formatDay } from "#domain/time/day.ts";
import type { Counters } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Count } from "#telemetry.ts";
import type { UsageMeter } from "./usage-meter.ts";

export interface Who {
  readonly tier: Tier | "anonymous";
  readonly terms: Terms;
  readonly caller: Caller;
  readonly organizationId: string | null;
  readonly keyId: string | null;
}

export interface Ask {
  readonly cost: number;
  /** First day of the requested history; null without history. */
  readonly earliest: Day | null;
  /** Interval of the rows; absent: 1d. */
  readonly interval?: string;
}

interface AdmitDeps {
  readonly keys: KeyDirectory;
  readonly counters: Counters;
  readonly plans: Plans;
  readonly usage: UsageMeter;
  readonly lastUsed: LastUsed;
  readonly clock: Clock;
  readonly upgradeUrl: string;
  readonly count?: Count;
}

/** The usual start of the header, and the position of the key in it. */
const PLAIN = { start: "Bearer fxk_", keyAt: 7 };
const NOT_BEARER = "an API key is sent as Authorization: Bearer <key>, and in no other form";
const BEARER = /^Bearer +(\S+) *$/i;

export type Admitter = ReturnType<typeof openAdmitter>;

export function openAdmitter(deps: AdmitDeps) {
  const { keys, counters, plans, usage, lastUsed, clock, count } = deps;
  const allowances = new Map<Tier | "anonymous", Allowance>();
  const allowance = (tier: Tier | "anonymous"): Allowance => {
    const cached = allowances.get(tier) ?? allowanceOf(plans, tier);
    allowances.set(tier, cached);
    return cached;
  };
  // One `Who` for each cached holder, made again when its tier differs: a plan's grace can end while the holder is cached.
  const whoOf = new WeakMap<KeyHolder, Who>();
  const holderWho = (holder: KeyHolder): Who => {
    let who = whoOf.get(holder);
    const tier = tierInForce(holder.organization, clock.now());
    if (who?.tier !== tier) {
      const { id, ownerId } = holder.organization;
      who = {
        tier,
        terms: plans[tier],
        caller: { kind: "org", id: ownerId, allowance: allowance(tier) },
        organizationId: id,
        keyId: holder.key.id,
      };
      whoOf.set(holder, who);
    }
    return who;
  };
  const taken = (who: Who, outcome: Taken, isLater: boolean): Granted => {
    const caller = who.caller.kind === "org" ? "key" : "address";
    if (outcome.outcome === "granted") {
      const shared = isLater ? "store" : "lease";
      count?.("granted", { caller, by: outcome.by === "process" ? "process" : shared }, outcome.cost);
      return outcome;
    }
    count?.("refusals", { caller, reason: reasonOf(outcome) });
    if (outcome.outcome === "refused" && who.organizationId !== null)
      usage.limited(who.organizationId, who.caller.id, outcome.quota.window);
    const failure = limitFailure(outcome, who.caller.kind, plans);
    if (outcome.outcome === "refused") failure.quota = outcome.quota;
    throw failure;
  };

  return {
    /** `authorization` is the header; without one the caller is the address. Failures of KeyDirectory.find. */
    identify: (authorization: string | null, address: () => string): Who | Promise<Who> => {
      if (authorization === null) {
        return {
          tier: "anonymous",
          terms: plans.anonymous,
          caller: { kind: "address", id: address(), allowance: allowance("anonymous") },
          organizationId: null,
          keyId: null,
        };
      }
      const key = authorization.startsWith(PLAIN.start)
        ? authorization.slice(PLAIN.keyAt)
        : BEARER.exec(authorization)?.[1];
      if (key === undefined) throw new Failure("invalid_api_key", { wording: NOT_BEARER });
      const holder = keys.find(key);
      return holder instanceof Promise ? holder.then(holderWho) : holderWho(holder);
    },
    /** Charges the windows. Failures of limitFailure, with their quota status. */
    charge: (who: Who, cost: number): Granted | Promise<Granted> => {
      const outcome = counters.take(who.caller, cost);
      return outcome instanceof Promise
        ? outcome.then((later) => taken(who, later, true))
        : taken(who, outcome, false);
    },
    /** The quota status, without a charge; null where it is not known. */
    quota: (who: Who): QuotaStatus | null | Promise<QuotaStatus | null> => {
      const read = (outcome: Taken) => ("quota" in outcome ? outcome.quota : null);
      const outcome = counters.take(who.caller, 0);
      return outcome instanceof Promise ? outcome.then(read) : read(outcome);
    },
    /** Failure `plan_gated` when the plan does not have the history. */
    gate: (who: Who, ask: Ask): void => {
      if (ask.earliest === null || who.terms.history_days === null) return;
      const today = dayAt(clock.now());
      if (ask.earliest < earliestAllowed(who.terms, today)) throw gated(deps, who, ask.earliest, ask, today);
    },
    /** Called once for each charged call, with the status of its answer. */
    settle: (who: Who, granted: Granted, status: number): void => {
      if (isRefunded(status, who.caller.kind)) counters.refund(who.caller, granted);
      else if (who.organizationId !== null) usage.served(who.organizationId, who.caller.id, granted);
      if (who.keyId !== null) lastUsed.note(who.keyId, granted.wall);
    },
  };
}

function gated({ plans, upgradeUrl }: AdmitDeps, who: Who, earliest: Day, ask: Ask, today: Day): Failure {
  const first = earliestAllowed(who.terms, today);
  const [allowed, days] = [formatDay(first), today - first + 1];
  const upgrades = plansReaching(plans, who.tier, earliest, today);
  const advice =
    upgrades.length === 0 ? "no plan of this server reaches further" : `${upgrades.join(" or ")} reaches it`;
  const with_ = who.tier === "anonymous" ? "without a key" : `on the plan ${who.tier}`;
  return new Failure("plan_gated", {
    reason: `${with_} the last ${days} days are shown, from ${allowed} on, and the request begins on ${formatDay(earliest)}: ${advice}; see ${upgradeUrl}`,
    members: {
      tier: who.tier,
      interval: ask.interval ?? "1d",
      history_days: days,
      earliest_allowed: allowed,
      upgrade_plans: upgrades,
      upgrade_offers: upgrades.map((plan) => ({ plan, loses: [] })),
      upgrade_url: upgradeUrl,
    },
  });
}

type NotTaken = Exclude<Taken, { outcome: "granted" }>;

function reasonOf(taken: NotTaken): Window | "too_large" | "unavailable" {
  if (taken.outcome === "refused") return taken.quota.window;
  return taken.outcome === "never" ? "too_large" : "unavailable";
}

const A: Readonly<Record<Window, string>> = { minute: "a minute", hour: "an hour", month: "a month" };

/** Failure rate_limited, ip_rate_limited, quota_exceeded, invalid_request (it can never pass) or quota_unavailable. */
export function limitFailure(taken: NotTaken, kind: Caller["kind"], plans: Plans): Failure {
  if (taken.outcome === "refused") return refusedFailure(taken, kind, plans);
  if (taken.outcome === "never") {
    const { cost, window, limit } = taken;
    const reason = `this request counts as ${cost} calls and ${limit} ${A[window]} are allowed; split it`;
    return new Failure("invalid_request", { reason });
  }
  const { retryAfterSeconds } = taken;
  const details = { reason: "the quota cannot be checked at the moment; try again", retryAfterSeconds };
  return new Failure("quota_unavailable", details, new Error(taken.reason));
}

function refusedFailure(refused: Refused, kind: Caller["kind"], plans: Plans): Failure {
  const { quota, cost, retryAfterSeconds, network } = refused;
  const { window, limit } = quota;
  const calls = cost === 1 ? "" : ` (this request counts as ${cost})`;
  const isLargest = window !== "hour" && limit >= largestLimit(plans, window);
  const larger = isLargest ? null : "a larger plan allows more";
  const advice = kind === "address" ? "use an API key for more" : larger;
  if (window === "month") {
    const and = advice === null ? "" : `, and ${advice}`;
    const reason = `the ${limit} calls of this month are used${calls}; the quota resets on the 1st, 00:00 UTC${and}`;
    return new Failure("quota_exceeded", { reason, retryAfterSeconds });
  }
  const of =
    kind === "address" ? ` from ${network === undefined ? "one address" : `the network ${network}`}` : "";
  const or = advice === null ? "" : `, or ${advice}`;
  const reason = `${limit} calls ${A[window]}${of} are allowed${calls}; wait ${retryAfterSeconds} s${or}`;
  return new Failure(window === "hour" ? "ip_rate_limited" : "rate_limited", { reason, retryAfterSeconds });
}

/**
 * Whether the calls of an answer are given back: after our faults (5xx) always, after refused requests (4xx) only to a key. Without
 * a key probing is not free.
 */
export function isRefunded(status: number, kind: Caller["kind"]): boolean {
  if (status === CLIENT_GONE) return false;
  return status >= 500 || (status >= 400 && kind === "org");
}
