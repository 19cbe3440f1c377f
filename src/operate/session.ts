/** Sign-in by the listener's token, and sessions: a cookie that is valid for a few hours in this process only. */

import { createHash, timingSafeEqual } from "node:crypto";
import { Elysia } from "elysia";
import { pathOf } from "#api/response/failures.ts";
import { type Random, randomText } from "#domain/account/key.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock } from "#ports.ts";
import { signInPage } from "#web/operator/frame.tsx";
import { document, seeOther } from "./respond.ts";

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

/** Registers the sign-in, and refuses pages and forms below /operator without a session before a route takes them. */
export const session = ({ token, port, clock, random }: SessionDeps) => {
  /** Named after the port: browsers send cookies to every port of a host. */
  const name = `crossrate_operator_${port}`;
  const cookie = (value: string, maxAge: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict`;
  /** By the hash of their id: the time of a look-up reveals nothing about the id. */
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
