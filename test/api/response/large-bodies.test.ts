/** Large answers: bounded by address and network, whole while few are under way, in pieces and within a bound while many are. */

import { describe, expect, test } from "bun:test";
import { readdirSync, readlinkSync } from "node:fs";
import { mkdtemp, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newComputeTurns } from "#api/response/compute-turns.ts";
import { openLargeBodies } from "#api/response/large-bodies.ts";
import { openAnswersUnderWay, SMALLEST_LARGE } from "#api/response/under-way.ts";
import { until } from "#test/support/until.ts";

const MB = 1024 * 1024;

/** Requests by address; those in `done` have ended. */
function world(most = 1000) {
  const addresses = new Map<Request, string>();
  const done = new Set<Request>();
  let now = 0;
  const monotonic = () => now;
  const addressOf = (request: Request) => addresses.get(request) ?? "";
  const isDone = (request: Request) => done.has(request);
  let waiting: (() => void)[] = [];
  const later = (_: number, run: () => void) => void waiting.push(run);
  const underWay = openAnswersUnderWay({ most, addressOf, isDone, monotonic, later });
  const turns = newComputeTurns();
  const large = openLargeBodies({ underWay, turns, callerOf: addressOf, monotonic });
  const from = (address: string): Request => {
    const request = new Request("http://localhost/");
    addresses.set(request, address);
    return request;
  };
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  /** Calls what waits; false where nothing did. */
  const wake = (): boolean => {
    const woken = waiting;
    waiting = [];
    for (const run of woken) run();
    return woken.length > 0;
  };
  return { underWay, large, done, from, pass, wake };
}

function crowd({ underWay, from }: ReturnType<typeof world>, count: number): Request[] {
  return Array.from({ length: count }, (_, nth) => {
    const request = from(`10.${nth >> 8}.${nth & 255}.1`);
    underWay.note(request, 10 * MB);
    return request;
  });
}

describe("an address", () => {
  test("has so many large answers under way and no more, until one has ended", () => {
    const { underWay, done, from } = world(3);
    const requests = [1, 2, 3].map(() => from("192.0.2.7"));
    for (const request of requests) {
      underWay.admit(request);
      underWay.note(request, 1 * MB);
    }
    const refused = { code: "rate_limited", details: { retryAfterSeconds: 5 } };
    expect(thrownBy(() => underWay.admit(from("192.0.2.7")))).toMatchObject(refused);
    underWay.admit(from("192.0.2.8"));
    done.add(requests[1] as Request);
    underWay.admit(from("192.0.2.7"));
  });
  test("is counted by its /64, and its /56 has four times as many", () => {
    const { underWay, from } = world(2);
    for (let nth = 0; nth < 8; nth++) {
      const request = from(`2001:db8:1:10${nth}::${nth}`);
      underWay.admit(request);
      underWay.note(request, NaN);
    }
    expect(thrownBy(() => underWay.admit(from("2001:db8:1:1ff::1")))).toMatchObject({ code: "rate_limited" });
    underWay.admit(from("2001:db8:1:200::1"));
  });
  test("is not held with requests whose answers have ended, also where nothing is asked any more", () => {
    const { underWay, done, from, pass, wake } = world();
    const requests = Array.from({ length: 20 }, (_, nth) => from(`10.1.${nth}.1`));
    for (const request of requests) underWay.note(request, 10 * MB);
    const [first, ...others] = requests as [Request, ...Request[]];
    for (const request of others) done.add(request);
    expect(wake()).toBe(true);
    // Those that it still held would count again.
    done.clear();
    pass(1_000);
    expect(underWay.count()).toBe(1);
    done.add(first);
    expect(wake()).toBe(true);
    expect(underWay.count()).toBe(0);
    // Nothing is under way, and nothing waits.
    expect(wake()).toBe(false);
  });
  test("may have any number of small ones", () => {
    const { underWay, from } = world(1);
    for (let nth = 0; nth < 10; nth++) {
      const request = from("192.0.2.7");
      underWay.admit(request);
      underWay.note(request, SMALLEST_LARGE);
    }
    expect(underWay.count()).toBe(0);
  });
});

