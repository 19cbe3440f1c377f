/** `crossrate usage`: the plan, the calls of the month, and bars by day. */

import type { AccountResponse, DailyUsageResponse } from "#api/account/account.ts";
import type { Read } from "#api/body.ts";
import type { ExactNumber } from "#domain/net/message.ts";
import { clientOf } from "./client.ts";
import { type CommandContext, EXIT, type Terminal } from "./command.ts";
import { coloured, csvLine, printedCount } from "./show.ts";
import { tableLines } from "./table.ts";

interface Options {
  readonly days?: string;
  readonly json?: true;
  readonly csv?: true;
  readonly url?: string;
}

export async function usage(context: CommandContext, { days, json, csv, url }: Options) {
  const client = await clientOf(context, url);
  const { terminal } = context;
  const question = { as: "session", query: { days: days } } as const;
  const daily = await client.ask<Read<typeof DailyUsageResponse>>("/v1/account/usage/daily", question);
  if (json) await terminal.write(`${daily.text}\n`);
  else if (csv) {
    terminal.print(csvLine(["date", "served", "rate_limited"]));
    for (const { date, served, rate_limited: refused } of daily.content.rows)
      terminal.print(csvLine([date, served.rawJSON, refused.rawJSON]));
  } else {
    const account = await client.ask<Read<typeof AccountResponse>>("/v1/account", { as: "session" });
    printMonth(terminal, account.content);
    printDays(terminal, daily.content);
  }
  return EXIT.done;
}

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

/** A count above zero has at least one stroke. */
function barOf(count: number, most: number, width: number): string {
  if (count === 0) return "";
  const eighths = Math.max(1, Math.round((Math.min(count, most) / most) * width * 8));
  return "█".repeat(Math.floor(eighths / 8)) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
}

const countOf = ({ rawJSON: text }: ExactNumber) => Number(text);
