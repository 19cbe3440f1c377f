/** The HTTP client of the command line. It waits when the server asks for it, and throws refusals. */

import { parseExact } from "#domain/net/message.ts";
import type { CommandContext } from "./command.ts";
import { Refusal, reasonOf, refusalOf, Unreachable } from "./faults.ts";
import { type Server, serverOf } from "./server.ts";

/** A body as sent, and the same parsed. */
export interface Answer<Content> {
  readonly text: string;
  /** Numbers are exact. */
  readonly content: Content;
  readonly headers: Headers;
}

export type Query = Readonly<Record<string, string | undefined>>;

interface Question {
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: "GET" | "HEAD" | "POST" | "DELETE";
  /** A text is JSON already. */
  readonly body?: unknown;
  /** The credentials to send; the key by default. */
  readonly as?: "key" | "session" | "anonymous";
  /** False throws a refusal at once and ignores Retry-After. */
  readonly waits?: false;
}

export interface Client {
  readonly server: Server;
  /** Resolves with parsed JSON. Throws Refusal or Unreachable. */
  ask<Content>(path: string, question?: Question): Promise<Answer<Content>>;
  /** Resolves with a body that the caller reads. Throws Refusal or Unreachable; the body may break off later. */
  open(path: string, question?: Question): Promise<Response>;
}

/** The longest wait that suits a person at a terminal; a longer one is reported. */
const LONGEST_WAIT_SECONDS = 10;
const MOST_REPEATS = 2;
/** For the beginning of an answer. */
const PATIENCE_MILLISECONDS = 30_000;

/** Makes a client of the server named by the command line and the environment. */
export async function clientOf(context: CommandContext, urlFlag?: string): Promise<Client> {
  const server = await serverOf(context.environment, urlFlag);
  return newClient(server, context);
}

export function newClient(
  server: Server,
  {
    version,
    clock,
    signal,
    terminal,
    packaged,
  }: Pick<CommandContext, "version" | "clock" | "signal" | "terminal" | "packaged">,
): Client {
  /** The server's answer, or that of the packaged history where nothing listens at the address that nobody chose. */
  const answerOf = async (path: string, question: Question): Promise<Response> => {
    try {
      return await send(server, path, question, { version, signal });
    } catch (fault) {
      if (!(fault instanceof Unreachable) || server.chosenBy !== "default") throw fault;
      const instead = (await packaged?.()) ?? null;
      if (instead === null) throw fault;
      return await instead.answer(requestOf(server, path, question, version));
    }
  };
  const open = async (path: string, question: Question = {}) => {
    const method = question.method ?? "GET";
    const mayRepeat = question.waits !== false && (method === "GET" || method === "HEAD");
    for (let repeats = 0; ; repeats++) {
      const response = await answerOf(path, question);
      if (response.ok) return response;
      const refusal = await refusalOf(response);
      const wait = refusal.retryAfterSeconds;
      const isPassing = refusal.status === 429 || refusal.status === 503;
      if (!mayRepeat || !isPassing || repeats >= MOST_REPEATS || wait === null || wait > LONGEST_WAIT_SECONDS)
        throw refusal;
      terminal.note(`${refusal.code}: trying again in ${wait} s`);
      await clock.sleep(wait * 1000, signal);
      terminal.note("");
    }
  };
  return {
    server,
    open,
    async ask<Content>(path: string, question: Question = {}) {
      const response = await open(path, question);
      const text = await response.text().catch((fault: unknown) => {
        signal.throwIfAborted();
        throw new Unreachable(server.url, "the answer broke off", fault);
      });
      return { text, content: contentOf<Content>(text, server.url), headers: response.headers };
    },
  };
}

/** Resolves with the answer of any status. Throws Unreachable without one. */
export async function send(
  server: Server,
  path: string,
  question: Question,
  { version, signal }: Pick<CommandContext, "version" | "signal">,
): Promise<Response> {
  const request = requestOf(server, path, question, version);
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE_MILLISECONDS);
  try {
    return await fetch(request, { redirect: "manual", signal: AbortSignal.any([signal, late.signal]) });
  } catch (fault) {
    signal.throwIfAborted();
    if (late.signal.aborted)
      throw new Unreachable(server.url, `no answer within ${PATIENCE_MILLISECONDS / 1000} s`, fault);
    throw new Unreachable(server.url, reasonOf(fault), fault);
  } finally {
    clearTimeout(timer);
  }
}

function requestOf(
  server: Server,
  path: string,
  { query = {}, headers = {}, method = "GET", body, as = "key" }: Question,
  version: string,
): Request {
  const url = new URL(server.url + path);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  const token = as === "key" ? server.key : as === "session" ? sessionOf(server) : null;
  return new Request(url, {
    method,
    headers: {
      accept: "application/json",
      "user-agent": `crossrate/${version} (command line)`,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
}

function sessionOf({ url, login }: Server): string {
  if (login !== null) return login.session;
  throw new Refusal(`this needs an account, and there is no login at ${url}`, {
    status: 401,
    code: "session_required",
  });
}

function contentOf<Content>(text: string, url: string): Content {
  try {
    return parseExact(text) as Content;
  } catch (fault) {
    throw new Unreachable(url, "what answered there is no Crossrate server: its answer is not JSON", fault);
  }
}
