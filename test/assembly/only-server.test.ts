/** The wait for a server that is ending has a bound, and ends as soon as that one has. */

import { expect, test } from "bun:test";
import { becomeOnlyServer } from "#assembly/process.ts";
import { readConfig } from "#config.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

test("a server that ends makes room; one that does not end is named after half a minute", async () => {
  const config = readConfig({ DATA_DIR: temporaryDirectory() });
  const said: string[] = [];
  let slept = 0;
  let whenAsleep = async () => {};
  const start = () =>
    becomeOnlyServer(config, {
      say: (line) => said.push(line),
      sleep: async (milliseconds) => {
        slept += milliseconds;
        await whenAsleep();
      },
    });

  const first = await start();
  await expect(start()).rejects.toThrow(`pid ${process.pid} on`);
  expect({ said, slept }).toEqual({ said: [], slept: 0 });

  first.leave();
  await expect(start()).rejects.toThrow("set REDIS_URL");
  expect(Math.round(slept / 1000)).toBe(30);
  expect(said).toHaveLength(1);

  whenAsleep = first.release;
  const second = await start();
  expect(said).toHaveLength(2);
  await second.release();
});
