/** Steps of a walk with keys: provisioned, rotated, revoked by their owner. */

import { currentKey, isLive, issue, newOrg, type Org, type Person, rotate, shown } from "./model.ts";
import { asked } from "./people.ts";
import { audited, Disagreement, demand, mayTry, refused, said, type Walk } from "./walk.ts";
import { HOUR } from "./windows.ts";
import type { Answer } from "./world.ts";

export async function provision(walk: Walk, person: Person): Promise<string> {
  if (!mayTry(walk, `provision ${person.email}`, 100, HOUR)) return "skipped";
  const answer = await asked(walk, person, "POST", "/v1/account/provision", {});
  if (answer === null) return "401";
  const { now } = walk;
  const { org } = person;
  const present = org === null ? null : currentKey(org);
  const made = present === null;
  if (made) {
    const { plaintext, org_id: id } = answer.body;
    isNew(walk, plaintext);
    const own = org ?? newOrg(id, person);
    if (org === null) audited(walk, `organization.created organization:${id}`);
    person.org = own;
    issue(own, plaintext, now);
    audited(walk, "key.created");
  }
  const own = person.org as Org;
  said(answer, {
    created: made,
    org_id: own.id,
    plaintext: currentKey(own)?.plaintext,
    key: keyOf(walk, own, answer),
  });
  return made ? "made" : "as it was";
}

export async function rotateKey(walk: Walk, person: Person): Promise<string> {
  if (!mayTry(walk, `rotate ${person.email}`, 30, HOUR)) return "skipped";
  const answer = await asked(walk, person, "POST", "/v1/keys/rotate");
  if (answer === null) return "401";
  const { org } = person;
  if (org === null) {
    refused(answer, 409, "conflict");
    return "409";
  }
  demand("rotate", answer.status, 200);
  const { plaintext } = answer.body;
  isNew(walk, plaintext);
  rotate(org, plaintext, walk.now);
  said(answer, { created: true, org_id: org.id, plaintext, key: keyOf(walk, org, answer) });
  return "rotated";
}

export async function revokeKeys(walk: Walk, person: Person): Promise<string> {
  // No two keys end in one instant, or nobody could say which was the last.
  walk.world.clock.at += 1;
  const answer = await asked(walk, person, "DELETE", "/v1/keys");
  if (answer === null) return "401";
  const { org } = person;
  const live = org?.keys.filter((key) => isLive(key, walk.now)) ?? [];
  const last = org?.keys.at(-1);
  if (org === null || last === undefined) {
    said(answer, { revoked: false, revoked_at: null, prefix: null });
    return "none";
  }
  for (const key of live) key.endsAt = walk.now;
  const { prefix } = answer.body;
  demand("prefix", last.plaintext.startsWith(prefix), true);
  said(answer, { revoked: true, revoked_at: shown(last.endsAt), prefix });
  return `${live.length} ended`;
}

export function keyOf(walk: Walk, org: Org, { body }: Answer) {
  const key = currentKey(org);
  const found = body.key;
  if (key === null) throw new Disagreement(`there is no key, and one is shown: ${Bun.inspect(found)}`);
  if (found === null) throw new Disagreement("there is a key, and none is shown");
  demand("prefix", key.plaintext.startsWith(found.prefix) && found.prefix.length < 20, true);
  // Written now and then: null, or not after the last use; with Redis by its clock, which is not the walk's.
  const used = found.last_used_at;
  const isPlausible =
    !walk.isExact || used === null || (key.usedAt !== null && Date.parse(used) <= key.usedAt);
  demand(`last_used_at ${used}`, isPlausible, true);
  return {
    prefix: found.prefix,
    plaintext: key.plaintext,
    created_at: shown(key.createdAt),
    last_used_at: used,
  };
}

function isNew(walk: Walk, plaintext: string): void {
  demand("the form of a key", /^fxk_[0-9A-Za-z]{38}$/.test(plaintext), true);
  demand("a key is nobody else's", walk.secrets.has(plaintext), false);
  walk.secrets.add(plaintext);
}
