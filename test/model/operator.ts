/** Steps of a run that its operator takes, by the forms of the operators' pages. */

import { keyState } from "#domain/account/key.ts";
import { tierInForce } from "#domain/account/organization.ts";
import type { Fields } from "#test/operate/server.ts";
import { demand, pick, type RunContext } from "./context.ts";
import { accountStatus, isLive, type Org } from "./model.ts";
import { meaning, TIERS } from "./subscriptions.ts";

export async function giveTier(context: RunContext, org: Org): Promise<string> {
  const tier = pick(context, TIERS);
  demand("tier given", await send(context, org, "organization/tier", { tier }), 303);
  // What has ended is over: the given tier no longer applies to it.
  if (org.bought !== null && meaning(org.bought, context.now).status === "canceled") org.bought = null;
  org.given = tier;
  demand("tier in force", await tierOf(context, org.id), accountStatus(org, context.now).tier);
  return tier;
}

export async function suspend(context: RunContext, org: Org): Promise<string> {
  const verb = org.suspended ? "resume" : "suspend";
  demand(verb, await send(context, org, `organization/${verb}`), 303);
  org.suspended = !org.suspended;
  // Resumed, what has ended is over: it continues as any free one.
  if (!org.suspended && org.bought?.status === "canceled") org.bought = null;
  return verb;
}

/** Ends one key, whichever; one that was ended is not found. A grace period that is over may still run by another process's clock: its key can be ended. */
export async function endKey(context: RunContext, org: Org): Promise<string> {
  const keys = await context.world.ledger().keys.list(org.id);
  demand("keys listed", keys.length, org.keys.length);
  if (keys.length === 0) return "no key";
  const one = pick(context, keys);
  const key = org.keys.find(({ plaintext }) => plaintext.startsWith(one.prefix));
  if (key === undefined) return "not distinguished";
  const wasLive = isLive(key, context.now);
  const state = keyState(one, context.now);
  demand("its state", state === "revoked", !wasLive);
  const status = await send(context, org, "revoke", { key: one.id });
  demand("one key ended", status, one.revokedAt === null ? 303 : 404);
  if (isLive(key, context.now)) key.endsAt = context.now;
  return `${state} key: ${status}`;
}

async function send(context: RunContext, org: Org, form: string, fields: Fields = {}): Promise<number> {
  const owner = (await context.world.ledger().organizations.byId(org.id))?.ownerId;
  return await context.world.operator(`/operator/people/${owner}/${form}`, { confirm: "yes", ...fields });
}

export async function tierOf({ world, now }: RunContext, id: string): Promise<string | null> {
  const organization = await world.ledger().organizations.byId(id);
  return organization && tierInForce(organization, now);
}
