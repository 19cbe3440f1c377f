/** `crossrate usage`: the plan, the calls of the month, and bars by day. */

import type { AccountResponse, DailyUsageResponse } from "#api/account/account.ts";
import type { Read } from "#api/body.ts";
import { clientOf } from "#cli/ask/client.ts";
import { countOf } from "#cli/ask/digits.ts";
import { type Command, EXIT, type Flag, type Terminal } from "#cli/command.ts";
import { printedCount } from "#cli/show/amounts.ts";
import { csvLine } from "#cli/show/csv.ts";
import { coloured } from "#cli/show/style.ts";
import { tableLines } from "#cli/show/table.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import { CSV_FLAG, JSON_FLAG, URL_FLAG } from "#cli/words/rate-words.ts";

const FLAGS = [
  {
    name: "--days",
    shown: "N",
    allowed: "a whole number of days from 1 to 90",
    accepts: (text) => /^[1-9]\d?$/.test(text) && Number(text) <= 90,
    meaning: "how many days, today included (30)",
  } as const satisfies Flag,
  JSON_FLAG,
  CSV_FLAG,
  URL_FLAG,
] as const;

export const usageCommand: Command = {
  name: "usage",
  group: "Your account",
  summary: "your plan, the calls of the month, and requests by day",
  usage: "[options]",
  help: `Calls of the month count against the plan; a batch counts one a pair. Below it are the requests of each day in UTC
that were answered, and those that a limit refused.

${helpOf(FLAGS)}

  crossrate usage
  crossrate usage --days 7
  crossrate usage --csv`,
  words: { flags: FLAGS },
  async run(context) {
    const { flag, has } = readWords(context.words, FLAGS, 0);
    const client = await clientOf(context, flag("--url"));
    const { terminal } = context;
    const question = { as: "session", query: { days: flag("--days") } } as const;
    const daily = await client.ask<Read<typeof DailyUsageResponse>>("/v1/account/usage/daily", question);
    if (has("--json")) await terminal.write(`${daily.text}\n`);
    else if (has("--csv")) {
      terminal.print(csvLine(["date", "served", "rate_limited"]));
      for (const { date, served, rate_limited: refused } of daily.content.rows)
        terminal.print(csvLine([date, served.text, refused.text]));
    } else {
      const account = await client.ask<Read<typeof AccountResponse>>("/v1/account", { as: "session" });
      printMonth(terminal, account.content);
      printDays(terminal, daily.content);
    }
    return EXIT.done;
  },
};

const BAR_WIDTH = 30;

function printMonth(terminal: Terminal, { org, usage, email }: Read<typeof AccountResponse>): void {
  if (org === null || usage === null) {
    terminal.print("there is no key yet; crossrate login issues one");
    return;
  }
  const [calls, limit] = [countOf(usage.calls_this_month), countOf(usage.limit)];
  const who = email === null ? org.id : email;
  terminal.print(`${who}, plan ${coloured(terminal.screen, "bold", org.tier)}, ${org.status}`);
  const colour = calls >= limit ? "red" : calls >= limit * 0.8 ? "yellow" : "green";
  const shown = coloured(terminal.screen, colour, barOf(calls, limit, BAR_WIDTH).padEnd(BAR_WIDTH, "░"));
  terminal.print(
    `${shown} ${printedCount(calls)} of ${printedCount(limit)} calls, anew on ${usage.resets_on}\n`,
  );
}

function printDays(terminal: Terminal, { rows }: Read<typeof DailyUsageResponse>): void {
  const most = Math.max(1, ...rows.map((row) => countOf(row.served) + countOf(row.rate_limited)));
  const columns = [
    { head: "date" },
    { head: "served", align: "right" },
    { head: "refused", align: "right" },
    { head: "", optional: true },
  ] as const;
  const cells = rows.map(({ date, served, rate_limited: refused }) => [
    date,
    printedCount(countOf(served)),
    { text: printedCount(countOf(refused)), colour: countOf(refused) > 0 ? "yellow" : "dim" } as const,
    { text: barOf(countOf(served), most, BAR_WIDTH), colour: "cyan" } as const,
  ]);
  for (const line of tableLines(terminal.screen, columns, cells)) terminal.print(line);
}

/** Of a whole bar; anything above nothing is a stroke at least. */
function barOf(count: number, most: number, width: number): string {
  if (count === 0) return "";
  const eighths = Math.max(1, Math.round((Math.min(count, most) / most) * width * 8));
  return "█".repeat(Math.floor(eighths / 8)) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
}
