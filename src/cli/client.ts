/** The HTTP client of the command line, and the printer of its answers. Repeats a request when the server asks for it; turns refusals into messages and exit codes. */

import { isLoopback, parseExact } from "#domain/net/message.ts";
import { type CommandContext, EXIT, type Terminal, UsageFault } from "./command.ts";
import { type Server, serverOf } from "./server.ts";
import { printable, shownSeconds } from "./show.ts";
import type { Outputs } from "./words.ts";

export interface Answer<Content> {
  readonly text: string;
  readonly headers: Headers;
  /** Numbers are exact, and texts are printable. */
  readonly content: Content;
}

export type Query = Readonly<Record<string, string | undefined>>;

export interface Question {
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: "GET" | "POST" | "DELETE";
  /** A string is sent as it is: it must be JSON. */
  readonly body?: unknown;
  readonly as?: "key" | "session" | "anonymous";
  /** False: a refusal is thrown at once. A number: the longest wait in seconds, also for a POST, which must be safe to repeat. */
  readonly waits?: false | number;
}

export type Client = ReturnType<typeof newClient>;

/** The longest wait that suits a person at a terminal; a longer one is reported. */
const LONGEST_WAIT_SECONDS = 10;
const MOST_REPEATS = 2;
/** How long to wait until an answer begins. */
const PATIENCE_MILLISECONDS = 30_000;

/** Warns where a key, a session, or the password of a login goes over a network without TLS. */
export async function clientOf(
  context: CommandContext,
  urlFlag?: string,
  asks?: "password",
): Promise<Client> {
  const server = await serverOf(context.environment, urlFlag);
  const { url, chosenBy, key, login } = server;
  const isNamed = chosenBy !== "default";
  if (isNamed && url.startsWith("http:") && !isLoopback(new URL(url)) && (asks ?? key ?? login) !== null)
    context.terminal.complain(
      `${url} has no TLS: a ${asks ?? "key"} can be read on its way; an https address is safe`,
    );
  return newClient(server, context);
}

export const PACKAGED_LACKS =
  "the packaged history has past days of the ECB alone, without latest rates, other sources and official tables";

type Sender = Pick<CommandContext, "version" | "signal">;

export function newClient(
  server: Server,
  context: Sender & Pick<CommandContext, "clock" | "terminal" | "packaged">,
) {
  const { clock, signal, terminal, packaged } = context;
  /** The server's answer, or that of the packaged history where nothing listens at the default address. */
  const answerOf = async (path: string, question: Question): Promise<Response> => {
    try {
      return await send(server, path, question, context);
    } catch (fault) {
      if (!(fault instanceof Unreachable) || server.chosenBy !== "default") throw fault;
      const instead = (await packaged?.()) ?? null;
      if (instead === null) throw fault;
      const answer = await send({ ...server, answer: instead.answer }, path, question, context);
      // The packaged history collects nothing, so repeating the request is useless.
      if (answer.status !== 503) return answer;
      throw new Unreachable(
        server.url,
        `no server answers, and ${PACKAGED_LACKS}; --on shows such a day`,
        fault,
      );
    }
  };
  /** Resolves with a body that the caller reads. Throws Refusal or Unreachable; the body may break off later. */
  const open = async (path: string, question: Question = {}): Promise<Response> => {
    const method = question.method ?? "GET";
    const { waits } = question;
    const mayRepeat = waits !== false && (waits !== undefined || method === "GET");
    for (let repeats = 0; ; repeats++) {
      const response = await answerOf(path, question);
      if (response.ok) return await notAPage(response, question, server.url);
      const refusal = await refusalOf(response);
      const wait = refusal.retryAfterSeconds;
      const isPassing = refusal.status === 429 || refusal.status === 503;
      const isShort = wait !== null && wait <= (waits || LONGEST_WAIT_SECONDS);
      if (!mayRepeat || !isPassing || repeats >= MOST_REPEATS || !isShort) throw refusal;
      terminal.note(`${refusal.code}: trying again in ${wait} s`);
      await clock.sleep(wait * 1000, signal);
      terminal.note("");
    }
  };
  /** Resolves with the whole body. Throws Refusal or Unreachable. */
  const read = async (path: string, question: Question = {}) => {
    const response = await open(path, question);
    const text = await response.text().catch((fault: unknown) => {
      signal.throwIfAborted();
      throw new Unreachable(server.url, "the answer broke off; run the command again", fault);
    });
    return { text, headers: response.headers };
  };
  return {
    server,
    open,
    read,
    /** Resolves with parsed JSON. Throws Refusal or Unreachable. */
    async ask<Content>(path: string, question: Question = {}): Promise<Answer<Content>> {
      const body = await read(path, question);
      return { ...body, content: contentOf<Content>(body.text, server.url) };
    },
  };
}

