/** `crossrate verify`: reads every file of the lake and says which are not what the log says. */

import { readConfig } from "#config.ts";
import { verifyLake } from "#wiring.ts";
import { type Command, UsageFault } from "./command.ts";
import { printedCount } from "./printed.ts";

const LAKE = "--lake";

export const verifyCommand: Command = {
  name: "verify",
  summary: "read every file of the lake and say which are damaged",
  usage: `[${LAKE}]`,
  help: `Each data file has its size and SHA-256 in the log of its table, and each entry of a log has its own. All of them are
read and compared. Nothing is changed, and a running server need not be stopped; it does the same once a day.
Exit code 1 when something is damaged: crossrate repair says how to go on.

  crossrate verify
  crossrate verify ${LAKE}`,
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
