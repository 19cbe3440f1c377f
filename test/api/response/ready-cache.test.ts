/** Ready bodies are cached: a repeated request costs no new work, they count in the cache budget, and none outlives its dataset. */

import { expect, test } from "bun:test";
import { type Charge, type Meter, openMeterless } from "#api/request/metering.ts";
import type { LargeBodies } from "#api/response/large-bodies.ts";
import { createReply } from "#api/response/ready.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { formatDay } from "#domain/time/day.ts";
import { openAllSeriesCaches } from "#rates/range/range.ts";
import { NOW, openTestApp, WORLD } from "#test/api/harness.ts";
import { datasetOf, day, ecb } from "#test/domain/history/columns.ts";

const BUDGET_BYTES = 48 * 1024 * 1024;
const PAST_DAY = "/v1/2026-04-09/EUR";

/** An application whose callers' delay and dataset the test sets, and which counts how often its history is read. */
function openCountedApp() {
  let reads = 0;
  let delay: 0 | 15 = 0;
  const counted = (plain: Dataset): Dataset =>
    new Proxy(plain, {
      get: (target, name, receiver) => {
        if (name === "history") reads += 1;
        return Reflect.get(target, name, receiver);
      },
    });
  let dataset = counted(datasetOf(WORLD));
  const meters = { 0: openMeterless(0), 15: openMeterless(15) };
  const meter = new Proxy({} as Meter, { get: (_, name) => Reflect.get(meters[delay], name) });
  const caches = new CacheBudget(BUDGET_BYTES);
  const app = openTestApp({ ...openAllSeriesCaches(caches), meter, dataset: () => dataset });
  return {
    ...app,
    forgetRows: () => caches.cache("printed_rows").clear(),
    use: () => caches.uses().find(({ name }) => name === "ready_bodies"),
    text: async (path: string) => await (await app.ask(path)).text(),
    readsOf: async (path: string) => {
      const before = reads;
      await app.get(path);
      return reads - before;
    },
    as: (minutes: 0 | 15) => (delay = minutes),
    publish: (next: Dataset) => (dataset = counted(next)),
  };
}

test("the same URL is computed once and then sent from the cache, in later seconds too", async () => {
  const app = openCountedApp();
  expect(await app.readsOf(PAST_DAY)).toBeGreaterThan(0);
  app.at("2026-04-13T16:31:40Z");
  expect(await app.readsOf(PAST_DAY)).toBe(0);
});

test("a body that was begun before new figures came is not kept for those who ask after it", async () => {
  const app = openCountedApp();
  const unbounded = { own: (_: Request, bytes: Uint8Array<ArrayBuffer>) => bytes } as unknown as LargeBodies;
  const reply = createReply({ ...app.deps, large: unbounded }, () => "/v1/range");
  const request = new Request("http://localhost/v1/range");
  const options = { maxAgeSeconds: 60, turnsWith: "session" } as const;
  const charge = openMeterless(0).admit(request, 1) as Charge;
  const answer = (basis: ReturnType<typeof reply.basis>) =>
    reply.send(request, options, { rates: 1 }, charge, basis);

  const older = reply.basis(options.turnsWith, 0);
  app.publish(datasetOf([...WORLD, ecb("2026-04-13", "SEK", "11.02")]));
  expect(answer(older).status).toBe(200);
  expect(reply.ready(request, 0)).toBeNull();
  answer(reply.basis(options.turnsWith, 0));
  expect(reply.ready(request, 0)).toBeInstanceOf(Response);
});

test("the cache may hold most of the budget, and counts what it holds", async () => {
  const app = openCountedApp();
  const { length } = await (await app.ask("/v1/latest")).text();
  expect(app.use()?.limitBytes).toBeGreaterThan(BUDGET_BYTES / 2);
  expect(app.use()?.bytes).toBeGreaterThan(length);
});

test("callers with different delays have different entries, and do not replace each other's", async () => {
  const app = openCountedApp();
  for (const minutes of [0, 15] as const) {
    app.as(minutes);
    await app.get("/v1/latest");
  }
  expect(app.use()?.entries).toBe(2);
});

test("a long page is computed once and joined from rows that other pages share, or made again without them", async () => {
  const app = openCountedApp();
  const days = Array.from({ length: 300 }, (_, index) => formatDay(day("2025-06-01") + index));
  app.publish(
    datasetOf(
      days.flatMap((date, index) => [
        ecb(date, "USD", `1.${1000 + index}`),
        ecb(date, "JPY", `${150 + index}`),
      ]),
    ),
  );
  const pages = ["asc", "desc"].map(
    (order) => `/v1/range?base=EUR&symbols=USD,JPY&start_date=2025-06-03&end_date=2026-03-20&order=${order}`,
  );
  const made = await Promise.all(pages.map(app.text));
  expect(made.map(({ length }) => length)).toSatisfy((lengths) => lengths.every((length) => length > 20_000));
  expect(app.use()?.entries).toBe(2);
  expect(app.use()?.bytes).toBeLessThan(10_000);
  for (const [index, page] of pages.entries()) {
    expect(await app.readsOf(page)).toBe(0);
    expect(await app.text(page)).toBe(made[index] as string);
    app.forgetRows();
    expect(await app.readsOf(page)).toBeGreaterThan(0);
    expect(await app.text(page)).toBe(made[index] as string);
  }
});

test("a URL longer than any real question is answered and not cached", async () => {
  const app = openCountedApp();
  await app.get(`${PAST_DAY}?ignored=${"x".repeat(600)}`);
  expect(app.use()?.entries ?? 0).toBe(0);
});

test("an answer about a past day follows a correction at once, and the old bodies are gone", async () => {
  const app = openCountedApp();
  const before = await app.get(PAST_DAY);
  await app.get("/v1/2026-04-08/EUR");
  app.publish(
    datasetOf([
      ...WORLD.filter(({ date, quote }) => date !== day("2026-04-09") || quote !== "USD"),
      ecb("2026-04-09", "USD", "1.2345"),
    ]),
  );
  const after = await app.get(PAST_DAY);
  expect(before.rates.USD).not.toBe(1.2345);
  expect(after.rates.USD).toBe(1.2345);
  expect(app.use()?.entries).toBe(1);
});

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
