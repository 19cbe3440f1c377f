/** Exports are shared while they are made, end when they have no reader, and are cached within their budget when they are finished; a file that grows is delivered whole, a disk may fill up: with real DuckDB files. */

import { describe, expect, spyOn, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { open as openFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "#domain/chain/entry.ts";
import { EXPORT_FORMATS } from "#domain/history/rate-columns.ts";
import { createExportCache, HANDED_OUT_MILLISECONDS } from "#store/export/cache.ts";
import { type Growing, tail } from "#store/export/tail.ts";
import { writeArrow } from "#store/parquet/arrow.ts";
import { withEngine } from "#store/parquet/engine.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { smallDisk } from "#test/support/small-disk.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { isOpenHere, madeUpPlan, openTemporaryExports, requestFor } from "./plans.ts";

const STAYS = new AbortController().signal;
/** With DuckDB in this process: what differs in one of its own is in duckdb-process.test.ts. */
const open = (changes: Parameters<typeof openTemporaryExports>[0] = {}) =>
  openTemporaryExports({ isOwnProcess: false, ...changes });

/** Enough that work on it does not end before the test does something to it. */
const LARGE = { symbols: 24, days: 6000 };

describe("one file", () => {
  test.each([...EXPORT_FORMATS])(
    "serves all who ask for it at once, and its description is true (%s)",
    async (format) => {
      const { exports, files } = open();
      const counted = madeUpPlan();
      const request = requestFor(counted, format);
      const streams = await Promise.all([1, 2, 3].map(() => exports.open(request, STAYS)));
      const [first, ...others] = await Promise.all(streams.map((stream) => new Response(stream).bytes()));
      for (const other of others) expect(Buffer.compare(other, first as Uint8Array)).toBe(0);
      const finished = await exports.finish(request, STAYS);
      expect(Buffer.compare(readFileSync(finished.path), first as Uint8Array)).toBe(0);
      expect(finished.bytes).toBe((first as Uint8Array).length);
      expect(finished.sha256).toBe(sha256(first as Uint8Array));
      expect(counted.fills()).toBe(1);
      expect(files()).toHaveLength(1);
      expect(exports.finished(request.identity)).toEqual(finished);
    },
  );
  test("of the same rows in other forms makes the rows once", async () => {
    const { exports, files } = open({ atOnce: 6 });
    const counted = madeUpPlan();
    const wide = { ...counted, plan: { ...counted.plan, layout: "wide" as const } };
    await Promise.all(
      EXPORT_FORMATS.flatMap((format) => [
        exports.finish(requestFor(counted, format), STAYS),
        exports.finish(requestFor(wide, format), STAYS),
      ]),
    );
    expect(counted.fills()).toBe(1);
    expect(files()).toHaveLength(2 * EXPORT_FORMATS.length);
  });
  test("is made once even when its second reader waits behind another export", async () => {
    const { exports, files } = open({ atOnce: 1 });
    const requests = ["busy", "same", "other", "third", "same"].map((rows, index) =>
      exports.finish(requestFor(madeUpPlan({ rows }), "csv", `caller ${index}`), STAYS),
    );
    const [, one, , , again] = await Promise.all(requests);
    expect(again?.path).toBe(one?.path as string);
    expect(files()).toHaveLength(4);
  });
});

describe("a reader who goes", () => {
  test("by the signal alone closes the file that it reads", async () => {
    const directory = temporaryDirectory();
    const { exports, files } = open({ directory });
    const leaving = new AbortController();
    const request = requestFor(madeUpPlan({}, LARGE), "ndjson");
    const reader = (await exports.open(request, leaving.signal)).getReader();
    try {
      await reader.read();
      await until("the file is open", () => isOpenHere(".ndjson"));
      leaving.abort();
      await until("the file is gone", () => files().length === 0);
      await until("it is closed too", () => !isOpenHere(".ndjson"));
    } finally {
      await reader.cancel().catch(() => {});
    }
  });
  test("does not disturb the others", async () => {
    const { exports } = open();
    const counted = madeUpPlan({ layout: "wide" }, { symbols: 5, days: 8000 });
    const request = requestFor(counted);
    const leaving = new AbortController();
    const going = (await exports.open(request, leaving.signal)).getReader();
    const staying = new Response(await exports.open(request, STAYS)).text();
    await going.read();
    leaving.abort();
    // Its stream breaks off, and does not end.
    expect(going.read()).rejects.toThrow();
    await going.cancel().catch(() => {});
    const lines = (await staying).trimEnd().split("\n");
    expect(lines).toHaveLength(8001);
    expect(counted.fills()).toBe(1);
  });
  test("while waiting for a turn leaves no trace", async () => {
    const { exports, files } = open({ atOnce: 1, waiting: 1 });
    const busy = exports.finish(requestFor(madeUpPlan({ layout: "wide" }, LARGE)), STAYS);
    const leaving = new AbortController();
    const waited = madeUpPlan();
    const left = exports.open(requestFor(waited), leaving.signal).catch((reason: unknown) => reason);
    leaving.abort(new Error("gone"));
    expect(await left).toEqual(new Error("gone"));
    await busy;
    expect(waited.fills()).toBe(0);
    expect(files()).toHaveLength(1);
  });
});

test("too many at once wait for their turn, and are refused with a time to come back when the queue is full", async () => {
  const { exports } = open({ atOnce: 1, waiting: 2 });
  const requests = Array.from({ length: 5 }, (_, index) =>
    exports.finish(requestFor(madeUpPlan(), "csv", `caller ${index}`), STAYS),
  );
  const outcomes = await Promise.allSettled(requests);
  const refused = { status: "rejected", reason: { code: "service_unavailable", retryAfterSeconds: 5 } };
  const made = { status: "fulfilled" };
  expect(outcomes).toMatchObject([made, made, made, refused, refused] as never);
});

test("closing ends what is under way and clears the folder", async () => {
  const { exports, files } = openTemporaryExports();
  await exports.finish(requestFor(madeUpPlan()), STAYS);
  const text = new Response(
    await exports.open(requestFor(madeUpPlan({ layout: "wide" }, LARGE)), STAYS),
  ).text();
  text.catch(() => {});
  await exports.close();
  expect(files()).toEqual([]);
  expect(text).rejects.toThrow();
  await text.catch(() => {});
});

test("what dead processes left behind goes when exports are opened, of a living one's number too: the budget begins with nothing; what living ones have stays, of a dead one's number too", async () => {
  const directory = temporaryDirectory();
  const living = open({ directory });
  const request = requestFor(madeUpPlan());
  const { path: other } = await living.exports.finish(request, STAYS);
  // As in another container, where nothing has this number.
  const dead = Bun.spawn(["true"]);
  await dead.exited;
  for (const folder of [`${dead.pid}-0a`, `${process.ppid}-0b`, `${process.pid}-0c`, "something else"]) {
    mkdirSync(join(directory, folder));
    writeFileSync(join(directory, folder, "1.csv"), "date,base");
  }
  const { exports, files } = open({ directory });
  const theirs = other.slice(directory.length + 1);
  const kept = () => files().filter((file) => !file.endsWith(".sqlite"));
  expect(kept()).toEqual([theirs, "something else/1.csv"]);
  const { path } = await exports.finish(requestFor(madeUpPlan()), STAYS);
  const own = path.slice(directory.length + 1);
  expect(kept()).toEqual([own, theirs, "something else/1.csv"].sort());
  expect((await living.exports.finish(request, STAYS)).path).toBe(other);
  await living.exports.close();
  await exports.close();
  expect(files()).toEqual(["something else/1.csv"]);
});

const DISK_BYTES = 4 * 1024 * 1024;
const disk = smallDisk("a disk that fills up under an export", DISK_BYTES);

// One of each writer: COPY, the stream, the workbook.
test.skipIf(!disk.isMounted).each(["csv", "arrow", "xlsx"] as const)("no room for %s", async (format) => {
  const { exports, emitted, files } = openTemporaryExports({ directory: join(disk.path, format), atOnce: 1 });
  const { plan } = madeUpPlan({}, { symbols: 4, days: 3500 });
  const filler = join(disk.path, "filler");
  rmSync(filler, { force: true });
  disk.fill(filler, 96 * 1024);

  const text = new Response(await exports.open(requestFor({ plan }, format), STAYS)).bytes();
  expect(text).rejects.toThrow();
  await text.catch(() => {});
  await until("the failure is reported", () => emitted.length === 1);
  expect(exports.finish(requestFor({ plan }, format), STAYS)).rejects.toThrow(/no space|ENOSPC/i);
  await until("the failure is reported", () => emitted.length === 2);
  expect(emitted).toEqual([
    expect.stringMatching(/^export_failed: .*(no space|ENOSPC)/i),
    expect.stringMatching(/^export_failed: .*(no space|ENOSPC)/i),
  ]);
  expect(files()).toEqual([]);

  rmSync(filler);
  const finished = await exports.finish(requestFor({ plan }, format), STAYS);
  expect(finished.bytes).toBe(Bun.file(finished.path).size);
  expect(finished.bytes).toBeGreaterThan(96 * 1024);
  await exports.close();
});

test.skipIf(!disk.isMounted)(
  "without a byte left there is no folder either, and with room there is",
  async () => {
    const directory = join(disk.path, "first");
    mkdirSync(directory);
    const { exports, emitted } = openTemporaryExports({ directory, atOnce: 1 });
    const request = requestFor(madeUpPlan());
    const filler = join(disk.path, "filler");
    disk.fill(filler, 0);
    await expect(exports.finish(request, STAYS)).rejects.toMatchObject({
      code: "service_unavailable",
      details: { reason: "this server has no room to make a file at the moment; try again later" },
    });
    expect(emitted).toEqual([expect.stringMatching(/^export_failed: .*(no space|ENOSPC)/i)]);
    expect(readdirSync(directory)).toEqual([]);
    rmSync(filler);
    expect((await exports.finish(request, STAYS)).bytes).toBeGreaterThan(0);
    await exports.close();
  },
);

const worn = smallDisk("a disk that turns read-only under exports", DISK_BYTES);
test.skipIf(!worn.isMounted)(
  "what a disk that has turned read-only does not let go stays on it",
  async () => {
    const { exports } = openTemporaryExports({ directory: worn.path });
    const finished = await exports.finish(requestFor(madeUpPlan()), STAYS);
    let drop = () => {};
    const cache = createExportCache(0, (_, run) => {
      drop = run;
    });
    cache.put("larger than the budget", finished);
    worn.makeReadOnly();
    expect(drop).not.toThrow();
    await exports.close();
    expect(Bun.file(finished.path).size).toBe(finished.bytes);
  },
);

interface Written {
  writev(parts: readonly Uint8Array[]): Promise<{ readonly bytesWritten: number }>;
}

test("an Arrow file of which the disk took a part of a batch is no file, although there is room for the next one", async () => {
  const directory = temporaryDirectory();
  const handle = await openFile(join(directory, "any"), "w");
  const files: Written = Object.getPrototypeOf(handle);
  await handle.close();
  const write = files.writev;
  let batches = 0;
  const writing = spyOn(files, "writev").mockImplementation(async function (this: Written, parts) {
    batches += 1;
    if (batches !== 3) return await write.call(this, parts);
    const part = parts[0] as Uint8Array;
    return await write.call(this, [part.subarray(0, part.byteLength >> 1)]);
  });
  try {
    const rows = "SELECT range::DOUBLE AS rate FROM range(20000)";
    const made = withEngine(directory, (on) => writeArrow(on, rows, join(directory, "rates.arrow")));
    await expect(made).rejects.toThrow("no space left");
  } finally {
    writing.mockRestore();
  }
});

function growing(opening = "") {
  const path = join(temporaryDirectory(), "export");
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  ended.catch(() => {});
  const file: Growing & { state: Growing["state"] } = {
    path,
    opening: new TextEncoder().encode(opening),
    state: "growing",
    ended,
  };
  let left = 0;
  return {
    path,
    stream: () => tail(file, () => void left++, new AbortController().signal),
    left: () => left,
    append: (bytes: string | Uint8Array) => appendFileSync(path, bytes),
    complete: () => {
      file.state = "complete";
      resolve();
    },
    fail: (fault: Error) => {
      file.state = "failed";
      reject(fault);
    },
  };
}

/** A read under way ends in a thread of its own, and closes the file after that. */
const untilClosed = (path: string) => until("the file is closed", () => !isOpenHere(path));

const turnOfOthers = () => new Promise((resolve) => setImmediate(resolve));

test("steps of any size come whole and in order, to every reader", async () => {
  const random = seededRandom(1);
  const whole = new Uint8Array(1_500_000);
  for (let at = 0; at < whole.length; at++) whole[at] = random() * 256;
  const opening = "opening,";
  whole.set(new TextEncoder().encode(opening));
  const file = growing(opening);
  const early = new Response(file.stream()).bytes();
  let late: Promise<Uint8Array> | null = null;
  for (let at = 0; at < whole.length; ) {
    const to = Math.min(whole.length, at + 1 + Math.floor(random() ** 4 * 400_000));
    file.append(whole.subarray(at, to));
    at = to;
    if (random() < 0.5) await turnOfOthers();
    if (late === null && at > whole.length / 2) late = new Response(file.stream()).bytes();
  }
  file.complete();
  expect(Buffer.compare(await early, whole)).toBe(0);
  expect(Buffer.compare((await late) as Uint8Array, whole)).toBe(0);
  expect(file.left()).toBe(2);
  expect(isOpenHere(file.path)).toBe(false);
});

test("the opening comes before there is a file, and is not sent twice", async () => {
  const file = growing("date,rate\n");
  const reader = file.stream().getReader();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe("date,rate\n");
  file.append("date,");
  file.append("rate\n2026-04-13,1.1684\n");
  file.complete();
  expect(new TextDecoder().decode((await reader.read()).value)).toBe("2026-04-13,1.1684\n");
  expect(await reader.read()).toEqual({ done: true, value: undefined });
  expect(file.left()).toBe(1);
});

describe("an error, not a short file, is", () => {
  test("a file that does not begin as announced, however it is cut", async () => {
    for (const steps of [["date;rate\n1"], ["date", ";", "rate\n"]]) {
      const file = growing("date,rate\n");
      const text = new Response(file.stream()).text();
      text.catch(() => {});
      for (const step of steps) {
        file.append(step);
        await turnOfOthers();
      }
      file.complete();
      expect(text).rejects.toThrow("does not begin as announced");
      await text.catch(() => {});
      expect(file.left()).toBe(1);
      expect(isOpenHere(file.path)).toBe(false);
    }
  });
  test("a writer that failed, before the file, within it, and after all bytes", async () => {
    for (const written of ["", "a", "all of it\n"]) {
      const file = growing();
      if (written !== "") file.append(written);
      const text = new Response(file.stream()).text();
      text.catch(() => {});
      await turnOfOthers();
      file.fail(new Error("no space left"));
      expect(text).rejects.toThrow("no space left");
      await text.catch(() => {});
      expect(file.left()).toBe(1);
      expect(isOpenHere(file.path)).toBe(false);
    }
  });
  // The first, where a reader comes to it only after the cache has dropped the file.
  test.each([
    ["is gone", null],
    ["ends before its opening does", "date,"],
  ])("a complete file that %s", async (_, written) => {
    const file = growing("date,rate\n");
    if (written !== null) writeFileSync(file.path, written);
    file.complete();
    await expect(new Response(file.stream()).text()).rejects.toThrow();
  });
});

// Many, at other moments each: before the file is opened, while it is, while it is read.
test("a reader who goes in the middle of waiting lets no descriptor behind", async () => {
  const files = Array.from({ length: 50 }, () => growing());
  await Promise.all(
    files.map(async (file, nth) => {
      const reader = file.stream().getReader();
      const reading = reader.read().catch(() => null);
      for (let turn = 0; turn < nth % 5; turn++) await turnOfOthers();
      if (nth % 2 === 0) file.append("comes in time");
      const cancelled = reader.cancel();
      if (nth % 2 === 1) file.append("comes too late");
      await Promise.all([reading, cancelled]);
      file.complete();
    }),
  );
  for (const file of files) {
    await untilClosed(file.path);
    expect(file.left()).toBe(1);
  }
});

function fixture(budgetBytes: number) {
  const directory = temporaryDirectory();
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  const cache = createExportCache(budgetBytes, (milliseconds, run) =>
    timers.push({ at: now + milliseconds, run }),
  );
  return {
    cache,
    put(name: string, bytes: number) {
      const path = join(directory, `${name}-${crypto.randomUUID()}`);
      writeFileSync(path, new Uint8Array(bytes));
      const finished = { path, bytes, sha256: "00".repeat(32) };
      cache.put(name, finished);
      return finished;
    },
    passes(milliseconds: number) {
      now += milliseconds;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { run } of due) run();
    },
    onDisk: () => readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0),
    kept: (names: string) => [...names].filter((name) => cache.find(name) !== null).join(""),
  };
}

