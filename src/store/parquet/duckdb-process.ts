/**
 * DuckDB in a process of its own: a server that only answers never loads it, and its memory goes back to the system when the process
 * ends. Without enough memory an export fails, and the server stays.
 */

import { getPriority, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { DuckDb, DuckDbOptions } from "./duckdb.ts";
import { endingWhenIdle } from "./idle.ts";

/** Each call is answered once, by its number; an interruption is not. */
export type ToChild =
  | { readonly number: number; readonly method: Exclude<keyof DuckDb, "close">; readonly values: unknown[] }
  | { readonly interrupt: number };

export type FromChild =
  | { readonly number: number; readonly error: null; readonly value: unknown }
  | { readonly number: number; readonly error: string };

/** Added to the niceness of the server: on a busy machine an export takes longer, and short answers do not wait for it. */
const EXPORT_NICENESS = 5;

/** The process gets no secrets, from the server's environment or `.env`. Two long statements must not fill the runtime's thread pool. */
export const PROCESS_ENVIRONMENT = { UV_THREADPOOL_SIZE: "16", BUN_OPTIONS: "--env-file=/dev/null" };

/** First word of the single binary's command line that makes it such a process: it has no file to start one from. */
export const PROCESS_WORD = "duckdb-process";

interface Running {
  readonly child: Bun.Subprocess;
  readonly waiting: Map<number, PromiseWithResolvers<unknown>>;
}

/** Starts a process with the first use, also after its end. `lost` is called when it ended without `close`: its tables are gone. */
export function openDuckDbProcess(
  options: DuckDbOptions,
  lost: () => void,
  niceness = EXPORT_NICENESS,
): DuckDb & { pid(): number | null } {
  let running: Running | null = null;
  let last = 0;
  let end = new Error("the process that runs DuckDB was closed");

  const start = (): Running => {
    const waiting: Running["waiting"] = new Map();
    const { command, env } = ofProgram();
    const child = Bun.spawn([...command, JSON.stringify(options)], {
      env: { ...PROCESS_ENVIRONMENT, ...env },
      stdio: ["ignore", "ignore", "inherit"],
      ipc: (answer: FromChild) => {
        const asked = waiting.get(answer.number);
        waiting.delete(answer.number);
        if (answer.error === null) asked?.resolve(answer.value);
        else asked?.reject(new Error(answer.error));
      },
      onExit: (_, code, signal) => {
        const fault = new Error(`the process that runs DuckDB has ended (${signal ?? `exit code ${code}`})`);
        for (const { reject } of waiting.values()) reject(fault);
        waiting.clear();
        if (running !== started) return;
        [running, end] = [null, fault];
        lost();
      },
    });
    setPriority(child.pid, Math.min(19, getPriority() + niceness));
    // A server that is about to end does not wait for the process.
    child.unref();
    const started: Running = { child, waiting };
    return started;
  };
  /** Sends nothing to a process that has just ended: `onExit` reports the end to the caller that waits for its answer. */
  const send = ({ child }: Running, message: ToChild): void => {
    try {
      child.send(message);
    } catch {
      // The channel is closed, and `onExit` has not been called yet.
    }
  };
  const call = async <Method extends Exclude<keyof DuckDb, "close">>(
    method: Method,
    values: unknown[],
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<DuckDb[Method]>>> => {
    signal?.throwIfAborted();
    running ??= start();
    const [to, number] = [running, ++last];
    const answer = Promise.withResolvers<unknown>();
    to.waiting.set(number, answer);
    send(to, { number, method, values });
    const interrupt = () => {
      if (to.waiting.has(number)) send(to, { interrupt: number });
    };
    signal?.addEventListener("abort", interrupt);
    try {
      return (await answer.promise) as Awaited<ReturnType<DuckDb[Method]>>;
    } finally {
      signal?.removeEventListener("abort", interrupt);
    }
  };
  return {
    pid: () => running?.child.pid ?? null,
    run: (statement, signal) => call("run", [statement], signal),
    append: async (table, columns, count) => {
      if (running === null) throw end;
      // A view of an array would be sent with its whole buffer.
      const whole = columns.map((column) => (column.length === count ? column : column.slice(0, count)));
      await call("append", [table, whole, count]);
    },
    finish: async (table) => {
      if (running === null) throw end;
      await call("finish", [table]);
    },
    drop: async (table) => {
      if (running !== null) await call("drop", [table]);
    },
    arrow: (select, path, metadata, signal) => call("arrow", [select, path, metadata], signal),
    workbook: (select, path, about, signal) => call("workbook", [select, path, about], signal),
    columns: (select) => call("columns", [select]),
    close: async () => {
      const closing = running;
      running = null;
      if (closing === null) return;
      // The process has nothing to finish: no caller reads what it was printing.
      closing.child.kill("SIGKILL");
      await closing.child.exited;
    },
  };
}

function ofProgram(): { readonly command: readonly string[]; readonly env: NodeJS.Dict<string> } {
  if (Bun.isStandaloneExecutable) {
    // They say where DuckDB's library is unpacked.
    const { HOME, XDG_CACHE_HOME, TMPDIR } = process.env;
    return { command: [process.execPath, PROCESS_WORD], env: { HOME, XDG_CACHE_HOME, TMPDIR } };
  }
  const script = fileURLToPath(new URL("./duckdb-child.ts", import.meta.url));
  return { command: [process.execPath, script], env: {} };
}

/** What the server asks of the archive's files. */
export type ColumnReader = Pick<DuckDb, "columns">;

/** Reads the files of a folder in a process that ends when it is idle: a server that only answers never loads DuckDB. */
export function openReader(directory: string): Pick<DuckDb, "columns" | "close"> {
  const duckdb = openDuckDbProcess({ directories: [directory] }, () => {}, 0);
  const whileBusy = endingWhenIdle(() => void duckdb.close());
  return {
    columns: (select) => whileBusy(() => duckdb.columns(select)),
    close: duckdb.close,
  };
}
