/** A file that grows is delivered whole and in order, and never as a shorter one without an error. */

import { describe, expect, test } from "bun:test";
import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Growing, tail } from "#store/export/tail.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { isOpenHere } from "./plans.ts";

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