test("the one used longest ago goes first, and finding is using", () => {
  const { cache, put, kept } = fixture(100);
  for (const name of ["a", "b", "c"]) put(name, 30);
  cache.find("a");
  put("d", 30);
  expect(kept("abcd")).toBe("acd");
});

test("a file that was just handed out stays until its reader has opened it", () => {
  const { cache, put, passes, onDisk } = fixture(100);
  const a = put("a", 60);
  passes(HANDED_OUT_MILLISECONDS * 10);
  cache.find("a");
  put("b", 60);
  expect(existsSync(a.path)).toBe(true);
  passes(HANDED_OUT_MILLISECONDS - 1);
  expect(existsSync(a.path)).toBe(true);
  passes(1);
  expect(existsSync(a.path)).toBe(false);
  expect(onDisk()).toBe(60);
});

test("one that is larger than the whole budget pushes nothing out and is not kept itself", () => {
  const { cache, put, passes, onDisk, kept } = fixture(100);
  put("a", 40);
  const large = put("large", 1_000);
  expect(cache.find("large")).toBeNull();
  expect(kept("a")).toBe("a");
  // Its reader is about to open it.
  expect(existsSync(large.path)).toBe(true);
  passes(HANDED_OUT_MILLISECONDS);
  expect(onDisk()).toBe(40);
});

test("whatever is put and found in whichever order, the disk holds the budget once readers have opened their files", () => {
  const { cache, put, passes, onDisk } = fixture(1_000);
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  for (let round = 0; round < 400; round++) {
    if (random(3) > 0) put(`n${random(20)}`, random(1_400));
    else cache.find(`n${random(20)}`);
    if (random(4) > 0) continue;
    passes(HANDED_OUT_MILLISECONDS);
    expect(onDisk()).toBeLessThanOrEqual(1_000);
  }
});
