/** Steps of a run that its operator takes, over the operators' listener. */

import { demand, pick, type RunContext } from "./context.ts";
import { accountStatus, isLive, type Org } from "./model.ts";
import { meaning, TIERS } from "./subscriptions.ts";

export async function giveTier(context: RunContext, org: Org): Promise<string> {
  const tier = pick(context, TIERS);
  const answer = await context.world.operator("POST", `/admin/organizations/${org.id}/tier`, { tier });
  demand("tier given", answer.status, 200);
  // What has ended is over: the given tier no longer applies to it.
  if (org.bought !== null && meaning(org.bought, context.now).status === "canceled") org.bought = null;
  org.given = tier;
  demand("tier in force", answer.body.organization.tier_in_force, accountStatus(org, context.now).tier);
  return tier;
}

export async function suspend(context: RunContext, org: Org): Promise<string> {
  const verb = org.suspended ? "resume" : "suspend";
  const answer = await context.world.operator("POST", `/admin/organizations/${org.id}/${verb}`);
  demand(verb, answer.status, 200);
  org.suspended = !org.suspended;
  // Resumed, what has ended is over: it continues as any free one.
  if (!org.suspended && org.bought?.status === "canceled") org.bought = null;
  return verb;
}

/** Ends one key, whichever; one that has ended already is not found. */
export async function endKey(context: RunContext, org: Org): Promise<string> {
  const listed = await context.world.operator("GET", `/admin/organizations/${org.id}/keys`);
  const { keys } = listed.body as { keys: { id: string; prefix: string; state: string }[] };
  demand("keys listed", keys.length, org.keys.length);
  if (keys.length === 0) return "no key";
  const one = pick(context, keys);
  const key = org.keys.find(({ plaintext }) => plaintext.startsWith(one.prefix));
  if (key === undefined) return "not distinguished";
  const wasLive = isLive(key, context.now);
  demand("its state", one.state === "revoked", !wasLive);
  const { status } = await context.world.operator("POST", `/admin/keys/${one.id}/revoke`);
  const isLiveStill = isLive(key, context.now);
  demand("one key ended", status, isLiveStill ? 200 : 404);
  if (isLiveStill) key.endsAt = context.now;
  return `${one.state} key: ${status}`;
}
