/** `crossrate latest`: the newest rates on a base. */

import { clientOf } from "#cli/ask/client.ts";
import { type Command, EXIT } from "#cli/command.ts";
import { coloured } from "#cli/show/style.ts";
import { shownInstant } from "#cli/show/times.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import { baseAndSymbols, CSV_FLAG, DP_FLAG, JSON_FLAG, URL_FLAG } from "#cli/words/rate-words.ts";
import type { Read } from "#contract/body.ts";
import type { LatestResponse } from "#contract/rates/latest.ts";
import { noticeLines, printRatesCsv, rateTable } from "./rate-table.ts";

const FLAGS = [DP_FLAG, JSON_FLAG, CSV_FLAG, URL_FLAG] as const;

export const latestCommand: Command = {
  name: "latest",
  group: "Ask a server",
  summary: "the newest rates, with source and age",
  usage: "[BASE] [SYMBOLS] [options]",
  help: `Rates are units of each currency for one unit of BASE, which is USD unless it is named. SYMBOLS are codes with commas or
blanks between them; without them every currency is shown. derived: through a third currency. stale: a newer
figure was due and is not there.

${helpOf(FLAGS)}

  crossrate latest
  crossrate latest EUR
  crossrate latest USD EUR,JPY
  crossrate latest USD EUR --json`,
  words: { flags: FLAGS, operands: "currencies" },
  async run(context) {
    const { operands, flag, has } = readWords(context.words, FLAGS, 40);
    const { base, symbols } = baseAndSymbols(operands);
    const client = await clientOf(context, flag("--url"));
    const query = { base, symbols: symbols === "*" ? undefined : symbols, dp: flag("--dp") };
    const { text, content } = await client.ask<Read<typeof LatestResponse>>("/v1/latest", { query });
    const { terminal } = context;
    const { screen } = terminal;
    if (has("--json")) await terminal.write(`${text}\n`);
    else if (has("--csv")) printRatesCsv(terminal, content, null);
    else {
      const served = `served ${shownInstant(content.timestamp)} UTC, market ${content.market_session}`;
      terminal.print(`${coloured(screen, "bold", `1 ${content.base}`)}, ${served}\n`);
      for (const line of rateTable(screen, content)) terminal.print(line);
      terminal.print("");
      for (const line of noticeLines(screen, content.notice)) terminal.print(line);
    }
    return EXIT.done;
  },
};
