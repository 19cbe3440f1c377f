/**
 * Browsers that a person signed in with before. Each has a cookie that says so, and a count of its own: an attacker without the cookie
 * can use up the account's count, and not that one.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import type { Identity, Session } from "#domain/account/identity.ts";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { Gate } from "#ports/counters.ts";
import type { IdentityDeps } from "./deps.ts";

/** The longest that browsers keep a cookie. */
export const DEVICE_SECONDS = (400 * MILLISECONDS_PER_DAY) / 1000;
/** The id of the session that it was given with, and the HMAC. */
const VALUE = /^([0-9A-Za-z_]{1,64})-([0-9a-f]{64})$/;

type Person = Pick<Identity, "id" | "passwordHash">;

/** The cookie of a browser that just proved the person's password: worthless once there is another one. Null where there are none. */
export function deviceValue(
  { devices }: Pick<IdentityDeps, "devices">,
  { id, passwordHash }: Person,
  session: Pick<Session, "id">,
): string | null {
  if (devices === undefined || passwordHash === null) return null;
  return `${session.id}-${devices.hide(`device ${id} ${passwordHash} ${session.id}`)}`;
}

/** The gate of the browser that presents a cookie of this person; null for every other text, and without a person. */
export function deviceGate(
  deps: Pick<IdentityDeps, "devices">,
  person: Person | null,
  presented: string | null,
): Gate | null {
  const [, id] = VALUE.exec(presented ?? "") ?? [];
  if (id === undefined || presented === null || person === null) return null;
  const expected = deviceValue(deps, person, { id });
  if (expected === null || !timingSafeEqual(digest(expected), digest(presented))) return null;
  return { limit: "sign-in by device", key: id };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
