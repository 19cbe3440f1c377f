/** The line that shows how a download goes: a bar where the size is known, bytes, and bytes a second. */

import type { Clock, Terminal } from "#cli/command.ts";
import { printedBytes } from "./amounts.ts";
import { shownSeconds } from "./times.ts";

const BAR_WIDTH = 24;
/** Between two drawings. */
const PAUSE_MILLISECONDS = 100;

/** `estimate` is the size where the server has said it before; null where it has not. */
export function transferLine(terminal: Terminal, clock: Clock, label: string, estimate: number | null) {
  const startedAt = clock.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  let first: number | null = null;
  return (bytes: number, total: number | null) => {
    const now = clock.now();
    // What an earlier run has brought says nothing of the rate.
    first ??= bytes;
    if (now - drawnAt < PAUSE_MILLISECONDS) return;
    drawnAt = now;
    const rate = (bytes - first) / Math.max(0.1, (now - startedAt) / 1000);
    const size = total ?? estimate;
    const facts = `${printedBytes(bytes)}  ${printedBytes(Math.round(rate))}/s`;
    if (size === null) return terminal.note(`${label}  ${facts}`);
    // An estimate may be exceeded: the last percent means that it is done.
    const share = Math.min(bytes / size, total === null ? 0.99 : 1);
    const left = rate > 0 ? `  ${shownSeconds(Math.ceil(Math.max(0, size - bytes) / rate))} left` : "";
    const filled = Math.round(share * BAR_WIDTH);
    const bar = `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}`;
    terminal.note(`${label}  ${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${facts}${left}`);
  };
}
