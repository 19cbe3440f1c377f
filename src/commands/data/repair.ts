/** `crossrate verify` and `crossrate repair`: reads the files of the lake for damage, and goes on without damaged ones. */

import { UsageFault } from "#cli/command.ts";
import { printedCount } from "#cli/show/amounts.ts";
import type { Command, CommandContext } from "#commands/command.ts";
import { openReal } from "#commands/open-product.ts";
import { readConfig } from "#config.ts";
import { repairLake, startClock, verifyLake } from "#wiring.ts";

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
    const { steps, collectAgain } = await repairLake(config, now, apply);
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

const LAKE = "--lake";

export const verifyCommand: Command = {
  name: "verify",
  group: "Look after data",
  summary: "read every file of the lake and say which are damaged",
  usage: `[${LAKE}]`,
  help: `Each data file has its size and SHA-256 in the log of its table, and each entry of a log has its own. All of them are
read and compared. Nothing is changed, and a running server need not be stopped; it does the same once a day.
Exit code 1 when something is damaged: crossrate repair says how to go on.

  crossrate verify
  crossrate verify ${LAKE}`,
  words: { flags: [{ name: LAKE, meaning: "the lake, as without it" }] },
  async run({ environment, words, terminal }) {
    const other = words.find((word) => word !== LAKE);
    if (other !== undefined) throw new UsageFault(`there is no ${other}; allowed is ${LAKE}`);
    const config = readConfig(environment, { LOG_LEVEL: "warn" });
    const reports = await verifyLake(config, (table, done, total) =>
      terminal.progress(`reading ${table}`, done, total),
    );
    if (reports.length === 0) terminal.print(`there is no lake in ${config.dataDir}`);
    for (const { table, version, files, rows, faults } of reports) {
      const facts =
        version === null
          ? "its log cannot be read"
          : `version ${version}, ${printedCount(files)} files, ${printedCount(rows)} rows`;
      terminal.print(`${table.padEnd(10)} ${facts}${faults.length === 0 ? ", intact" : ""}`);
      for (const fault of faults) terminal.print(`    ${fault}`);
    }
    const faults = reports.reduce((sum, report) => sum + report.faults.length, 0);
    if (faults === 0) return 0;
    terminal.complain(
      `${printedCount(faults)} ${faults === 1 ? "fault" : "faults"}; crossrate repair says how to go on`,
    );
    return 1;
  },
};
