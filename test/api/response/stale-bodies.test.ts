/** Bodies that are out of date wait for their removal from the cache: they must be small until then. */

import { expect, test } from "bun:test";
import { NOW, openTestApp } from "#test/api/harness.ts";

test("a body that is out of date retains no table of live rates", async () => {
  let now = NOW;
  const app = openTestApp({ clock: { now: () => now } });
  const tables: WeakRef<object>[] = [];
  for (let minute = 0; minute < 60; minute++) {
    tables.push(new WeakRef(app.deps.spot()));
    expect((await app.visit(`/v1/convert/USD/EUR/${minute + 1}`)).status).toBe(200);
    now += 60_000;
  }
  await Bun.sleep(0);
  Bun.gc(true);
  // The stack may still have some.
  expect(tables.filter((table) => table.deref() !== undefined).length).toBeLessThan(10);
});
