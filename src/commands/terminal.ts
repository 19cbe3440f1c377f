/** The terminal: results to standard output, progress and log lines to standard error. */

import { jsonLines, type Tell } from "#telemetry.ts";
import type { Terminal } from "./command.ts";

const BAR_WIDTH = 28;

export interface Streams {
  readonly out: { write(text: string): unknown };
  readonly err: { write(text: string): unknown; readonly isTTY?: boolean };
}

export function openTerminal({ out, err }: Streams): Terminal {
  const inPlace = err.isTTY === true;
  let open = false;
  let lastTenth = -1;
  let lastLabel = "";
  const closeLine = () => {
    if (open) err.write("\n");
    open = false;
  };
  return {
    print(line) {
      closeLine();
      out.write(`${line}\n`);
    },
    complain(line) {
      closeLine();
      err.write(`${line}\n`);
    },
    progress(label, done, total) {
      const share = total <= 0 ? 1 : Math.min(done / total, 1);
      const tenth = Math.floor(share * 10);
      if (!inPlace) {
        if (label === lastLabel && tenth === lastTenth) return;
        err.write(`${label}: ${Math.floor(share * 100)} %\n`);
      } else {
        if (label !== lastLabel) closeLine();
        const filled = Math.round(share * BAR_WIDTH);
        const bar = `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}`;
        err.write(`\r${label.padEnd(34)} ${bar} ${String(Math.floor(share * 100)).padStart(3)} %`);
        open = true;
        if (share === 1) closeLine();
      }
      lastTenth = tenth;
      lastLabel = label;
    },
    tell(level, now): Tell {
      if (level === "silent") return () => {};
      return jsonLines(now, (line) => {
        if (level === "warn" && line.includes('"level":"info"')) return;
        closeLine();
        err.write(`${line}\n`);
      });
    },
  };
}
