/** `crossrate history`: the rates of one day, as they are or as they were known at an instant. */

import { clientOf } from "#cli/ask/client.ts";
import { type Command, EXIT, UsageFault } from "#cli/command.ts";
import { coloured } from "#cli/show/style.ts";
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
import type { Read } from "#contract/body.ts";
import type { HistoricalResponse } from "#contract/rates/historical.ts";
import { AS_OF_BASES } from "#domain/point-in-time/known.ts";
import { noticeLines, printRatesCsv, rateTable } from "./rate-table.ts";

const FLAGS = [
  instantFlag("--as-of", "what was known then"),
  choiceFlag("--as-of-basis", AS_OF_BASES, "known to the world, or to that server (published)"),
  DP_FLAG,
  JSON_FLAG,
  CSV_FLAG,
  URL_FLAG,
] as const;

export const historyCommand: Command = {
  name: "history",
  group: "Ask a server",
  summary: "the rates of a past day",
  usage: "YYYY-MM-DD [BASE] [SYMBOLS] [options]",
  help: `The day is a calendar day in UTC, from 1999-01-04 on. On a day without a publication the last one before it is shown and
said so. How far back a caller may ask depends on the plan: without a key 30 days.

${helpOf(FLAGS)}

  crossrate history 2024-03-01
  crossrate history 2024-03-01 EUR CHF,GBP
  crossrate history 2024-12-23 EUR USD --as-of 2024-12-23T18:00:00Z`,
  words: { flags: FLAGS, operands: "currencies" },
  async run(context) {
    const { operands, flag, has } = readWords(context.words, FLAGS, 40);
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
    const { terminal } = context;
    const { screen } = terminal;
    if (has("--json")) await terminal.write(`${text}\n`);
    else if (has("--csv")) printRatesCsv(terminal, content, date);
    else {
      const filled = content.is_forward_filled ? ", filled from the last publication before it" : "";
      const known =
        content.as_of === undefined
          ? ""
          : `, known on ${content.as_of}${content.as_of_reconstructed === true ? " (reconstructed)" : ""}`;
      terminal.print(
        `${coloured(screen, "bold", `1 ${content.base}`)} on ${content.date}${filled}${known}\n`,
      );
      for (const line of rateTable(screen, content, true)) terminal.print(line);
      terminal.print("");
      for (const line of noticeLines(screen, content.notice)) terminal.print(line);
    }
    return EXIT.done;
  },
};
