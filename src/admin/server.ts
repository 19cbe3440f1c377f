/** The operators' listener: a separate port on the loopback address, so that none of it is ever public. */

import { type Random, randomText } from "#domain/account/key-format.ts";
import { withLedger } from "#domain/account/ledger.ts";
import { Failure } from "#domain/faults/errors.ts";
import { redact, redactTokens } from "#domain/net/redact.ts";
import type { FigureReview } from "#ports/figure-review.ts";
import type { Emit } from "#telemetry.ts";
import { admit, type Door, doorOf, removeToken, writeToken } from "./access.ts";
import { findAccounts, listAccounts, listKeys, makeResetLink, readAudit } from "./people.ts";
import type { AdminTools, Verb } from "./request.ts";
import { jsonOf } from "./request.ts";
import { openRoom, type Room } from "./room/room.ts";
import {
  resumeOrganization,
  resumePerson,
  revokeKey,
  setTier,
  suspendOrganization,
  suspendPerson,
} from "./status.ts";

export interface AdminServerOptions {
  /** 0 takes any free one. */
  readonly port: number;
  /** A loopback address. */
  readonly host: string;
  /** Where the token is written for those who may use it. */
  readonly tokenPath: string;
  readonly tools: AdminTools;
  /** What the pages decide on besides accounts; null where there is nothing. */
  readonly figures: FigureReview | null;
  readonly random: Random;
  readonly emit: Emit;
}

export interface AdminServer {
  readonly url: string;
  /** Resolves when nothing listens, nothing is under way any more, and the token is gone. */
  stop(): Promise<void>;
}

const TOKEN_CHARACTERS = 43; // 256 bits
const ID_CHARACTERS = 16;
/** More is cut off by the runtime itself; a body that is read is bounded further. */
const LARGEST_REQUEST_BYTES = 65_536;

/** Rejects when the port is taken, or with TokenFileFault. */
export async function startAdminServer(options: AdminServerOptions): Promise<AdminServer> {
  const { port, host, tokenPath, random, emit } = options;
  const token = randomText(random, TOKEN_CHARACTERS);
  const underWay = new Set<Promise<Response>>();
  const server = Bun.serve({
    port,
    hostname: host,
    reusePort: false,
    development: false,
    maxRequestBodySize: LARGEST_REQUEST_BYTES,
    fetch: (request) => {
      const answered = answer(options, door, room, request);
      underWay.add(answered);
      return answered.finally(() => underWay.delete(answered));
    },
  });
  const door: Door = doorOf(host, server.port ?? port, token);
  const failed = (path: string, fault: unknown) => {
    const error = fault instanceof Error ? (fault.stack ?? fault.message) : String(fault);
    emit({
      kind: "request_failed",
      requestId: randomText(random, ID_CHARACTERS),
      path,
      error: redact(error),
    });
  };
  const room = openRoom({ ...options, door, port: server.port ?? port, failed });
  // Only after the port is its own: the token of a process that has it already must stay.
  await writeToken(tokenPath, token, random).catch(async (fault: unknown) => {
    await server.stop(true);
    throw fault;
  });
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
  emit({ kind: "listener_started", listener: "operators", url, tokenPath });
  return {
    url,
    stop: async () => {
      await server.stop(true);
      // The ledger is closed next: no change may be half way.
      await Promise.allSettled(underWay);
      await removeToken(tokenPath, token);
    },
  };
}

async function answer(
  { tools, random, emit }: AdminServerOptions,
  door: Door,
  room: Room,
  request: Request,
): Promise<Response> {
  const url = URL.parse(request.url);
  const path = url?.pathname ?? "/";
  if (url !== null && room.owns(path)) return await room.answer(request, url);
  const answering: Answering = { requestId: randomText(random, ID_CHARACTERS), path, emit };
  try {
    admit(door, request);
    const { verb, id } = routeOf(request.method === "HEAD" ? "GET" : request.method, path);
    const query = url?.searchParams ?? new URLSearchParams();
    const body = () => jsonOf(request);
    return success(await withLedger(() => verb(tools, { id, query, body })), answering);
  } catch (thrown) {
    return refusal(thrown, answering);
  }
}

const HEADERS = {
  "Content-Type": "application/json",
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

export interface Answering {
  readonly requestId: string;
  /** Without the query, which may name people. */
  readonly path: string;
  readonly emit: Emit;
}

/** `{"result": "success", …}`. */
function success(members: Readonly<Record<string, unknown>>, { requestId }: Answering): Response {
  const headers = { ...HEADERS, "X-Request-Id": requestId };
  return new Response(JSON.stringify({ result: "success", ...members }), { headers });
}

/** `{"result": "error", "code", "message", …}`; a fault that is no Failure is logged and not sent. */
function refusal(thrown: unknown, { requestId, path, emit }: Answering): Response {
  const failure = thrown instanceof Failure ? thrown : new Failure("internal_error", {}, thrown);
  const { code, status, details, retryAfterSeconds } = failure;
  if (code === "internal_error") {
    const { cause } = failure;
    const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    emit({ kind: "request_failed", requestId, path: redact(path), error: redact(error) });
  }
  const headers = new Headers({ ...HEADERS, "X-Request-Id": requestId });
  if (status === 401) headers.set("WWW-Authenticate", "Bearer");
  if (details.allow !== undefined) headers.set("Allow", details.allow);
  if (retryAfterSeconds !== undefined) headers.set("Retry-After", String(retryAfterSeconds));
  const message = redactTokens(failure.message);
  return new Response(JSON.stringify({ result: "error", code, message, ...details.members }), {
    status,
    headers,
  });
}

export interface Found {
  readonly verb: Verb;
  readonly id: string;
}

export const ROUTES: readonly (readonly [method: "GET" | "POST", path: string, verb: Verb])[] = [
  ["GET", "/admin/accounts", listAccounts],
  ["GET", "/admin/accounts/find", findAccounts],
  ["GET", "/admin/audit", readAudit],
  ["POST", "/admin/identities/{id}/suspend", suspendPerson],
  ["POST", "/admin/identities/{id}/resume", resumePerson],
  ["POST", "/admin/identities/{id}/reset-link", makeResetLink],
  ["POST", "/admin/organizations/{id}/tier", setTier],
  ["POST", "/admin/organizations/{id}/suspend", suspendOrganization],
  ["POST", "/admin/organizations/{id}/resume", resumeOrganization],
  ["GET", "/admin/organizations/{id}/keys", listKeys],
  ["POST", "/admin/keys/{id}/revoke", revokeKey],
];

const ID = "(\\w{1,64})";
const TABLE = ROUTES.map(([method, path, verb]) => ({
  method,
  verb,
  pattern: new RegExp(`^${path.replace("{id}", ID)}$`),
}));

/** Failure `not_found`, or `method_not_allowed` with the one that is. */
function routeOf(method: string, path: string): Found {
  for (const { method: allowed, verb, pattern } of TABLE) {
    const match = pattern.exec(path);
    if (match === null) continue;
    if (method !== allowed) throw new Failure("method_not_allowed", { method, allow: allowed });
    return { verb, id: match[1] ?? "" };
  }
  throw new Failure("not_found", { wording: "no such resource: {path}", path });
}