/** Throws Refusal or Unreachable. Lines of CSV end as lines of a terminal do. */
export async function printAnswer<Body>(
  context: CommandContext,
  { csv, url, ...outputs }: Outputs,
  { path, ...question }: Pick<Question, "method" | "as" | "query"> & { readonly path: string },
  print: Print<Body>,
): Promise<void> {
  const { terminal } = context;
  const client = await clientOf(context, url);
  if (csv) {
    const query = { ...question.query, format: "csv" };
    const { text } = await client.read(path, { ...question, query, headers: { accept: "text/csv" } });
    await terminal.write(text.replaceAll("\r\n", "\n"));
    return;
  }
  await printBody(context, outputs, await client.ask<Body>(path, question), print);
}

export type Print<Body> = (terminal: Terminal, body: Body) => void;

export async function printBody<Body>(
  { terminal }: CommandContext,
  { json }: Outputs,
  { text, content }: Answer<Body>,
  print: Print<Body>,
): Promise<void> {
  if (json) await terminal.write(`${text}\n`);
  else print(terminal, content);
}

/** Resolves with the answer, whatever its status. Throws Unreachable when there is no answer. */
export async function send(
  server: Server,
  path: string,
  question: Question,
  { version, signal }: Sender,
): Promise<Response> {
  const request = requestOf(server, path, question, { version, signal });
  if (server.answer !== undefined) return await server.answer(request);
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
  { version, signal }: Sender,
): Request {
  const token = as === "key" ? server.key : as === "session" ? sessionOf(server) : null;
  return new Request(addressOf(server, path, query), {
    ...{ method, signal },
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

function addressOf(server: Server, path: string, query: Query): string {
  const url = new URL(server.url + path);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value);
  return url.href;
}

function sessionOf({ url, login }: Server): string {
  if (login !== null) return login.session;
  throw new Refusal(`this needs an account, and there is no login at ${url}`, {
    status: 401,
    code: "session_required",
  });
}

const NOT_CROSSRATE = "what answered there is no Crossrate server: its answer is";

/** Fails where a file or a stream was asked for and a page came, as of a network that wants a person to sign in. */
async function notAPage(response: Response, { headers }: Question, url: string): Promise<Response> {
  const type = response.headers.get("content-type") ?? "of no type";
  if (headers?.["accept"] === undefined || !/^(text\/html|application\/json|of no type)/.test(type))
    return response;
  await response.body?.cancel();
  throw new Unreachable(url, `${NOT_CROSSRATE} ${type}`);
}

function contentOf<Content>(text: string, url: string): Content {
  try {
    const content = parseExact(text, printable);
    if ((content as { readonly result?: unknown } | null)?.result === "success") return content as Content;
  } catch (fault) {
    throw new Unreachable(url, `${NOT_CROSSRATE} not JSON`, fault);
  }
  throw new Unreachable(url, `${NOT_CROSSRATE} of another form`);
}

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number = 0;
  readonly code: string = "";
  /** The operator finds the request by it in the server's log; null without a request, or for a proxy's answer. */
  readonly requestId: string | null = null;
  /** Seconds for which the same request would be refused again; null when the server does not say. */
  readonly retryAfterSeconds: number | null = null;
  /** Calls that the caller's tightest window allows; null when the server does not say. */
  readonly limit: number | null = null;
  readonly issues: readonly string[] = [];
  readonly body: string | null = null;
  constructor(message: string, facts: Pick<Refusal, "status" | "code"> & Partial<Refusal>) {
    super(printable(message));
    Object.assign(this, facts);
  }
}

/** No answer came, or only part of one. */
export class Unreachable extends Error {
  readonly url: string;
  constructor(url: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "Unreachable";
    this.url = url;
  }
}

export function reasonOf(fault: unknown): string {
  const code = (fault as { readonly code?: unknown }).code;
  if (code === "ConnectionRefused" || code === "ECONNREFUSED") return "nothing listens there";
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "the host name is not known";
  return fault instanceof Error ? fault.message : String(fault);
}

/** Reads a refusal. A body without our envelope, such as a proxy's, gives only its status. */
async function refusalOf(response: Response): Promise<Refusal> {
  const requestId = response.headers.get("x-request-id");
  const retryAfterSeconds = numberIn(response.headers.get("retry-after"));
  const limit = numberIn(response.headers.get("x-ratelimit-limit"));
  const facts = { status: response.status, requestId, retryAfterSeconds, limit };
  if (response.status >= 300 && response.status < 400) {
    await response.body?.cancel();
    const elsewhere = response.headers.get("location") ?? "another address";
    return new Refusal(`the server sends on to ${elsewhere}; name that one with --url or CROSSRATE_URL`, {
      ...facts,
      code: "redirected",
    });
  }
  const body = await response.text();
  const { code, message, errors } = envelopeIn(body);
  const unexplained = `the server, or a proxy before it, answered ${response.status} without a reason`;
  return new Refusal(message ?? unexplained, {
    ...facts,
    code: code ?? `http_${response.status}`,
    issues: errors ?? [],
    body,
  });
}

interface Envelope {
  readonly code?: string;
  readonly message?: string;
  readonly errors?: readonly string[];
}

function envelopeIn(text: string): Envelope {
  try {
    const { code, message, errors } = JSON.parse(text);
    return {
      ...(typeof code === "string" ? { code: printable(code) } : {}),
      ...(typeof message === "string" ? { message } : {}),
      ...(Array.isArray(errors)
        ? { errors: errors.map((one) => printable(`${one?.path}: ${one?.message}`)) }
        : {}),
    };
  } catch {
    return {};
  }
}

function numberIn(header: string | null): number | null {
  return header !== null && /^\d{1,7}$/.test(header) ? Number(header) : null;
}

export function exitCodeOf(fault: unknown): number {
  if (fault instanceof UsageFault) return EXIT.usage;
  if (fault instanceof Unreachable) return EXIT.unreachable;
  if (!(fault instanceof Refusal)) return EXIT.failed;
  if (fault.status === 429) return EXIT.limited;
  return fault.status >= 500 ? EXIT.unreachable : EXIT.refused;
}

const ADVICE: Readonly<Record<string, string>> = {
  unsupported_base: "crossrate currencies lists the currencies",
  invalid_pair: "crossrate currencies lists the currencies",
  invalid_api_key:
    "the key is that of CROSSRATE_API_KEY, else the one that crossrate login stored; sign in again to get the current one",
  session_required: "crossrate login signs in",
  ip_rate_limited: "with a key the limits are larger: crossrate login gets one",
  quota_exceeded: "crossrate usage shows the calls of the month",
  data_unavailable: "crossrate doctor says what the server lacks",
  live_unavailable: "crossrate doctor says what the server lacks",
  internal_error: "report it to the operator of the server with the request id",
};

/** `now` is in milliseconds. Lines after the first are indented. */
export function linesOf(fault: unknown, now: number): readonly string[] {
  if (fault instanceof Unreachable)
    return [
      `${fault.url}: ${printable(fault.message)}`,
      "  crossrate doctor looks into it; crossrate serve or crossrate demo starts a server here",
    ];
  if (!(fault instanceof Refusal)) return [fault instanceof Error ? fault.message : String(fault)];
  const { message, code, status, issues, retryAfterSeconds, requestId } = fault;
  const again = new Date(now + (retryAfterSeconds ?? 0) * 1000).toISOString().slice(0, 19).replace("T", " ");
  return [
    `${message} (${code}, HTTP ${status})`,
    ...issues.map((issue) => `  ${issue}`),
    ...(retryAfterSeconds === null
      ? []
      : [`  the server takes it again in ${shownSeconds(retryAfterSeconds)}, at ${again} UTC`]),
    ...(ADVICE[code] === undefined ? [] : [`  ${ADVICE[code]}`]),
    ...(requestId === null ? [] : [`  request ${printable(requestId)}`]),
  ];
}
