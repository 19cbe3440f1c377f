/** Who may use the operators' listener: its own Host, no pages of other origins, and a session by the listener's token. */

import { createHash, timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import { pathOf } from "#api/response/failures.ts";
import { type Random, randomText } from "#domain/account/key.ts";
import { Failure } from "#domain/faults/errors.ts";
import { LOOPBACK_NAMES } from "#domain/net/message.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import { signInPage } from "#web/operator/frame.tsx";
import { document, seeOther } from "#web/operator/respond.ts";

const HTTP_PORT = 80;

/**
 * Returns the Host headers of the listener, lower case. Other names and ports are refused, even those that
 * `#api/plugins/host.ts` treats as equal.
 */
function hostsOf(host: string, port: number): ReadonlySet<string> {
  const names = new Set([...LOOPBACK_NAMES, host.includes(":") ? `[${host}]` : host]);
  return new Set(
    [...names].flatMap((name) => [
      `${name}:${port}`,
      // Clients leave the scheme's own port out.
      ...(port === HTTP_PORT ? [name] : []),
    ]),
  );
}

/**
 * Fails with `misdirected_request` for another Host, `forbidden` for requests from pages of other origins (a form has
 * its page's Origin), `method_not_allowed` for methods that pages never use. A HEAD comes as GET.
 */
export const admission = (at: { readonly host: string; readonly port: number }) => {
  const hosts = hostsOf(at.host, at.port);
  return new Elysia({ name: "admission" }).onRequest(({ request: { headers, method } }) => {
    const host = headers.get("host")?.toLowerCase() ?? "";
    if (!hosts.has(host)) throw new Failure("misdirected_request");
    const site = headers.get("sec-fetch-site") ?? "none";
    const origin = headers.get("origin");
    const isOwn = site === "none" || site === "same-origin";
    if (!isOwn || (origin === null ? method !== "GET" : origin.toLowerCase() !== `http://${host}`))
      throw new Failure("forbidden", { reason: "only the pages of this listener may send this" });
    if (method !== "GET" && method !== "POST")
      throw new Failure("method_not_allowed", { method, allow: "GET, POST" });
  });
};

export interface SessionDeps {
  readonly token: string;
  readonly port: number;
  readonly clock: Clock;
  readonly random: Random;
}

const SESSION_CHARACTERS = 43; // 256 bits
const SESSION_SECONDS = 8 * 3_600;
/** The oldest session ends when there are more. */
const MOST_SESSIONS = 20;

const SIGN_IN = "/operator/sign-in";
/** Matches the path as sent, as routes do. */
const PAGES = /^\/operator(?:\/|$)/;

/** Registers the sign-in. Refuses every other request below /operator without a session, before its route. */
export const session = ({ token, port, clock, random }: SessionDeps) => {
  /** Named after the port: browsers send cookies to every port of a host. */
  const name = `crossrate_operator_${port}`;
  const cookie = (value: string, maxAge: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`;
  /** Ends of sessions by the hash of their id: the time of a look-up reveals nothing about the id. */
  const ends = new Map<string, Instant>();
  const keyOf = (id: string) => hashOf(id).toString("base64");
  const keyIn = ({ headers }: Request) =>
    keyOf(new Bun.CookieMap(headers.get("cookie") ?? "").get(name) ?? "");
  return new Elysia({ name: "session" })
    .onRequest(({ request }) => {
      const path = pathOf(request.url);
      if (!PAGES.test(path)) return;
      if (path === SIGN_IN || clock.now() < (ends.get(keyIn(request)) ?? 0)) return;
      return request.method === "GET"
        ? seeOther(SIGN_IN)
        : document(signInPage("Your session has ended."), 401);
    })
    .get(SIGN_IN, async () => document(signInPage(null)))
    .post(SIGN_IN, async ({ body }) => {
      const typed = (body as URLSearchParams).get("token") ?? "";
      if (!timingSafeEqual(hashOf(typed.trim()), hashOf(token)))
        return document(signInPage("This is not the token in secrets/admin.token."), 401);
      const id = randomText(random, SESSION_CHARACTERS);
      ends.set(keyOf(id), clock.now() + SESSION_SECONDS * 1000);
      if (ends.size > MOST_SESSIONS) ends.delete(ends.keys().next().value ?? "");
      return seeOther("/operator/overview", cookie(id, SESSION_SECONDS));
    })
    .post("/operator/sign-out", async ({ request }) => {
      ends.delete(keyIn(request));
      return seeOther(SIGN_IN, cookie("", 0));
    });
};

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
