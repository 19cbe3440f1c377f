/** Writers with one process id in two containers: a file has the text of the one that made it, and no writer fails but by the name that is taken. */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "#test/support/temporary.ts";

const FILES = 200;

test("of several writers with one process id one makes each file, with its own text", async () => {
  const folder = temporaryDirectory();
  const ends = ["a", "b", "c"].map((name) => {
    const worker = new Worker(new URL("./same-pid.ts", import.meta.url).href);
    const ended = new Promise<{ name: string; made: number[]; faults: string[] }>((done, failed) => {
      worker.onmessage = ({ data }) => done(data);
      worker.onerror = failed;
    });
    worker.postMessage({ folder, name, files: FILES });
    return ended.finally(() => worker.terminate());
  });
  const all = await Promise.all(ends);
  expect(all.flatMap(({ faults }) => faults)).toEqual([]);
  expect(all.flatMap(({ made }) => made).sort((a, b) => a - b)).toEqual(
    Array.from({ length: FILES }, (_, nth) => nth),
  );
  const foreign = all.flatMap(({ name, made }) =>
    made.filter((nth) => readFileSync(join(folder, String(nth)), "utf8") !== `${name} `.repeat(1000)),
  );
  expect(foreign).toEqual([]);
});
