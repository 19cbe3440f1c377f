/** `crossrate stream`: the latest rates as they change, redrawn in place on a terminal, otherwise one line an event. */

import type { Read } from "#api/body.ts";
import type { LatestResponse } from "#api/rates/latest.ts";
import { clientOf } from "#cli/ask/client.ts";
import { readDigits } from "#cli/ask/digits.ts";
import { eventsOf, type ServerEvent } from "#cli/ask/events.ts";
import { type Command, type CommandContext, EXIT } from "#cli/command.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import { baseAndSymbols, DP_FLAG, URL_FLAG } from "#cli/words/rate-words.ts";
import { drawing } from "./stream-screen.ts";

const FLAGS = [
  { name: "--json", meaning: "print a line an event, also on a terminal" },
  DP_FLAG,
  URL_FLAG,
] as const;

export const streamCommand: Command = {
  name: "stream",
  group: "Ask a server",
  summary: "the newest rates as they change",
  usage: "[BASE] [SYMBOLS] [options]",
  help: `On a terminal the table of crossrate latest is redrawn in place, and what has changed is marked. Piped, each event is a
line of JSON, the server's body with "event" in front: snapshot, rates (what has changed), unavailable.
A connection that ends is made again and continues where it stood. Ctrl-C ends it.

${helpOf(FLAGS)}

  crossrate stream
  crossrate stream USD EUR,JPY
  crossrate stream EUR USD | while read -r event; do echo "$event"; done`,
  words: { flags: FLAGS, operands: "currencies" },
  async run(context) {
    const { operands, flag, has } = readWords(context.words, FLAGS, 40);
    const { base, symbols } = baseAndSymbols(operands);
    const client = await clientOf(context, flag("--url"));
    const query = { base, symbols: symbols === "*" ? undefined : symbols, dp: flag("--dp") };
    const { terminal, signal, clock } = context;
    const isDrawn = terminal.screen.isTerminal && !has("--json");
    const show = isDrawn ? onScreen(context, client.server.url) : lines(context);
    const lost = isDrawn ? terminal.note : terminal.complain;
    for await (const event of eventsOf(client, "/v1/stream", query, { signal, clock, lost })) {
      if (!(await show(event))) break;
    }
    return EXIT.done;
  },
};

type Show = (event: ServerEvent) => Promise<boolean>;

/** The body as it was sent, with the kind of the event as its first member. */
function lines({ terminal }: CommandContext): Show {
  return ({ event, data }) => terminal.write(`{"event":${JSON.stringify(event)},${data.slice(1)}\n`);
}

function onScreen({ terminal }: CommandContext, url: string): Show {
  const { draw } = drawing(terminal, url);
  let shown: Read<typeof LatestResponse> | null = null;
  return async ({ event, data }) => {
    const body = readDigits(data);
    if (event === "unavailable") {
      shown = null;
      await draw(null, (body as { readonly message: string }).message);
      return true;
    }
    const news = body as Read<typeof LatestResponse>;
    const before: Read<typeof LatestResponse> | null = event === "rates" ? shown : null;
    shown = before === null ? news : merged(before, news);
    return await draw(shown, null);
  };
}

/** What the rules of docs/streaming.md make of the state and an event with changes. */
function merged(
  state: Read<typeof LatestResponse>,
  news: Read<typeof LatestResponse>,
): Read<typeof LatestResponse> {
  const changed = Object.keys(news.rates);
  const kept = state.derived_symbols.filter((code) => !changed.includes(code));
  return {
    ...news,
    rates: { ...state.rates, ...news.rates },
    sources: { ...state.sources, ...news.sources },
    effective_at: { ...state.effective_at, ...news.effective_at },
    stale: { ...state.stale, ...news.stale },
    derived_symbols: [...kept, ...news.derived_symbols],
    notice: state.notice,
  };
}
