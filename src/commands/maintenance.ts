/** `crossrate compact` runs the lake's nightly maintenance now; `crossrate repair` moves its damaged files aside. */

import type { CommandContext } from "#cli/command.ts";
import { printedBytes, printedCount } from "#cli/show.ts";
import { loadInspection } from "#compose.ts";
import { formatDay } from "#domain/time/day.ts";
import { QUIET, settingsOf, withProduct } from "./open-product.ts";

export async function compact(context: CommandContext) {
  const { terminal } = context;
  return await withProduct(context, async (crossrate) => {
    const { flushed, removed, swept } = await crossrate.compact();
    if (flushed > 0)
      terminal.print(`${printedCount(flushed)} quotes brought from the journal into the table`);
    terminal.print(
      swept.files === 0
        ? "no old files of quotes to remove"
        : `${printedCount(swept.files)} old files of quotes removed: ${printedBytes(swept.bytes)}`,
    );
    if (removed === null) terminal.print("INTRADAY_DAYS is seen to by the running server");
    else if (removed.length > 0) {
      terminal.print(
        `${removed.length} dates removed for their age, up to ${formatDay(Math.max(...removed))}`,
      );
    }
  });
}

export async function repair(context: CommandContext, { yes = false }: { readonly yes?: boolean }) {
  const { terminal } = context;
  const { config, clock } = settingsOf(context, QUIET);
  const { steps, collectAgain } = await (await loadInspection()).repairLake(config, clock.now(), yes);
  if (steps.length === 0) {
    terminal.print("nothing is damaged");
    return 0;
  }
  for (const step of steps) terminal.print(step);
  if (!yes) {
    const sources =
      collectAgain.length === 0 ? "" : `; the history of ${collectAgain.join(" and ")} is collected again`;
    terminal.print(
      `nothing was changed. crossrate repair --yes moves the damaged files to lake/damaged and goes on without them${sources}`,
    );
    return 1;
  }
  return collectAgain.length === 0 ? 0 : await collectHistories(context, collectAgain);
}

async function collectHistories(context: CommandContext, sources: readonly string[]): Promise<number> {
  const { terminal } = context;
  return await withProduct(context, async (crossrate) => {
    const count = () => crossrate.dataset()?.history.observations.count ?? 0;
    const before = count();
    let failures = 0;
    for (const adapter of crossrate.adapters.filter(({ id }) => sources.includes(id))) {
      const state = await crossrate.collector.collect(adapter.id, "history", (done, total) =>
        terminal.progress(`${adapter.id} history`, done, total),
      );
      if (state.outcome !== "failed") continue;
      failures += 1;
      terminal.complain(`${adapter.id} could not be collected: ${state.detail}; repeat crossrate backfill`);
    }
    terminal.print(
      `${printedCount(count() - before)} observations came back from the authorities; ${printedCount(count())} are in the lake`,
    );
    return failures === 0 ? 0 : 1;
  });
}
