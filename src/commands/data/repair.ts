/** `crossrate repair`: moves the damaged files of the lake aside, so that it works without them. */

import { UsageFault } from "#cli/command.ts";
import { printedCount } from "#cli/show/amounts.ts";
import type { Command, CommandContext } from "#commands/command.ts";
import { openReal } from "#commands/open-product.ts";
import { readConfig } from "#config.ts";
import { loadMaintenance, startClock } from "#wiring.ts";

const APPLY = "--yes";

export const repairCommand: Command = {
  name: "repair",
  group: "Look after data",
  summary: "go on without the damaged files of the lake",
  usage: `[${APPLY}]`,
  help: `Without ${APPLY} it only prints what it would do. Restore damaged files from a backup first: a file that matches the
log again needs no repair.

With ${APPLY} damaged files are moved to lake/damaged, and the tables go on without them. Where an older version of the
same partition is intact it takes their place. Then the history of the sources concerned is collected again. What
authorities no longer publish is lost: superseded values, and when a figure was first retrieved; live quotes of a
damaged day, except those of an older version. Stop the server first.

  crossrate repair
  crossrate repair ${APPLY}`,
  words: { flags: [{ name: APPLY, meaning: "do it" }] },
  async run(context) {
    const { environment, words, terminal } = context;
    const other = words.find((word) => word !== APPLY);
    if (other !== undefined) throw new UsageFault(`there is no ${other}; allowed is ${APPLY}`);
    const apply = words.includes(APPLY);
    const config = readConfig(environment, { LOG_LEVEL: "warn" });
    const now = startClock(config.startAt).now();
    const { steps, collectAgain } = await (await loadMaintenance()).repairLake(config, now, apply);
    if (steps.length === 0) {
      terminal.print("nothing is damaged");
      return 0;
    }
    for (const step of steps) terminal.print(step);
    if (!apply) {
      const sources =
        collectAgain.length === 0 ? "" : `; the history of ${collectAgain.join(" and ")} is collected again`;
      terminal.print(
        `nothing was changed. crossrate repair ${APPLY} moves the damaged files to lake/damaged and goes on without them${sources}`,
      );
      return 1;
    }
    return collectAgain.length === 0 ? 0 : await collectHistories(context, collectAgain);
  },
};

async function collectHistories(context: CommandContext, sources: readonly string[]): Promise<number> {
  const { terminal } = context;
  const crossrate = await openReal(context);
  try {
    const count = () => crossrate.dataset()?.history.observations.count ?? 0;
    const before = count();
    let failures = 0;
    for (const adapter of crossrate.adapters.filter(({ id }) => sources.includes(id))) {
      const state = await crossrate.collector.collect(adapter.id, "history", (stage, done, total) =>
        terminal.progress(
          `${adapter.id} history${stage === "partitions" ? " to the lake" : ""}`,
          done,
          total,
        ),
      );
      if (state.outcome !== "failed") continue;
      failures += 1;
      terminal.complain(`${adapter.id} could not be collected: ${state.detail}; repeat crossrate backfill`);
    }
    terminal.print(
      `${printedCount(count() - before)} observations came back from the authorities; ${printedCount(count())} are in the lake`,
    );
    return failures === 0 ? 0 : 1;
  } finally {
    await crossrate.close();
  }
}
