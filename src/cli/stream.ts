/** `crossrate stream`: the latest rates and their changes, redrawn on a terminal, otherwise one line per event; and Server-Sent Events. */

import type { Read } from "#api/forms.ts";
import type { LatestResponse } from "#api/rates/latest.ts";
import { type ExactNumber, parseExact } from "#domain/net/message.ts";
import { type Client, clientOf, type Query, Refusal, Unreachable } from "./client.ts";
import type { Clock, CommandContext, Terminal } from "./command.ts";
import { marksOf } from "./rates.ts";
import { type Cell, coloured, noticeLines, printable, shownInstant, tableOf } from "./show.ts";
import { type Outputs, parametersOf, subjectOf } from "./words.ts";

export async function stream(context: CommandContext, options: Outputs, words: readonly string[]) {
  const client = await clientOf(context, options.url);
  const query = { ...subjectOf(words), ...parametersOf(options) };
  const { terminal, signal, clock } = context;
  const isDrawn = terminal.screen.isTerminal && !options.json;
  const line: Show = ({ event, data }) =>
    terminal.write(`{"event":${JSON.stringify(event)},${data.slice(1)}\n`);
  const show = isDrawn ? onScreen(context, client.server.url) : line;
  const lost = isDrawn ? terminal.note : terminal.complain;
  for await (const event of eventsOf(client, "/v1/stream", query, { signal, clock, lost })) {
    if (!(await show(event))) break;
  }
}

type State = Read<typeof LatestResponse>;
type Show = (event: ServerEvent) => Promise<boolean>;

function onScreen({ terminal }: CommandContext, url: string): Show {
  const draw = drawing(terminal, url);
  let shown: State | null = null;
  return async ({ event, data }) => {
    const body = parseExact(data, printable);
    if (event === "unavailable") {
      shown = null;
      return await draw(null, (body as { readonly message: string }).message);
    }
    const news = body as State;
    const before: State | null = event === "rates" ? shown : null;
    shown = before === null ? news : merged(before, news);
    return await draw(shown, "");
  };
}

/** Applies an event with changes to the state, by the rules of docs/streaming.md. */
function merged(state: State, news: State): State {
  const isKept = (code: string) => !(code in news.rates);
  const simulated = Object.entries(state.simulated ?? {}).filter(([code]) => isKept(code));
  return {
    ...news,
    rates: { ...state.rates, ...news.rates },
    sources: { ...state.sources, ...news.sources },
    effective_at: { ...state.effective_at, ...news.effective_at },
    stale: { ...state.stale, ...news.stale },
    derived_symbols: [...state.derived_symbols.filter(isKept), ...news.derived_symbols],
    simulated: { ...Object.fromEntries(simulated), ...news.simulated },
    notice: state.notice,
  };
}

const COLUMNS = [
  { head: "currency" },
  { head: "rate", align: "point" },
  { head: "" },
  { head: "source" },
  { head: "observed (UTC)", optional: true },
  { head: "" },
] as const;

const TOO_MANY = "… the window has no room for more: name fewer currencies, or make it higher";
/** A sign as wide as an arrow: the table does not shift. */
const UNMOVED = "·";
const ERASE_LINE = "\x1b[K";
const ERASE_BELOW = "\x1b[J";

/** The returned function shows a state, or null with the reason; it resolves with false when the reader has left. */
function drawing(terminal: Terminal, url: string) {
  let drawn = 0;
  let before: Readonly<Record<string, ExactNumber>> = {};
  return async (state: State | null, reason: string): Promise<boolean> => {
    const { screen } = terminal;
    const all =
      state === null
        ? [coloured(screen, "yellow", reason)]
        : [
            `${coloured(screen, "bold", `1 ${state.base}`)}, ${shownInstant(state.timestamp)} UTC, market ${state.market_session}, ${url}`,
            "",
            ...tableOf(screen, COLUMNS, rowsOf(state, before)).lines,
            "",
            ...noticeLines(screen, state.notice),
          ];
    before = state?.rates ?? {};
    // The cursor cannot go back to lines that have left the window.
    const lines = all.length < screen.lines ? all : [...all.slice(0, screen.lines - 2), TOO_MANY];
    const up = drawn === 0 ? "" : `\x1b[${drawn}A`;
    drawn = lines.length;
    return await terminal.write(
      `${up}${lines.map((line) => `${line}${ERASE_LINE}\n`).join("")}${ERASE_BELOW}`,
    );
  };
}

