/** Admits calls of data endpoints: key or address → plan → windows → history. */

import type { LastUsed } from "#accounts/identity/last-used.ts";
import type { KeyDirectory } from "#accounts/keys/authenticate.ts";
import type { KeyHolder } from "#domain/account/key.ts";
import { type Tier, tierInForce } from "#domain/account/organization.ts";
import { allowanceOf, earliestAllowed, type Plans, plansReaching, type Terms } from "#domain/billing/plan.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Allowance, Caller } from "#domain/limits/caller.ts";
import type { Granted, QuotaStatus, Taken } from "#domain/limits/quota-status.ts";
import { type Day, dayAt, formatDay } from "#domain/time/day.ts";
import type { Counters } from "#ports/counters.ts";
import type { Clock } from "#ports.ts";
import { isRefunded, limitFailure } from "./failure.ts";
import type { UsageMeter } from "./usage-meter.ts";

/** A caller and the terms that hold for it. */
export interface Who {
  readonly tier: Tier | "anonymous";
  readonly terms: Terms;
  readonly caller: Caller;
  readonly organizationId: string | null;
  readonly keyId: string | null;
}

/** What a request needs of a plan. */
export interface Ask {
  /** Calls that it counts as. */
  readonly cost: number;
  /** First day that it wants to see; null when it wants no history. */
  readonly earliest: Day | null;
  /** Width of the rows that it wants; days unless said otherwise. */
  readonly interval?: string;
}

export interface AdmitDeps {
  readonly keys: KeyDirectory;
  readonly counters: Counters;
  readonly plans: Plans;
  readonly usage: UsageMeter;
  readonly lastUsed: LastUsed;
  readonly clock: Clock;
  /** Where a caller can get a larger plan. */
  readonly upgradeUrl: string;
}

export interface Admitter {
  /** `authorization` is the header; without one the caller is the address. Failures of KeyDirectory.find. */
  identify(authorization: string | null, address: () => string): Who | Promise<Who>;
  /** Charges the windows. Failures of limitFailure, with their quota status. */
  charge(who: Who, cost: number): Granted | Promise<Granted>;
  /** The quota status of a caller, without a charge; null where it is not known. */
  quota(who: Who): QuotaStatus | null | Promise<QuotaStatus | null>;
  /** Failure `plan_gated` when the history asked for is not the plan's. */
  gate(who: Who, ask: Ask): void;
  /** Called once for each charged call, with the status it was answered with. */
  settle(who: Who, granted: Granted, status: number): void;
}

/** How nearly every header begins, and where the key begins in it. */
const PLAIN = { start: "Bearer fxk_", keyAt: 7 };
const NOT_BEARER = "an API key is sent as Authorization: Bearer <key>, and in no other form";
const BEARER = /^Bearer +(\S+) *$/i;

export function openAdmitter(deps: AdmitDeps): Admitter {
  const { keys, counters, plans, usage, lastUsed, clock } = deps;
  const allowances = new Map<Tier | "anonymous", Allowance>();
  const allowance = (tier: Tier | "anonymous"): Allowance => {
    const known = allowances.get(tier) ?? allowanceOf(plans, tier);
    allowances.set(tier, known);
    return known;
  };
  // A holder is looked up anew every few seconds, and what follows from it with it; the grace ends by the clock meanwhile.
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
  const taken = (who: Who, outcome: Taken): Granted => {
    if (outcome.outcome === "granted") return outcome;
    if (outcome.outcome === "refused" && who.organizationId !== null)
      usage.limited(who.organizationId, who.caller.id, outcome.quota.window);
    const failure = limitFailure(outcome, who.caller.kind);
    if (outcome.outcome === "refused") failure.quota = outcome.quota;
    throw failure;
  };

  return {
    identify: (authorization, address) => {
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
    charge: (who, cost) => {
      const outcome = counters.take(who.caller, cost);
      return outcome instanceof Promise ? outcome.then((later) => taken(who, later)) : taken(who, outcome);
    },
    quota: (who) => {
      const read = (outcome: Taken) => ("quota" in outcome ? outcome.quota : null);
      const outcome = counters.take(who.caller, 0);
      return outcome instanceof Promise ? outcome.then(read) : read(outcome);
    },
    gate: (who, ask) => {
      if (ask.earliest === null || who.terms.history_days === null) return;
      const today = dayAt(clock.now());
      if (ask.earliest < earliestAllowed(who.terms, today)) throw gated(deps, who, ask.earliest, ask, today);
    },
    settle: (who, granted, status) => {
      if (isRefunded(status, who.caller.kind)) counters.refund(who.caller, granted);
      else if (who.organizationId !== null) usage.served(who.organizationId, who.caller.id, granted.cost);
      if (who.keyId !== null) lastUsed.note(who.keyId, granted.at);
    },
  };
}

/** The refusal names what the caller has, what was requested, and which plans would do. */
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
