/** The terminal: results to standard output, progress and log lines to standard error. */

import { logLines } from "#telemetry/log-lines.ts";
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
    emit(level, now) {
      if (level === "silent") return () => {};
      const write = (line: string) => {
        closeLine();
        err.write(`${line}\n`);
      };
      return logLines({ level, now, write });
    },
  };
}

/** `1,234,567`. */
export function printedCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `812 bytes`, `4.1 kB`, `12.0 MB`: thousands of bytes, one decimal. */
export function printedBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  // What would print as 1000.0 belongs to the next unit.
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}
