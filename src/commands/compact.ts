/** `crossrate compact`: runs the lake's nightly maintenance now: indexes, retention, checkpoints, removal of old versions. */

import { type CommandContext, UsageFault } from "#cli/command.ts";
import { printedBytes, printedCount } from "#cli/show.ts";
import { formatDay, parseDay } from "#domain/time/day.ts";
import { withProduct } from "./open-product.ts";

interface Options {
  readonly from?: string;
  readonly to?: string;
}

export async function compact(context: CommandContext, options: Options) {
  const from = parseDay(options.from ?? "") ?? Number.NEGATIVE_INFINITY;
  const to = parseDay(options.to ?? "") ?? Number.POSITIVE_INFINITY;
  if (from > to) throw new UsageFault("--from is after --to: a day before it or the same is needed");
  const { terminal } = context;
  return await withProduct(context, async (crossrate) => {
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
  });
}