function rowsOf(
  state: State,
  before: Readonly<Record<string, ExactNumber>>,
): readonly (readonly (string | Cell)[])[] {
  return Object.entries(state.rates).map(([code, { rawJSON: text }]): readonly (string | Cell)[] => {
    const moved = Number(text) - Number(before[code]?.rawJSON ?? text);
    const colour = moved > 0 ? "green" : "red";
    return [
      { text: code, colour: "bold" },
      moved === 0 ? text : { text, colour },
      moved === 0 ? UNMOVED : { text: moved > 0 ? "▲" : "▼", colour },
      state.sources[code] ?? "",
      shownInstant(state.effective_at[code] ?? ""),
      marksOf(state, code),
    ];
  });
}

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

interface Parts {
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly lost: (line: string) => void;
}

/** The server sends a comment after 15 seconds without an event: three missing comments are a broken connection. */
const SILENCE_MILLISECONDS = 45_000;
const FIRST_WAIT_SECONDS = 3;
const LONGEST_WAIT_SECONDS = 60;

/**
 * Yields until the signal is aborted. Throws Refusal when another attempt would not help, and Unreachable when the first
 * connection fails; a later one is tried again, with growing waits up to a minute.
 */
export async function* eventsOf(
  client: Client,
  path: string,
  query: Query,
  { signal, clock, lost }: Parts,
): AsyncGenerator<ServerEvent> {
  let lastId: string | undefined;
  let wait = FIRST_WAIT_SECONDS;
  let hasConnected = false;
  for (;;) {
    let ended = "the server ended the stream";
    try {
      const resumed = lastId === undefined ? {} : { "last-event-id": lastId };
      const headers = { accept: "text/event-stream", ...resumed };
      const response = await client.open(path, { query, headers, waits: false });
      hasConnected = true;
      // A quiet stream may send no event that would reset the wait.
      wait = FIRST_WAIT_SECONDS;
      for await (const block of blocksOf(response, signal)) {
        const lines = Array.from(block.matchAll(/^(\w+): ?(.*)$/gm), ([, name = "", value]) => [name, value]);
        const { event = "message", data = "", id, retry } = Object.fromEntries(lines);
        lastId = id ?? lastId;
        wait = Number(retry) / 1000 || FIRST_WAIT_SECONDS;
        if (data !== "") yield { event, data };
      }
    } catch (fault) {
      signal.throwIfAborted();
      const isPassing = !(fault instanceof Refusal) || fault.status === 429 || fault.status >= 500;
      if (!hasConnected || !isPassing) throw fault;
      ended = fault instanceof Error ? fault.message : String(fault);
      if (fault instanceof Refusal) wait = Math.max(wait, fault.retryAfterSeconds ?? 0);
    }
    lost(`${ended}; connecting again in ${wait} s`);
    await clock.sleep(wait * 1000, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_SECONDS);
  }
}

/** The events of one connection, each as its lines. Ends with the body; throws when it breaks off or stays silent for too long. */
async function* blocksOf({ body }: Response, signal: AbortSignal): AsyncGenerator<string> {
  const reader = (body ?? new Blob([]).stream()).getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const silence = Promise.withResolvers<never>();
      const fault = new Unreachable("", "nothing came for 45 seconds");
      const timer = setTimeout(() => silence.reject(fault), SILENCE_MILLISECONDS);
      const { value } = await Promise.race([reader.read(), silence.promise]).finally(() =>
        clearTimeout(timer),
      );
      signal.throwIfAborted();
      if (value === undefined) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split("\n\n");
      text = blocks.pop() ?? "";
      yield* blocks;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