describe("a large body", () => {
  test("is given whole while few are under way, and in pieces with the same bytes while many are", async () => {
    const here = world();
    const bytes = crypto.getRandomValues(new Uint8Array(60_000)).slice();
    const whole = new Uint8Array([...bytes, ...bytes]);
    crowd(here, 15);
    expect(here.large.own(here.from("a"), whole)).toBe(whole);
    crowd(here, 16);
    here.pass(100);
    const small = bytes.subarray(0, SMALLEST_LARGE);
    expect(here.large.own(here.from("a"), small)).toBe(small);
    const body = here.large.own(here.from("a"), whole);
    expect(body).toBeInstanceOf(ReadableStream);
    expect(Buffer.compare(await new Response(body).bytes(), whole)).toBe(0);
    expect(here.large.heldBytes()).toBe(0);
  });
  test("whose buffer the caller owns may be overwritten after the call", async () => {
    const here = world();
    crowd(here, 20);
    const bytes = new Uint8Array(100_000).fill(7);
    const body = here.large.own(here.from("a"), bytes);
    bytes.fill(9);
    expect((await new Response(body).bytes()).every((byte) => byte === 7)).toBe(true);
  });
  test("has no room where others fill it, until those that take nothing are cut off", async () => {
    const here = world();
    crowd(here, 20);
    const megabyte = new Uint8Array(MB);
    const held = Array.from(
      { length: 45 },
      (_, nth) => here.large.own(here.from(`${nth}`), megabyte) as ReadableStream,
    );
    const take = () => here.large.own(here.from("late"), new Uint8Array(10 * MB));
    expect(thrownBy(take)).toMatchObject({ code: "service_unavailable", details: { retryAfterSeconds: 2 } });
    expect(here.large.heldBytes()).toBe(45 * MB);

    here.pass(1_500);
    // The first reader continues, so it is not among those that are cut off.
    const reader = (held[0] as ReadableStream<Uint8Array>).getReader();
    expect((await reader.read()).value?.byteLength).toBe(8 * 1024);
    here.pass(1_500);
    const late = take();
    expect(here.large.heldBytes()).toBeLessThanOrEqual(48 * MB);
    expect((await new Response(late).bytes()).byteLength).toBe(10 * MB);
    expect((await reader.read()).value?.byteLength).toBe(8 * 1024);
    const cut = (held[1] as ReadableStream<Uint8Array>).getReader();
    expect(cut.read()).rejects.toThrow("took nothing");
  });
  test("is sent in small parts until its reader has taken some, then in whole pieces", async () => {
    const here = world();
    crowd(here, 20);
    const whole = crypto.getRandomValues(new Uint8Array(60_000));
    const body = here.large.own(here.from("a"), new Uint8Array(Buffer.concat(Array(10).fill(whole))));
    const sizes: number[] = [];
    for await (const part of body as ReadableStream<Uint8Array>) sizes.push(part.byteLength);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(600_000);
    expect(sizes.slice(0, 32)).toEqual(Array(32).fill(8 * 1024));
    expect(sizes.slice(32, -1)).toEqual(Array(sizes.length - 33).fill(32 * 1024));
  });
  test("whose reader leaves holds nothing", async () => {
    const here = world();
    crowd(here, 20);
    const body = here.large.own(here.from("a"), new Uint8Array(MB)) as ReadableStream;
    expect(here.large.heldBytes()).toBe(MB);
    await body.cancel();
    expect(here.large.heldBytes()).toBe(0);
  });
  test("that breaks off is not taken for whole", async () => {
    const here = world();
    let pieces = 0;
    const body = here.large.computed(here.from("a"), () => {
      pieces += 1;
      if (pieces === 3) throw new Error("the version is gone");
      return new Uint8Array(10);
    });
    expect(new Response(body).bytes()).rejects.toThrow("the version is gone");
  });
  test("that is streamed from another source releases it when its reader leaves", async () => {
    const here = world();
    crowd(here, 20);
    let isCancelled = false;
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel: () => {
        isCancelled = true;
      },
    });
    const reader = here.large.streamed(here.from("a"), source).getReader();
    expect((await reader.read()).value?.byteLength).toBe(10);
    await reader.cancel();
    expect(isCancelled).toBe(true);
  });
});

describe("a file of some hundred kilobytes", () => {
  const content = crypto.getRandomValues(new Uint8Array(60_000));
  const bytes = new Uint8Array(Buffer.concat(Array(5).fill(content)));
  const inFolder = async (work: (path: string, folder: string) => Promise<void>) => {
    const folder = await mkdtemp(join(tmpdir(), "crossrate-file-"));
    try {
      const path = join(folder, "file");
      await writeFile(path, bytes);
      await work(path, folder);
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test("is left to the server while few are under way, and read piece by piece while many are", async () => {
    await inFolder(async (path) => {
      const here = world();
      crowd(here, 15);
      const part = { start: 1_000, end: 250_001 };
      const given = here.large.file(here.from("a"), path, part);
      expect(given).toBeInstanceOf(Blob);
      crowd(here, 16);
      here.pass(100);
      const paced = here.large.file(here.from("a"), path, part);
      expect(paced).toBeInstanceOf(ReadableStream);
      for (const body of [given, paced]) {
        const read = await new Response(body).bytes();
        expect(Buffer.compare(read, bytes.subarray(part.start, part.end))).toBe(0);
      }
      const large = here.large.file(here.from("a"), path, { start: 0, end: 2 * MB });
      expect(large).toBeInstanceOf(Blob);
    });
  });
  test("that is replaced meanwhile is sent as it was, and one that is cut short breaks off", async () => {
    await inFolder(async (path, folder) => {
      const here = world();
      crowd(here, 20);
      const open = () => here.large.file(here.from("a"), path, { start: 0, end: bytes.byteLength });
      const [replaced, cut] = [open(), open()].map((body) =>
        (body as ReadableStream<Uint8Array>).getReader(),
      );
      const first = await replaced?.read();
      await writeFile(join(folder, "other"), new Uint8Array(bytes.byteLength));
      await rename(join(folder, "other"), path);
      const rest: Uint8Array[] = [];
      for (let piece = await replaced?.read(); piece?.done === false; piece = await replaced?.read())
        rest.push(piece.value);
      expect(Buffer.compare(Buffer.concat([first?.value ?? new Uint8Array(), ...rest]), bytes)).toBe(0);
      await cut?.read();
      await truncate(path, 100);
      expect(cut?.read()).rejects.toThrow("shorter than it was");
    });
  });
  test.skipIf(process.platform !== "linux")("is closed when its reader leaves, or has read it", async () => {
    await inFolder(async (path) => {
      const here = world();
      crowd(here, 20);
      const isOpen = () => readdirSync("/proc/self/fd").some((fd) => linkOf(`/proc/self/fd/${fd}`) === path);
      const open = () => here.large.file(here.from("a"), path, { start: 0, end: bytes.byteLength });
      const reader = (open() as ReadableStream<Uint8Array>).getReader();
      await reader.read();
      expect(isOpen()).toBe(true);
      await reader.cancel();
      await until("it is closed", () => !isOpen());
      await new Response(open()).bytes();
      await until("it is closed", () => !isOpen());
    });
  });
});

/** Empty for what was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (thrown) {
    return thrown;
  }
  throw new Error("nothing was thrown");
}
