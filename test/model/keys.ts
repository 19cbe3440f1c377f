/** Steps of a run with keys: provisioned, rotated, revoked by their owner. */

import { audited, Disagreement, demand, expectBody, mayTry, type RunContext, refused } from "./context.ts";
import { currentKey, instantText, isLive, issue, newOrg, type Org, type Person, rotate } from "./model.ts";
import { requestAs } from "./people.ts";
import { HOUR } from "./windows.ts";
import type { Answer } from "./world.ts";

export async function provision(context: RunContext, person: Person): Promise<string> {
  if (!mayTry(context, `provision ${person.email}`, 100, HOUR)) return "skipped";
  const answer = await requestAs(context, person, "POST", "/v1/account/provision", {});
  if (answer === null) return "401";
  const { now } = context;
  const { org } = person;
  const present = org === null ? null : currentKey(org);
  const made = present === null;
  if (made) {
    const { plaintext, org_id: id } = answer.body;
    isNew(context, plaintext);
    const own = org ?? newOrg(id, person);
    if (org === null) audited(context, `organization.created organization:${id}`);
    person.org = own;
    issue(own, plaintext, now);
    audited(context, "key.created");
  }
  const own = person.org as Org;
  expectBody(answer, {
    created: made,
    org_id: own.id,
    plaintext: currentKey(own)?.plaintext,
    key: keyOf(context, own, answer),
  });
  return made ? "made" : "as it was";
}

export async function rotateKey(context: RunContext, person: Person): Promise<string> {
  if (!mayTry(context, `rotate ${person.email}`, 30, HOUR)) return "skipped";
  const answer = await requestAs(context, person, "POST", "/v1/keys/rotate");
  if (answer === null) return "401";
  const { org } = person;
  if (org === null) {
    refused(answer, 409, "conflict");
    return "409";
  }
  demand("rotate", answer.status, 200);
  const { plaintext } = answer.body;
  isNew(context, plaintext);
  rotate(org, plaintext, context.now);
  expectBody(answer, { created: true, org_id: org.id, plaintext, key: keyOf(context, org, answer) });
  return "rotated";
}

export async function revokeKeys(context: RunContext, person: Person): Promise<string> {
  // No two keys end in one instant, or the last one would not be defined.
  context.world.clock.at += 1;
  const answer = await requestAs(context, person, "DELETE", "/v1/keys");
  if (answer === null) return "401";
  const { org } = person;
  const live = org?.keys.filter((key) => isLive(key, context.now)) ?? [];
  const last = org?.keys.at(-1);
  if (org === null || last === undefined) {
    expectBody(answer, { revoked: false, revoked_at: null, prefix: null });
    return "none";
  }
  for (const key of live) key.endsAt = context.now;
  const { prefix } = answer.body;
  demand("prefix", last.plaintext.startsWith(prefix), true);
  expectBody(answer, { revoked: true, revoked_at: instantText(last.endsAt), prefix });
  return `${live.length} ended`;
}

export function keyOf(context: RunContext, org: Org, { body }: Answer) {
  const key = currentKey(org);
  const found = body.key;
  if (key === null) throw new Disagreement(`there is no key, and one is shown: ${Bun.inspect(found)}`);
  if (found === null) throw new Disagreement("there is a key, and none is shown");
  demand("prefix", key.plaintext.startsWith(found.prefix) && found.prefix.length < 20, true);
  // Written now and then: null, or not after the last use; with Redis by its clock, which is not the run's.
  const used = found.last_used_at;
  const isPlausible =
    !context.isExact || used === null || (key.usedAt !== null && Date.parse(used) <= key.usedAt);
  demand(`last_used_at ${used}`, isPlausible, true);
  return {
    prefix: found.prefix,
    plaintext: key.plaintext,
    created_at: instantText(key.createdAt),
    last_used_at: used,
  };
}

function isNew(context: RunContext, plaintext: string): void {
  demand("the form of a key", /^fxk_[0-9A-Za-z]{38}$/.test(plaintext), true);
  demand("a key is no other person's", context.secrets.has(plaintext), false);
  context.secrets.add(plaintext);
}
