/** The process that makes exports ends when it is idle, is replaced when it was killed, and is told none of the server's secrets: with real processes. */

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { PROCESS_ENVIRONMENT } from "#store/parquet/duckdb-process.ts";
import { duckDbChildren } from "#test/store/parquet/children.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { madeUpPlan, openTemporaryExports, requestFor } from "./plans.ts";

const STAYS = new AbortController().signal;
const LARGE = { symbols: 24, days: 6000 };

/** Exports in a folder that names their process: the processes of other tests are not seen. */
function open(changes: Parameters<typeof openTemporaryExports>[0] = {}) {
  const before = new Set(duckDbChildren());
  const one = openTemporaryExports({ directory: temporaryDirectory(), ...changes });
  return { ...one, printers: () => duckDbChildren().filter((pid) => !before.has(pid)) };
}

describe.skipIf(process.platform !== "linux")("the process that makes exports", () => {
  test("starts with the first export, makes all of them at a lower priority, without the server's environment, and survives the signals of its group", async () => {
    const { exports, printers } = open();
    expect(printers()).toEqual([]);
    await exports.finish(requestFor(madeUpPlan({}, LARGE)), STAYS);
    const first = printers();
    expect(first).toHaveLength(1);
    const [printer = 0] = first;
    const nicenessOf = (thread: string) => {
      const fields = readFileSync(`/proc/${printer}/task/${thread}/stat`, "utf8").split(") ")[1] as string;
      return Number(fields.split(" ")[16]);
    };
    // A thread that the runtime began before the priority was set keeps its own; those of DuckDB come later, from the first thread.
    const threads = readdirSync(`/proc/${printer}/task`);
    const lower = threads.filter((thread) => nicenessOf(thread) === Math.min(19, getPriority() + 5));
    expect(lower).toContain(String(printer));
    expect(lower.length).toBeGreaterThan(threads.length / 2);
    const environment = readFileSync(`/proc/${printer}/environ`, "utf8").split("\0").filter(Boolean);
    // The channel to the server is the runtime's.
    const settings = environment.filter((setting) => !setting.startsWith("NODE_CHANNEL_"));
    const own = Object.entries(PROCESS_ENVIRONMENT).map(([name, value]) => `${name}=${value}`);
    expect(settings.toSorted()).toEqual(own.toSorted());
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(printer, signal);
    expect((await exports.finish(requestFor(madeUpPlan()), STAYS)).bytes).toBeGreaterThan(1000);
    expect(printers()).toEqual(first);
    await exports.close();
    expect(printers()).toEqual([]);
  });

  test("ends after the idle time, not before a file that is under way is made; the next export starts another", async () => {
    const waits: (() => void)[] = [];
    const later = (_: number, run: () => void) => {
      waits.push(run);
      return () => waits.splice(waits.indexOf(run), 1);
    };
    const { exports, printers, files } = open({ later });
    await exports.finish(requestFor(madeUpPlan()), STAYS);
    const [first] = printers();
    expect(waits).toHaveLength(1);
    const idle = waits[0] as () => void;
    const slow = exports.finish(requestFor(madeUpPlan({ layout: "wide" }, LARGE)), STAYS);
    await until("the file grows", () => files().length === 2);
    idle();
    expect((await slow).bytes).toBeGreaterThan(100_000);
    expect(printers()).toEqual([first as number]);
    expect(waits).toHaveLength(1);
    waits[0]?.();
    await until("the process has ended", () => printers().length === 0);
    expect((await exports.finish(requestFor(madeUpPlan()), STAYS)).bytes).toBeGreaterThan(1000);
    expect(printers()).not.toEqual([first as number]);
  });

  test("that is killed breaks its streams off and is reported; the same question is answered by the next one", async () => {
    const { exports, printers, emitted, files } = open();
    // Rows that are kept are lost with the process.
    const kept = madeUpPlan();
    await exports.finish(requestFor(kept), STAYS);
    let broken: { plan: ReturnType<typeof madeUpPlan>; printer: number; known: number } | null = null;
    // On a busy machine the process may have made the whole file before the signal: then the next one is killed.
    for (let attempt = 0; broken === null && attempt < 10; attempt++) {
      const plan = madeUpPlan({ layout: "wide" }, LARGE);
      const known = files().length;
      const reader = (await exports.open(requestFor(plan), STAYS)).getReader();
      await reader.read();
      const printer = printers()[0] as number;
      process.kill(printer, "SIGKILL");
      const drained = (async () => {
        while (!(await reader.read()).done);
      })();
      const fault = await drained.then(() => null, String);
      if (fault === null) continue;
      expect(fault).toContain("the process that runs DuckDB has ended (SIGKILL)");
      broken = { plan, printer, known };
    }
    if (broken === null) throw new Error("no stream was broken off");
    const { plan: counted, printer: first, known } = broken;
    await until("the failure is reported", () => emitted.some((event) => event.startsWith("export_failed")));
    await until("its file is gone", () => files().length === known);
    expect((await exports.finish(requestFor(counted), STAYS)).bytes).toBeGreaterThan(100_000);
    expect((await exports.finish(requestFor(kept, "ndjson"), STAYS)).bytes).toBeGreaterThan(1000);
    expect(printers()).not.toEqual([first]);
  });
});

test.skipIf(process.platform !== "linux")(
  "a server that makes exports of every form does not load DuckDB",
  async () => {
    const server = Bun.spawn([process.execPath, `${import.meta.dir}/unloaded-child.ts`], {
      stdout: "pipe",
      stderr: "inherit",
    });
    const { own, printers } = await new Response(server.stdout).json();
    expect(await server.exited).toBe(0);
    expect(own).toBe(false);
    expect(printers).toEqual([true]);
  },
);

test.skipIf(process.platform !== "linux")("a process that makes exports ends with its server", async () => {
  const directory = temporaryDirectory();
  const server = Bun.spawn([process.execPath, `${import.meta.dir}/exports-child.ts`, directory], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const printed = await server.stdout.getReader().read();
  const printer = Number(new TextDecoder().decode(printed.value));
  expect(readFileSync(`/proc/${printer}/cmdline`, "utf8")).toContain("duckdb-child");
  server.kill("SIGKILL");
  await server.exited;
  await until("the process has ended", () => !isRunning(printer));
});

function isRunning(pid: number): boolean {
  try {
    return !/State:\s+Z/.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
