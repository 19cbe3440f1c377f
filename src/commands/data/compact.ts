/** `crossrate compact`: runs the nightly maintenance of the lake now: indexes, retention, checkpoints, removal of old versions. */

import { type Flag, UsageFault } from "#cli/command.ts";
import { printedBytes, printedCount } from "#cli/show/amounts.ts";
import { helpOf, usageOf } from "#cli/words/flags.ts";
import type { Command } from "#commands/command.ts";
import { readFlags } from "#commands/flags.ts";
import { openReal } from "#commands/open-product.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";

const DAY = {
  shown: "YYYY-MM-DD",
  allowed: "a calendar day, YYYY-MM-DD,",
  accepts: (text: string) => parseDay(text) !== null,
};
const FLAGS: readonly Flag<"--from" | "--to">[] = [
  { name: "--from", ...DAY, meaning: "first date (the oldest one)" },
  { name: "--to", ...DAY, meaning: "last date (yesterday, UTC)" },
];

export const compactCommand: Command = {
  name: "compact",
  group: "Look after data",
  summary: "index closed dates of quotes, checkpoint the tables, remove versions older than the retention",
  usage: usageOf(FLAGS),
  help: `${helpOf(FLAGS)}

A running server does this each night for the last five weeks; by hand it is for older dates, or where no server runs.
Both days are inclusive; without them every closed date (UTC) gets its index. Quotes that a killed server left in its
journal are written to the table first, and dates older than INTRADAY_DAYS are removed, where it is set; beside a
running server both are left to it. Safe to interrupt, to repeat, and while others read the files.

  crossrate compact
  crossrate compact --from 2026-10-01 --to 2026-10-31`,
  words: { flags: FLAGS },
  async run(context) {
    const value = readFlags(context.words, FLAGS);
    const from = dayOr(value("--from"), Number.NEGATIVE_INFINITY);
    const to = dayOr(value("--to"), Number.POSITIVE_INFINITY);
    if (from > to) throw new UsageFault("--from is after --to: a day before it or the same is needed");
    const { terminal } = context;
    const crossrate = await openReal(context);
    try {
      const report = await crossrate.compact({ from, to }, (done, total) =>
        terminal.progress("indexing", done, total),
      );
      const { flushed, removed, checked, indexed, swept, damaged } = report;
      if (flushed > 0)
        terminal.print(`${printedCount(flushed)} quotes brought from the journal into the table`);
      terminal.print(
        checked === 0
          ? "there is no closed date of quotes"
          : `${printedCount(checked)} closed dates of quotes, ${printedCount(indexed)} of them indexed now`,
      );
      if (swept.files > 0)
        terminal.print(
          `${printedCount(swept.files)} old files of quotes removed: ${printedBytes(swept.bytes)}`,
        );
      if (removed === null) terminal.print("INTRADAY_DAYS is seen to by the running server");
      else if (removed.length > 0) {
        terminal.print(
          `${removed.length} dates removed for their age, up to ${formatDay(Math.max(...removed))}`,
        );
      }
      for (const sentence of damaged)
        terminal.print(`${sentence}: passed over; crossrate repair says how to go on`);
      return 0;
    } finally {
      await crossrate.close();
    }
  },
};

function dayOr(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : (parseDay(text) ?? otherwise);
}
