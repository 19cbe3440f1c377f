import { describe, expect, test } from "bun:test";
import { COVERAGE_START, formatDay } from "#domain/time/day.ts";
import { openTestApp, WORLD } from "#test/api/harness.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";

describe("ETag", () => {
  test.each(["/v1/latest", "/v1/range?symbols=EUR,JPY&start_date=2026-04-01&end_date=2026-04-09"])(
    "%s: the same content later is a 304 without a body, though timestamp moved on",
    async (path) => {
      const app = openTestApp();
      const first = await app.ask(path);
      const etag = first.headers.get("etag") as string;
      app.at("2026-04-13T16:42:07Z");
      const second = await app.ask(path, { headers: { "if-none-match": etag } });
      expect([second.status, await second.text(), second.headers.get("etag")]).toEqual([304, "", etag]);
    },
  );
  test("never matches other content: a new figure, a stale flag, the market closing, the next day", async () => {
    const app = openTestApp();
    const etagOf = async (path: string) => (await app.ask(path)).headers.get("etag") as string;
    const first = await etagOf("/v1/latest");
    app.show(datasetOf([...WORLD.slice(0, -3), ecb("2026-04-13", "CHF", "0.9312")]));
    const revised = await etagOf("/v1/latest");
    expect(revised).not.toBe(first);
    app.at("2026-04-14T16:00:00Z");
    const stale = await etagOf("/v1/latest");
    expect(stale).not.toBe(revised);
    app.at("2026-04-17T21:00:00Z");
    expect(await etagOf("/v1/latest")).not.toBe(stale);
    expect(await etagOf("/v1/2026-04-10")).not.toBe(await etagOf("/v1/2026-04-09"));
  });
  test("the serving second moves while the ready body stays", async () => {
    const app = openTestApp();
    const stamp = async () => (await app.get("/v1/latest")).timestamp;
    expect(await stamp()).toBe("2026-04-13T16:30:00Z");
    app.at("2026-04-13T16:30:01.900Z");
    expect(await stamp()).toBe("2026-04-13T16:30:01Z");
    app.at("2026-04-13T16:30:59Z");
    expect(await stamp()).toBe("2026-04-13T16:30:59Z");
  });
});

test("an answer has its own second and headers while later ones are made", async () => {
  const app = openTestApp();
  const first = await app.ask("/v1/latest", { headers: { "x-request-id": "first" } });
  app.at("2026-04-13T16:30:30Z");
  await app.ask("/v1/latest", { headers: { "x-request-id": "second" } });
  expect(first.headers.get("x-request-id")).toBe("first");
  expect(await first.text()).toContain('"timestamp":"2026-04-13T16:30:00Z"');
});

test("a large page has its own rows while others are assembled in the same buffer", async () => {
  const days = Array.from({ length: 500 }, (_, index) => formatDay(COVERAGE_START + index));
  const dataset = datasetOf(
    days.flatMap((date, index) => [
      ecb(date, "USD", (1 + index / 1000).toFixed(4)),
      ecb(date, "JPY", "123.45"),
    ]),
  );
  const app = openTestApp({ dataset: () => dataset, pinned: () => dataset });
  const page = (base: string) =>
    app.ask(`/v1/range?base=${base}&symbols=USD,JPY,EUR&start_date=1999-01-04&end_date=2000-12-31`);
  const [first, second, third] = [await page("EUR"), await page("USD"), await page("JPY")];
  const texts = await Promise.all([first, second, third].map((response) => response.text()));
  expect(texts.every((text) => text.length > 30_000)).toBe(true);
  expect(texts.map((text) => JSON.parse(text).base)).toEqual(["EUR", "USD", "JPY"]);
  expect(await (await page("EUR")).text()).toBe(texts[0] as string);
});

const app = openTestApp();
test("every answer has an id of its own, or the caller's when it is well-formed", async () => {
  const ids = new Set<string | null>();
  for (let round = 0; round < 20; round++) ids.add((await app.ask("/v1/latest")).headers.get("x-request-id"));
  expect(ids.size).toBe(20);
  const idOf = async (sent: string) =>
    (await app.ask("/v1/latest", { headers: { "x-request-id": sent } })).headers.get("x-request-id");
  for (const sent of ["order-7.retry_2", "a".repeat(64)]) expect(await idOf(sent)).toBe(sent);
  for (const sent of ["a".repeat(65), "a b", "id;drop", ""]) {
    expect(await idOf(sent)).toMatch(/^[\w.-]{1,64}$/);
    expect(await idOf(sent)).not.toBe(sent);
  }
});
