/** Exports: turn → rows → COPY into a file → read while it grows → cached when it is finished. One file serves all its callers. */

import { rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { diskFullIn, Failure } from "#domain/faults/errors.ts";
import type { ExportRequest, FinishedExport, QuotesPlan } from "#domain/history/rate-columns.ts";
import { newFairQueue } from "#domain/queues/fair-queue.ts";
import type { Exports } from "#ports.ts";
import { sha256Of } from "#store/delta/damage.ts";
import { discard } from "#store/disk/durable.ts";
import { openDuckDb } from "#store/parquet/duckdb.ts";
import { openDuckDbProcess } from "#store/parquet/duckdb-process.ts";
import { endingWhenIdle, type Later } from "#store/parquet/idle.ts";
import { printWorkbook } from "#store/parquet/xlsx.ts";
import type { Emit } from "#telemetry.ts";
import { clearLeftExports, createExportCache, openExportFolder } from "./cache.ts";
import { createRowTables } from "./rows.ts";
import macrosSql from "./sql/macros.sql" with { type: "text" };
import {
  archiveForm,
  barsSelect,
  copyStatement,
  marksOf,
  officialStatement,
  openingOf,
  ratesSelect,
  rowsSelect,
  withMarks,
} from "./statement.ts";
import { type Growing, tail } from "./tail.ts";

export interface ExportsOptions {
  readonly directory: string;
  /** Folders with the Parquet files that archive statements read. */
  readonly sources: readonly string[];
  readonly archiveSelect: (plan: QuotesPlan) => Promise<string>;
  readonly atOnce: number;
  readonly waiting: number;
  readonly threads: number;
  readonly memoryMegabytes: number;
  /** DuckDB runs in a process of its own, which ends when it is idle; else in this one. */
  readonly isOwnProcess: boolean;
  readonly keptBytes: number;
  readonly emit: Emit;
  readonly later?: Later;
}

interface Making extends Growing {
  state: Growing["state"];
  readers: number;
  readonly stop: AbortController;
  /** Resolves when the file is in the cache. */
  readonly finished: Promise<FinishedExport>;
}

const RETRY_AFTER_SECONDS = 5;
/** Somebody has to make room. */
const FULL_RETRY_SECONDS = 60;

const NO_READER = new DOMException("no caller reads the export any more", "AbortError");

/** Removes the files of dead processes at once: no budget counts them. Opens nothing before the first export. */
export function openExports(options: ExportsOptions): Exports {
  clearLeftExports(resolve(options.directory));
  let opened: ReturnType<typeof open> | null = null;
  const open = () => {
    const { folder, lock } = openExportFolder(resolve(options.directory));
    const { threads, memoryMegabytes } = options;
    const directories = [folder, ...options.sources.map((path) => resolve(path))];
    const engine = { directories, threads, memoryMegabytes, definitions: macrosSql, joinsAsWritten: true };
    const duckdb = options.isOwnProcess
      ? openDuckDbProcess(engine, () => tables.clear())
      : openDuckDb(engine);
    const tables = createRowTables(duckdb);
    return { folder, lock, duckdb, tables };
  };
  const turns = newFairQueue({
    atOnce: options.atOnce,
    waiting: options.waiting,
    waitingEach: Math.max(1, Math.ceil(options.waiting / 2)),
    refusal: (atWork, waiting) =>
      new Failure("service_unavailable", {
        reason: `${atWork} exports are being made and ${waiting} wait; try again in ${RETRY_AFTER_SECONDS} seconds`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      }),
  });
  const cache = createExportCache(options.keptBytes);
  const inFlight = new Map<string, Making>();
  /** Also those that lost their readers, whose work may still write into the folder. */
  const unfinished = new Set<Making>();
  let serial = 0;
  const end = () => {
    opened?.tables.clear();
    opened?.duckdb.close().catch((fault: unknown) => {
      options.emit({ kind: "export_failed", identity: "closing DuckDB", error: String(fault) });
    });
  };
  const whileBusy = endingWhenIdle(end, options.later);
  const withDuckDb = <T>(work: (own: ReturnType<typeof open>) => Promise<T>): Promise<T> =>
    whileBusy(() => {
      opened ??= open();
      return work(opened);
    });

  const write = async (request: ExportRequest, path: string, signal: AbortSignal) => {
    const { plan, format, simulated, about = [] } = request;
    // The caller gets its first bytes before the work begins.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    await withDuckDb(async ({ duckdb, tables }) => {
      const rows = plan.kind === "quotes" ? null : await tables.take(plan, signal);
      try {
        const select = await selectOf(request, rows?.table ?? "");
        const metadata = { ...Object.fromEntries(about), ...marksOf(simulated) };
        if (format === "arrow") await duckdb.arrow(select, path, metadata, signal);
        else if (format === "xlsx") await duckdb.workbook(select, path, about, signal);
        else await duckdb.run(copyStatement(select, path, format, plan.kind, metadata), signal);
      } finally {
        rows?.done();
      }
    });
  };

  const selectOf = async ({ plan, format, simulated }: ExportRequest, table: string) => {
    if (plan.kind === "rates") return ratesSelect(plan, rowsSelect(plan, table), format, simulated);
    const select = plan.kind === "bars" ? barsSelect(plan, table) : await options.archiveSelect(plan);
    const form = archiveForm(select, plan, format);
    return format === "csv" || format === "ndjson" ? withMarks(form, simulated) : form;
  };

  /** Lets a later request of this identity start a new file. */
  const forget = ({ identity }: ExportRequest, making: Making) => {
    if (inFlight.get(identity) === making) inFlight.delete(identity);
  };

  const start = (request: ExportRequest, release: () => void): Making => {
    opened ??= open();
    serial += 1;
    const path = `${opened.folder}/${serial}.${request.format}`;
    const stop = new AbortController();
    const began = performance.now();
    const ended = write(request, path, stop.signal).finally(release);
    const finished = ended.then(async () => {
      making.state = "complete";
      const file = { path, bytes: (await stat(path)).size, sha256: await sha256Of(path) };
      cache.put(request.identity, file);
      const milliseconds = Math.round(performance.now() - began);
      const { identity, format } = request;
      options.emit({ kind: "export_made", identity, format, bytes: file.bytes, milliseconds });
      return file;
    });
    const making: Making = {
      path,
      opening: new TextEncoder().encode(openingOf(request)),
      state: "growing",
      readers: 0,
      stop,
      ended,
      finished,
    };
    ended.catch(() => {
      making.state = "failed";
      forget(request, making);
    });
    finished
      .catch(async (fault: unknown) => {
        await rm(path, { force: true });
        if (fault !== NO_READER && !stop.signal.aborted) {
          options.emit({ kind: "export_failed", identity: request.identity, error: String(fault) });
        }
      })
      .finally(() => {
        unfinished.delete(making);
        forget(request, making);
      });
    inFlight.set(request.identity, making);
    unfinished.add(making);
    return making;
  };

  /** Joins the file of a request, or starts it, as one more reader. `leave` takes the reader away; without readers the work is aborted. */
  const join = async (request: ExportRequest, signal: AbortSignal) => {
    signal.throwIfAborted();
    let making = inFlight.get(request.identity);
    if (making === undefined) {
      const release = await turns.take(request.caller, signal);
      // While this request waited for its turn, another may have begun the same file, or finished it.
      making = inFlight.get(request.identity);
      const finished = making === undefined ? cache.find(request.identity) : null;
      if (making !== undefined || finished !== null) release();
      if (finished !== null) {
        const { path } = finished;
        const growing: Growing = {
          path,
          opening: new Uint8Array(),
          state: "complete",
          ended: Promise.resolve(),
        };
        return { growing, finished: Promise.resolve(finished), leave: () => {} };
      }
      try {
        making ??= start(request, release);
      } catch (fault) {
        // Without a folder nothing runs that would give the turn back.
        release();
        if (diskFullIn(fault) === null) throw fault;
        options.emit({ kind: "export_failed", identity: request.identity, error: String(fault) });
        const reason = "this server has no room to make a file at the moment; try again later";
        throw new Failure("service_unavailable", { reason, retryAfterSeconds: FULL_RETRY_SECONDS }, fault);
      }
    }
    const reading = making;
    reading.readers += 1;
    let left = false;
    const leave = () => {
      if (left) return;
      left = true;
      reading.readers -= 1;
      if (reading.readers > 0 || reading.state !== "growing") return;
      forget(request, reading);
      reading.stop.abort(NO_READER);
    };
    return { growing: reading, finished: reading.finished, leave };
  };

  return {
    finished: (identity) => cache.find(identity),
    async open(request, signal) {
      const { growing, leave } = await join(request, signal);
      return tail(growing, leave, signal);
    },
    async finish(request, signal) {
      const cached = cache.find(request.identity);
      if (cached !== null) return cached;
      const { finished, leave } = await join(request, signal);
      signal.addEventListener("abort", leave, { once: true });
      try {
        return await finished;
      } finally {
        signal.removeEventListener("abort", leave);
        leave();
      }
    },
    workbook: printWorkbook,
    async officialParquet(csv, caller, signal) {
      const release = await turns.take(caller, signal);
      serial += 1;
      const name = serial;
      try {
        return await withDuckDb(async ({ folder, duckdb }) => {
          const [source, path] = [`${folder}/${name}.csv`, `${folder}/${name}.parquet`] as const;
          try {
            await Bun.write(source, csv);
            await duckdb.run(officialStatement(source, path), signal);
            return await Bun.file(path).bytes();
          } finally {
            await Promise.all([source, path].map((file) => rm(file, { force: true })));
          }
        });
      } finally {
        release();
      }
    },
    async close() {
      for (const { stop } of unfinished) stop.abort(NO_READER);
      await Promise.allSettled([...unfinished].map(({ finished }) => finished));
      if (opened === null) return;
      await opened.duckdb.close();
      discard(opened.folder);
      await opened.lock.close();
    },
  };
}
