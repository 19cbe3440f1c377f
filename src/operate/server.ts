/**
 * The operators' listener: a separate port on the loopback address, because it must never be public. Its application is
 * admission → session → page or form. Whoever can read the token file can sign in.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { lstat, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Elysia } from "elysia";
import { readForm } from "#api/request/body.ts";
import { asRouted } from "#api/request/inner-request.ts";
import { query } from "#api/request/query.ts";
import { pathOf } from "#api/response/failures.ts";
import { type Random, randomText } from "#domain/account/key.ts";
import { Failure } from "#domain/faults/errors.ts";
import { LOOPBACK_NAMES } from "#domain/net/message.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Clock, CollectionReview, FigureReview } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { accounts, type OperatorTools } from "#web/operator/accounts.tsx";
import { audit } from "#web/operator/audit.tsx";
import { figurePages } from "#web/operator/figures.tsx";
import { signInPage } from "#web/operator/frame.tsx";
import { overview } from "#web/operator/overview.tsx";
import { assets, document, refusals, seeOther } from "#web/operator/respond.ts";

const OTHERS_WRITE = 0o022;

/**
 * Replaces the token file in one step; a link is replaced, not followed. Rejects, and says what to do, when anyone but the
 * owner could replace the file.
 */
export async function writeToken(path: string, token: string, random: Random): Promise<void> {
  const folder = dirname(path);
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  if (!stats.isDirectory()) throw new Error(`${folder}: a plain directory is needed here`);
  if ((stats.mode & OTHERS_WRITE) !== 0) {
    throw new Error(`${folder}: others may replace files in it; run: chmod 700 ${folder}`);
  }
  const made = `${path}.${randomText(random, 8)}.new`;
  const file = await open(made, "wx", 0o600);
  try {
    await file.writeFile(`${token}\n`);
  } finally {
    await file.close();
  }
  await rename(made, path);
}

/** Removes the token file, unless another process has written its own token to it, or the disk has turned read-only. */
async function removeToken(path: string, token: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => "");
  if (text.trim() === token) await rm(path, { force: true }).catch(() => {});
}

const HTTP_PORT = 80;

/**
 * Returns the Host headers of the listener, lower case. Other names and ports are refused, even those that
 * `#api/plugins/host.ts` treats as equal.
 */
function hostsOf(host: string, port: number): ReadonlySet<string> {
  const names = [...LOOPBACK_NAMES, host.includes(":") ? `[${host}]` : host];
  const hosts = names.map((name) => `${name}:${port}`);
  // Clients leave the scheme's own port out.
  return new Set(port === HTTP_PORT ? [...hosts, ...names] : hosts);
}

/**
 * Fails with `misdirected_request` for another Host, `forbidden` for requests from pages of other origins (a form has
 * its page's Origin), `method_not_allowed` for methods that pages never use. A HEAD comes as GET.
 */
const admission = (at: { readonly host: string; readonly port: number }) => {
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

interface SessionDeps {
  readonly token: string;
  readonly port: number;
  readonly clock: Clock;
  readonly random: Random;
}

const SECRET_CHARACTERS = 43; // 256 bits
const SESSION_SECONDS = 8 * 3_600;
/** The oldest session ends when there are more. */
const MOST_SESSIONS = 20;

const SIGN_IN = "/operator/sign-in";
/** Matches the path as sent, as routes do. */
const PAGES = /^\/operator(?:\/|$)/;

/** Registers the sign-in. Refuses every other request below /operator without a session, before its route. */
const session = ({ token, port, clock, random }: SessionDeps) => {
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
      const id = randomText(random, SECRET_CHARACTERS);
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

export interface OperatorDeps extends Omit<SessionDeps, "clock"> {
  /** The loopback address of the listener. */
  readonly host: string;
  readonly tools: OperatorTools;
  readonly figures: FigureReview;
  readonly collections: CollectionReview;
  readonly emit: Emit;
}

const LARGEST_FORM_BYTES = 4_096;

export const operatorApp = (deps: OperatorDeps) =>
  new Elysia({ precompile: true, normalize: false, handler: { standardHostname: false } })
    .use(refusals(deps))
    .use(admission(deps))
    .use(query)
    .onParse(async ({ request }) => await readForm(request, LARGEST_FORM_BYTES))
    .use(session({ ...deps, clock: deps.tools.clock }))
    .get("/", async () => seeOther("/operator/overview"))
    .use(assets())
    .use(overview(deps))
    .use(accounts(deps.tools))
    .use(audit(deps.tools))
    .use(figurePages(deps));

export interface OperatorServerOptions extends Omit<OperatorDeps, "token"> {
  /** The file that the token is written to. `port` 0 takes any free port. */
  readonly tokenPath: string;
}

export type OperatorServer = Awaited<ReturnType<typeof startOperatorServer>>;

/** The runtime refuses larger requests; forms have a smaller bound. */
const LARGEST_REQUEST_BYTES = 65_536;

/** Rejects when the port is taken, or as `writeToken`. */
export async function startOperatorServer(options: OperatorServerOptions) {
  const { port, host, tokenPath, random, emit } = options;
  const token = randomText(random, SECRET_CHARACTERS);
  const unanswered = new Set<Promise<Response>>();
  const server = Bun.serve({
    port,
    hostname: host,
    reusePort: false,
    development: false,
    maxRequestBodySize: LARGEST_REQUEST_BYTES,
    fetch: (request) => {
      const answered = Promise.resolve(app.fetch(asRouted(request)));
      unanswered.add(answered);
      return answered.finally(() => unanswered.delete(answered));
    },
  });
  const app = operatorApp({ ...options, token, port: server.port ?? port });
  // Only when the port is bound: if another process has the port, its token file must stay.
  await writeToken(tokenPath, token, random).catch(async (fault: unknown) => {
    await server.stop(true);
    throw fault;
  });
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
  emit({ kind: "listener_started", listener: "operators", url, tokenPath });
  return {
    url,
    /** Resolves when the port is closed, all requests have ended, and the token is removed. */
    stop: async () => {
      await server.stop(true);
      // The ledger is closed next: every change must be complete.
      await Promise.allSettled(unanswered);
      await removeToken(tokenPath, token);
    },
  };
}
