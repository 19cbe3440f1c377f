/** Of two servers on one directory one answers: the second waits for the first to end, and the wait has a bound. */

import { expect, test } from "bun:test";
import { becomeOnlyServer } from "#assembly/process.ts";
import { readConfig } from "#config.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("a server that ends makes room; one that does not end is named by its directory", async () => {
  const config = readConfig({ DATA_DIR: temporaryDirectory() });
  const said: string[] = [];
  const start = (waitSeconds: number) => becomeOnlyServer(config, (line) => said.push(line), waitSeconds);
  const makeRoom = await start(30);
  expect(said).toEqual([]);
  await expect(start(0.1)).rejects.toThrow("set REDIS_URL");
  expect(said).toHaveLength(1);
  const second = start(30);
  await makeRoom();
  await (await second)();
});
