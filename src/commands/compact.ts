/** `crossrate compact`: what the nightly jobs do to the intraday archive, now, for all closed dates or some of them. */

import { formatDay, parseDay } from "#domain/day.ts";
import { type Command, UsageFault } from "./command.ts";
import { type Flag, helpOf, readFlags, usageOf } from "./flags.ts";
import { openReal } from "./opened.ts";
import { printedBytes, printedCount } from "./printed.ts";

const DAY = {
  shown: "YYYY-MM-DD",
  allowed: "a calendar day, YYYY-MM-DD,",
  accepts: (text: string) => parseDay(text) !== null,
};
const FLAGS: readonly Flag<"--from" | "--to">[] = [
  { name: "--from", ...DAY, meaning: "first date (the oldest one)" },
  { name: "--to", ...DAY, meaning: "last date (yesterday, UTC)" },
];

/** Labels of the progress bar, by pass. */
const PASSES = ["compacting", "giving room back", "giving room back, second pass"] as const;

export const compactCommand: Command = {
  name: "compact",
  summary: "rewrite the closed dates of the intraday archive as small, sorted files",
  usage: usageOf(FLAGS),
  help: `${helpOf(FLAGS)}

A running server does this each night for the last five weeks; by hand it is for older dates, after an upgrade, or where
no server runs. Both days are inclusive; without them every closed date (UTC) is looked at. What a server that died
left in its journal is brought into the files first, and dates older than INTRADAY_DAYS are removed, where it is set;
beside a running server both are left to it. Safe to interrupt, to repeat, and while others read the files.

  crossrate compact
  crossrate compact --from 2026-10-01 --to 2026-10-31`,
  async run(context) {
    const value = readFlags(context.words, FLAGS);
    const from = dayOr(value("--from"), Number.NEGATIVE_INFINITY);
    const to = dayOr(value("--to"), Number.POSITIVE_INFINITY);
    if (from > to) throw new UsageFault("--from is after --to: a day before it or the same is needed");
    const { terminal } = context;
    const crossrate = await openReal(context);
    try {
      const report = await crossrate.compact({ from, to }, (pass, done, total) =>
        terminal.progress(PASSES[pass - 1] ?? `pass ${pass}`, done, total),
      );
      const { flushed, removed, looked, rewritten } = report;
      if (flushed > 0)
        terminal.print(`${printedCount(flushed)} quotes brought from the journal into the files`);
      terminal.print(sentenceOf(looked, rewritten));
      if (removed === null) terminal.print("INTRADAY_DAYS is seen to by the running server");
      else if (removed.length > 0) {
        terminal.print(
          `${removed.length} dates removed for their age, up to ${formatDay(Math.max(...removed))}`,
        );
      }
      return 0;
    } finally {
      await crossrate.close();
    }
  },
};

interface Rewritten {
  readonly rows: number;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

function sentenceOf(looked: number, rewritten: readonly Rewritten[]): string {
  if (looked === 0) return "there is no closed date to compact";
  const dates = looked === 1 ? "closed date" : "closed dates";
  if (rewritten.length === 0) return `${printedCount(looked)} ${dates}, nothing to rewrite`;
  const sum = (of: (date: Rewritten) => number) => rewritten.reduce((total, date) => total + of(date), 0);
  const [rows, before, after] = [
    sum((date) => date.rows),
    sum((date) => date.bytesBefore),
    sum((date) => date.bytesAfter),
  ];
  return `${printedCount(rewritten.length)} of ${printedCount(looked)} ${dates} rewritten: ${printedCount(rows)} rows, ${printedBytes(before)} → ${printedBytes(after)}`;
}

function dayOr(text: string | undefined, otherwise: number): number {
  return text === undefined ? otherwise : (parseDay(text) ?? otherwise);
}
