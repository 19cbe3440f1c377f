/** Writes results to standard output; progress, notes, faults and log lines to standard error. */

import type { Terminal } from "#cli/command.ts";

const BAR_WIDTH = 28;
const CLEAR_LINE = "\r\x1b[K";

/** A process's stream of results or messages. */
export interface Sink {
  write(part: string | Uint8Array, done?: (fault?: Error | null) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

export interface Streams {
  readonly out: Sink;
  readonly err: Sink;
}

export function openTerminal(
  { out, err }: Streams,
  environment: Readonly<Record<string, string | undefined>> = {},
): Terminal {
  const inPlace = err.isTTY === true;
  let open = false;
  let noted = false;
  let lastTenth = -1;
  let lastLabel = "";
  const closeLine = () => {
    if (open) err.write(noted ? CLEAR_LINE : "\n");
    open = false;
    noted = false;
  };
  const isTerminal = out.isTTY === true;
  return {
    screen: {
      isTerminal,
      hasColour: isTerminal && !environment["NO_COLOR"] && environment["TERM"] !== "dumb",
      // A window can change its width at any time.
      get columns() {
        return isTerminal ? (out.columns ?? 80) : Number.POSITIVE_INFINITY;
      },
      get lines() {
        return isTerminal ? (out.rows ?? 24) : Number.POSITIVE_INFINITY;
      },
    },
    print(line) {
      closeLine();
      out.write(`${line}\n`);
    },
    write(part) {
      closeLine();
      return written(out, part);
    },
    complain(line) {
      closeLine();
      err.write(`${line}\n`);
    },
    note(line) {
      if (!inPlace) return;
      if (open && !noted) closeLine();
      err.write(`${CLEAR_LINE}${line}`);
      open = line !== "";
      noted = open;
    },
    progress(label, done, total) {
      const share = total <= 0 ? 1 : Math.min(done / total, 1);
      const tenth = Math.floor(share * 10);
      if (!inPlace) {
        if (label === lastLabel && tenth === lastTenth) return;
        err.write(`${label}: ${Math.floor(share * 100)} %\n`);
      } else {
        if (label !== lastLabel || noted) closeLine();
        err.write(`\r${label.padEnd(34)} ${bar(share)} ${String(Math.floor(share * 100)).padStart(3)} %`);
        open = true;
        if (share === 1) closeLine();
      }
      lastTenth = tenth;
      lastLabel = label;
    },
  };
}

function bar(share: number): string {
  const filled = Math.round(share * BAR_WIDTH);
  return `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}`;
}

/** Resolves with false when the reader has left, as `head` does. */
async function written(out: Sink, part: string | Uint8Array): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    out.write(part, (fault) => {
      if (fault === null || fault === undefined) resolve(true);
      else if ((fault as NodeJS.ErrnoException).code === "EPIPE") resolve(false);
      else reject(fault);
    });
  });
}
