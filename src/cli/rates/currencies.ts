/** `crossrate currencies`: what a server covers. */

import type { Read } from "#api/body.ts";
import type { CurrenciesResponse } from "#api/rates/currencies.ts";
import { clientOf } from "#cli/ask/client.ts";
import { type Command, EXIT } from "#cli/command.ts";
import { csvLine } from "#cli/show/csv.ts";
import { printable } from "#cli/show/style.ts";
import { tableLines } from "#cli/show/table.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import { CSV_FLAG, JSON_FLAG, URL_FLAG } from "#cli/words/rate-words.ts";

const FLAGS = [JSON_FLAG, CSV_FLAG, URL_FLAG] as const;

export const currenciesCommand: Command = {
  name: "currencies",
  group: "Ask a server",
  summary: "the currencies, their sources, and since when there are rates",
  usage: "[options]",
  help: `minor is the number of decimals of an amount (ISO 4217); since is the first day with a rate against the dollar.

${helpOf(FLAGS)}

  crossrate currencies
  crossrate currencies --csv > currencies.csv`,
  words: { flags: FLAGS },
  async run(context) {
    const { flag, has } = readWords(context.words, FLAGS, 0);
    const client = await clientOf(context, flag("--url"));
    const { text, content } = await client.ask<Read<typeof CurrenciesResponse>>("/v1/currencies");
    const { terminal } = context;
    if (has("--json")) {
      await terminal.write(`${text}\n`);
      return EXIT.done;
    }
    const rows = content.currencies.map(({ code, name, minor_units, live, sources, history_start }) => [
      code,
      printable(name),
      minor_units.text,
      live ? "live" : "",
      sources.filter((source) => source !== "live").join(has("--csv") ? " " : ", "),
      history_start ?? "",
    ]);
    const heads = ["code", "name", "minor", "live", "daily sources", "since"];
    if (has("--csv")) for (const row of [heads, ...rows]) terminal.print(csvLine(row));
    else {
      const columns = heads.map((head) => ({ head, align: head === "minor" ? "right" : "left" }) as const);
      for (const line of tableLines(terminal.screen, columns, rows)) terminal.print(line);
      terminal.print(`\n${content.count.text} currencies, ${content.pairs.text} pairs`);
    }
    return EXIT.done;
  },
};
