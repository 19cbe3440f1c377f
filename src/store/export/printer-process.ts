/**
 * A printer in a process of its own: the server never loads DuckDB for exports, its memory goes back to the system when the process
 * ends, and where there is not enough of it, an export fails and the server stays.
 */

import { fileURLToPath } from "node:url";
import { PROCESS_ENVIRONMENT, reported } from "#store/parquet/duckdb-process.ts";
import type { Printer, PrinterOptions } from "./printer.ts";
import type { FromPrinter, PrinterRequest, ToPrinter } from "./printer-messages.ts";

interface Running {
  readonly child: Bun.Subprocess;
  readonly waiting: Map<number, PromiseWithResolvers<void>>;
}

/** Sends nothing to a process that has just ended: `onExit` reports the end to the caller that waits for its answer. */
function send({ child }: Running, message: ToPrinter): void {
  try {
    child.send(message);
  } catch {
    // The channel is closed, and the end of the process not reported yet.
  }
}

/** Nothing is started before the first use. `lost` is called when the process has ended and was not closed: its tables are gone. */
export function openPrinterProcess(
  options: PrinterOptions,
  lost: () => void,
): Printer & { pid(): number | null } {
  let running: Running | null = null;
  let last = 0;

  const start = (): Running => {
    const waiting: Running["waiting"] = new Map();
    const child = Bun.spawn(
      [process.execPath, "--no-env-file", fileURLToPath(new URL("./printer-child.ts", import.meta.url))],
      {
        env: PROCESS_ENVIRONMENT,
        stdio: ["ignore", "ignore", "inherit"],
        ipc: ({ number, error }: FromPrinter) => {
          const answered = waiting.get(number);
          waiting.delete(number);
          if (error === null) answered?.resolve();
          else answered?.reject(new Error(error));
        },
        onExit: (_, code, signal) => {
          const fault = new Error(
            `the process that makes exports has ended (${signal ?? `exit code ${code}`})`,
          );
          for (const { reject } of waiting.values()) reject(fault);
          waiting.clear();
          if (running !== started) return;
          running = null;
          lost();
        },
      },
    );
    // A server that is about to end does not wait for it.
    child.unref();
    const started: Running = { child, waiting };
    return started;
  };
  const requestOf = (to: Running, request: PrinterRequest): { number: number; answer: Promise<void> } => {
    last += 1;
    const answer = Promise.withResolvers<void>();
    if (to !== running) answer.reject(new Error("the process that makes exports has ended"));
    else {
      to.waiting.set(last, answer);
      send(to, { number: last, request });
    }
    return { number: last, answer: answer.promise };
  };
  const open = (): Running => {
    if (running !== null) return running;
    running = start();
    // What comes next fails where this does.
    requestOf(running, { kind: "open", options }).answer.catch(() => {});
    return running;
  };
  return {
    pid: () => running?.child.pid ?? null,
    createTable: async (table, statement) => {
      const to = open();
      /** The answer to what was sent last; a fault of it is the next call's. */
      let before = requestOf(to, { kind: "create", table, statement }).answer;
      before.catch(() => {});
      let isFirst = true;
      return {
        // One block is under way while the next one is made.
        append: async (columns, count) => {
          // The first block follows the creation at once.
          if (!isFirst) await before;
          isFirst = false;
          // A part of an array would be sent with all of its buffer.
          const whole = columns.map((column) => (column.length === count ? column : column.slice(0, count)));
          before = requestOf(to, { kind: "append", table, columns: whole, count }).answer;
          before.catch(() => {});
        },
        end: async () => {
          await Promise.all([before, requestOf(to, { kind: "end", table }).answer]);
        },
      };
    },
    print: async (job, signal) => {
      signal.throwIfAborted();
      const to = open();
      const { number, answer } = requestOf(to, { kind: "print", job });
      const interrupt = () => {
        if (to.waiting.has(number)) send(to, { interrupt: number });
      };
      signal.addEventListener("abort", interrupt);
      try {
        await reported(answer);
      } finally {
        signal.removeEventListener("abort", interrupt);
      }
    },
    drop: async (table) => {
      if (running !== null) await requestOf(running, { kind: "drop", table }).answer;
    },
    close: async () => {
      const closing = running;
      running = null;
      if (closing === null) return;
      // It has nothing to finish: files under way have no reader.
      closing.child.kill("SIGKILL");
      await closing.child.exited;
    },
  };
}
