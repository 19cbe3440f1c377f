/** POST /v1/mcp/: the Model Context Protocol: the origin check, the checks of each message, and the REST calls of tools. */

import { Elysia } from "elysia";
import type { House } from "#api/plugins/house.ts";
import { readBounded, requireJson } from "#api/request/body.ts";
import { InnerRequest } from "#api/request/inner-request.ts";
import type { Meter } from "#api/request/metering.ts";
import { requestId } from "#api/response/headers.ts";
import { codedPayload, type RespondDeps, respond } from "#api/response/respond.ts";
import { Failure } from "#domain/faults/errors.ts";
import { LOOPBACK_NAMES } from "#domain/net/message.ts";
import type { RestAnswer, RestCall } from "#ports.ts";

/** Answers one message of the protocol: JSON, or no body. */
export type McpExchange = (exchange: {
  /** Carries the headers and the signal; its body is already read. */
  readonly request: Request;
  /** The JSON of its body: no array. */
  readonly message: object;
  /** The request's id, also in its answer. */
  readonly id: string;
  /** Calls the REST interface as the sender of the request. */
  readonly call: RestCall;
}) => Promise<Response>;

export interface McpRouteDeps extends RespondDeps, OriginRules {
  readonly meter: Pick<Meter, "check">;
  readonly mcp: McpExchange;
  readonly house: House;
  /** The whole application: tools call it. */
  readonly answer: AnswerRequest;
}

const PATH = "/v1/mcp/";
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** Headers of the REST call that the answer repeats. */
const PASSED_ON = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After"];

export const mcp = ({ house, answer, ...deps }: McpRouteDeps) => {
  const post = async (request: Request): Promise<Response> => {
    admitOrigin(request, deps);
    requireJson(request);
    await deps.meter.check(request);
    const message = parse(await readBounded(request));
    if ("fault" in message) return await send(request, deps, message.fault);
    const id = requestId(request.headers);
    const { call, headers } = openInnerCall(request, id, answer);
    const made = await deps.mcp({ request, message: message.value, id, call });
    return await send(request, deps, made, { "X-Request-Id": id, ...picked(headers(), PASSED_ON) });
  };
  // A server without sessions has no streams to open or end; clients try, and continue.
  const refuse = async ({ request }: { readonly request: Request }): Promise<never> => {
    throw new Failure("method_not_allowed", { method: request.method, allow: "POST, OPTIONS" });
  };
  const pages = deps.mcpOrigins.length === 0 ? ({ isCrossOrigin: false } as const) : {};
  return new Elysia({ name: "mcp" })
    .use(house)
    .post(PATH, async ({ request }) => await post(request), {
      wire: { isMetered: true, ...pages },
      parse: "none",
    })
    .get(PATH, refuse, { wire: pages })
    .delete(PATH, refuse, { wire: pages, parse: "none" });
};

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/** Reads the one message of a body; a batch is refused before any of it is read. */
function parse(bytes: Uint8Array): { readonly value: object } | { readonly fault: Response } {
  let value: unknown;
  try {
    value = JSON.parse(UTF_8.decode(bytes));
  } catch {
    return { fault: rpcError(PARSE_ERROR, "the body is not valid JSON") };
  }
  if (Array.isArray(value))
    return { fault: rpcError(INVALID_REQUEST, "send one message at a time: no arrays") };
  if (typeof value !== "object" || value === null)
    return { fault: rpcError(INVALID_REQUEST, "a message is a JSON object") };
  return { value };
}

function rpcError(code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status: 400 });
}

async function send(
  request: Request,
  deps: RespondDeps,
  made: Response,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const fields = { status: made.status, cacheControl: "no-store", headers };
  const text = await made.text();
  if (text === "") return respond(request, deps, fields, () => ({ body: null, bytes: Number.NaN }));
  return respond(request, deps, { ...fields, mime: "application/json" }, () =>
    codedPayload(request, Buffer.from(text)),
  );
}

function picked(headers: Headers | null, names: readonly string[]): Record<string, string> {
  const values = names.map((name) => [name, headers?.get(name)]);
  return Object.fromEntries(values.filter(([, value]) => value != null));
}

interface OriginRules {
  /** Names of this server; the Host header was checked against them. Empty means any. */
  readonly allowedHosts: readonly string[];
  /** Origins besides the server's own; `*` means any. */
  readonly mcpOrigins: readonly string[];
  readonly publicUrl: string;
}

/**
 * Fails with `forbidden` for a page of a foreign origin. Programs send no Origin. A page of this server's own name
 * passes only when the name comes from PUBLIC_URL, ALLOWED_HOSTS, or the loopback.
 */
function admitOrigin({ headers }: Request, { allowedHosts, mcpOrigins, publicUrl }: OriginRules): void {
  const origin = headers.get("origin");
  if (origin === null || mcpOrigins.includes("*") || mcpOrigins.includes(origin.toLowerCase())) return;
  if (origin === publicUrl) return;
  const page = URL.parse(origin);
  if (page !== null && page.host === headers.get("host")?.toLowerCase()) {
    if (allowedHosts.length > 0 || LOOPBACK_NAMES.has(page.hostname)) return;
  }
  throw new Failure("forbidden", {
    reason: "pages of other sites may not use /v1/mcp/; the operator can allow an origin by MCP_ORIGINS",
  });
}

/** Headers that identify a caller and a request; the others describe the message. */
const CARRIED = ["host", "authorization", "x-api-key", "x-forwarded-for"] as const;

type AnswerRequest = (request: Request) => Response | Promise<Response>;

/** `id` is the request id of all calls; `headers` returns those of the last answer, null before the first call. */
function openInnerCall(outer: Request, id: string, answer: AnswerRequest) {
  const carried = { "x-request-id": id, accept: "application/json", ...picked(outer.headers, CARRIED) };
  const origin = originOf(outer.url);
  let last: RestAnswer | null = null;
  const call: RestCall = async ({ method, path, body }) => {
    const headers = body === undefined ? carried : { ...carried, "content-type": "application/json" };
    const init = body === undefined ? { method, headers } : { method, headers, body };
    const response = await answer(new InnerRequest(outer, `${origin}${path}`, init));
    last = { status: response.status, headers: response.headers, text: await response.text() };
    return last;
  };
  return { call, headers: () => last?.headers ?? null };
}

function originOf(url: string): string {
  return url.slice(0, url.indexOf("/", url.indexOf("//") + 2));
}
