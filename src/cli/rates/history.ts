/** `crossrate latest` and `crossrate history`: the rates on one base, now or on a past day, optionally as known at an instant. */

import type { Read } from "#api/body.ts";
import type { HistoricalResponse } from "#api/rates/historical.ts";
import type { LatestResponse } from "#api/rates/latest.ts";
import { clientOf } from "#cli/ask/client.ts";
import { type Command, type CommandContext, EXIT, UsageFault } from "#cli/command.ts";
import { coloured } from "#cli/show/style.ts";
import { shownInstant } from "#cli/show/times.ts";
import { choiceFlag, helpOf, readWords } from "#cli/words/flags.ts";
import {
  baseAndSymbols,
  CSV_FLAG,
  DP_FLAG,
  instantFlag,
  isDay,
  JSON_FLAG,
  URL_FLAG,
} from "#cli/words/rate-words.ts";
import { AS_OF_BASES } from "#domain/history/known.ts";
import { noticeLines, printRatesCsv, type RatesBody, rateTable } from "./rate-table.ts";

const LATEST_FLAGS = [DP_FLAG, JSON_FLAG, CSV_FLAG, URL_FLAG] as const;
const HISTORY_FLAGS = [
  instantFlag("--as-of", "what was known then"),
  choiceFlag("--as-of-basis", AS_OF_BASES, "known to the world, or to that server (published)"),
  ...LATEST_FLAGS,
] as const;

export const latestCommand: Command = {
  name: "latest",
  group: "Ask a server",
  summary: "the newest rates, with source and age",
  usage: "[BASE] [SYMBOLS] [options]",
  help: `Rates are units of each currency for one unit of BASE, which is USD unless it is named. SYMBOLS are codes with commas or
blanks between them; without them every currency is shown. derived: through a third currency. stale: a newer
figure was due and is not there.

${helpOf(LATEST_FLAGS)}

  crossrate latest
  crossrate latest EUR
  crossrate latest USD EUR,JPY
  crossrate latest USD EUR --json`,
  words: { flags: LATEST_FLAGS, operands: "currencies" },
  async run(context) {
    const { operands, flag, has } = readWords(context.words, LATEST_FLAGS, 40);
    const { base, symbols } = baseAndSymbols(operands);
    const client = await clientOf(context, flag("--url"));
    const query = { base, symbols: symbols === "*" ? undefined : symbols, dp: flag("--dp") };
    const { text, content } = await client.ask<Read<typeof LatestResponse>>("/v1/latest", { query });
    const served = `served ${shownInstant(content.timestamp)} UTC, market ${content.market_session}`;
    await printRates(context, has, { text, content, date: null, head: `, ${served}` });
    return EXIT.done;
  },
};

export const historyCommand: Command = {
  name: "history",
  group: "Ask a server",
  summary: "the rates of a past day",
  usage: "YYYY-MM-DD [BASE] [SYMBOLS] [options]",
  help: `The day is a calendar day in UTC, from 1999-01-04 on. On a day without a publication the last one before it is shown and
said so. How far back a caller may ask depends on the plan: without a key 30 days.

${helpOf(HISTORY_FLAGS)}

  crossrate history 2024-03-01
  crossrate history 2024-03-01 EUR CHF,GBP
  crossrate history 2024-12-23 EUR USD --as-of 2024-12-23T18:00:00Z`,
  words: { flags: HISTORY_FLAGS, operands: "currencies" },
  async run(context) {
    const { operands, flag, has } = readWords(context.words, HISTORY_FLAGS, 40);
    const [date, ...rest] = operands;
    if (date === undefined || !isDay(date))
      throw new UsageFault(`${date ?? "the day is missing"}: name a calendar day first, YYYY-MM-DD`);
    const { base, symbols } = baseAndSymbols(rest);
    const client = await clientOf(context, flag("--url"));
    const query = {
      base,
      symbols: symbols === "*" ? undefined : symbols,
      dp: flag("--dp"),
      as_of: flag("--as-of"),
      as_of_basis: flag("--as-of-basis"),
    };
    const { text, content } = await client.ask<Read<typeof HistoricalResponse>>(`/v1/${date}`, { query });
    const filled = content.is_forward_filled ? ", filled from the last publication before it" : "";
    const reconstructed = content.as_of_reconstructed === true ? " (reconstructed)" : "";
    const known = content.as_of === undefined ? "" : `, known on ${content.as_of}${reconstructed}`;
    await printRates(context, has, { text, content, date, head: ` on ${content.date}${filled}${known}` });
    return EXIT.done;
  },
};

interface Shown {
  readonly text: string;
  readonly content: RatesBody;
  /** Null for the latest rates. */
  readonly date: string | null;
  /** Follows `1 USD` above the table. */
  readonly head: string;
}

/** The answer as JSON, as CSV, or as a table under its head. */
async function printRates(
  { terminal }: CommandContext,
  has: (flag: "--json" | "--csv") => boolean,
  { text, content, date, head }: Shown,
): Promise<void> {
  const { screen } = terminal;
  if (has("--json")) {
    await terminal.write(`${text}\n`);
    return;
  }
  if (has("--csv")) return printRatesCsv(terminal, content, date);
  terminal.print(`${coloured(screen, "bold", `1 ${content.base}`)}${head}\n`);
  for (const line of rateTable(screen, content, date !== null)) terminal.print(line);
  terminal.print("");
  for (const line of noticeLines(screen, content.notice)) terminal.print(line);
}
