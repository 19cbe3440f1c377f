/** Sessions of the operator's pages: a cookie that is valid for a few hours in this process alone. */

import { timingSafeEqual } from "node:crypto";
import { type Door, hashOf, ownHost } from "#admin/access.ts";
import { type Random, randomText } from "#domain/account/key-format.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";

const SESSION_CHARACTERS = 43; // 256 bits
const SESSION_HOURS = 8;
const SESSION_MILLISECONDS = SESSION_HOURS * 3_600_000;
/** The oldest ends when there would be more. */
const MOST_SESSIONS = 20;

export interface RoomSessions {
  /** The Set-Cookie value of a new session. Failure `invalid_credentials` for another token than the listener's. */
  begin(token: string): string;
  isSignedIn(request: Request): boolean;
  /** The Set-Cookie value that forgets it. */
  end(request: Request): string;
}

/** The cookie is named after the port: browsers send cookies to every port of a host. */
export function openRoomSessions(
  { tokenHash }: Pick<Door, "tokenHash">,
  { port, clock, random }: { readonly port: number; readonly clock: Clock; readonly random: Random },
): RoomSessions {
  const name = `crossrate_operator_${port}`;
  const sessions = new Map<string, Instant>();
  const cookie = (value: string, maxAge: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`;
  const read = ({ headers }: Request): string => {
    const found = (headers.get("cookie") ?? "")
      .split(";")
      .map((part) => part.trim())
      .filter((part) => part.startsWith(`${name}=`));
    return found.length === 1 ? (found[0] ?? "").slice(name.length + 1) : "";
  };
  return {
    begin: (token) => {
      if (!timingSafeEqual(hashOf(token.trim()), tokenHash)) {
        throw new Failure("invalid_credentials", {
          wording: "This is not the token in secrets/admin.token.",
        });
      }
      const id = randomText(random, SESSION_CHARACTERS);
      sessions.set(keyOf(id), clock.now() + SESSION_MILLISECONDS);
      if (sessions.size > MOST_SESSIONS) sessions.delete(sessions.keys().next().value ?? "");
      return cookie(id, SESSION_MILLISECONDS / 1000);
    },
    isSignedIn: (request) => {
      const until = sessions.get(keyOf(read(request)));
      return until !== undefined && clock.now() < until;
    },
    end: (request) => {
      sessions.delete(keyOf(read(request)));
      return cookie("", 0);
    },
  };
}

/** Looked up by its hash: how long that takes says nothing of the session. */
function keyOf(id: string): string {
  return hashOf(id).toString("base64");
}

/**
 * Failures: `misdirected_request` for another Host, `forbidden` for what a page of another origin sends. A form is sent with the Origin
 * of the page that it is on.
 */
export function admitPage({ hosts }: Door, { headers, method }: Request): void {
  const host = ownHost(hosts, headers);
  const site = headers.get("sec-fetch-site") ?? "none";
  const origin = headers.get("origin");
  const isOwn = site === "none" || site === "same-origin";
  const needsOrigin = method !== "GET" && method !== "HEAD";
  if (!isOwn || (origin === null ? needsOrigin : origin.toLowerCase() !== `http://${host}`)) {
    throw new Failure("forbidden", { reason: "only the pages of this listener may send this" });
  }
}
