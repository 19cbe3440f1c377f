/** Intraday quotes over HTTP: pages of bars, files of bars and quotes, and the parameters that are refused there. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { tableFromIPC } from "apache-arrow";
import { openArchive } from "#store/archive/archive.ts";
import { selectOf } from "#store/archive/quotes.ts";
import { openTestApp, testExports } from "#test/api/harness.ts";
import { openTemporary, quote } from "#test/store/archive/sample.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { walkNumbers } from "./range-pages.ts";

const directory = temporaryDirectory();
const START = Date.parse("2026-04-09T22:00:00Z");
/** Two quotes a minute for 16 hours, over midnight, of three currencies; sterling is quoted the other way round. */
const QUOTES = Array.from({ length: 16 * 120 }, (_, index) => {
  const at = START + index * 30_000;
  return [
    quote("USD/EUR", (0.85 + (index % 97) / 10_000).toFixed(5), at, { feed: "massive" }),
    quote("USD/JPY", (159 + (index % 53) / 100).toFixed(3), at + 1_000, { feed: "massive" }),
    quote("GBP/USD", (1.34 + (index % 31) / 10_000).toFixed(5), at + 2_000, { feed: "massive" }),
  ];
}).flat();

const archive = await openTemporary(directory);
await archive.append(QUOTES);
const exports = testExports({ sources: [directory], archiveSelect: (plan) => selectOf(archive, plan) });
atEnd(exports.close);
const app = openTestApp({ archive, exports });

const WINDOW = "start_date=2026-04-09&end_date=2026-04-10";
interface Row {
  readonly start: string;
  readonly date: string;
  readonly rates: Record<string, number>;
  readonly bars: Record<string, Record<string, number>>;
}

const walk = (query: string) => walkNumbers<Row>(app, `/v1/range?${query}`);

describe("pages of bars", () => {
  test("have open, high, low, close, mean and ticks, before the quotes are in any file", async () => {
    const body = await app.get(`/v1/range?symbols=EUR&${WINDOW}&interval=1m&limit=2`);
    expect(body).toMatchObject({ interval: "1m", source: "live", sources: { EUR: "live" }, has_more: true });
    expect(body.data[0]).toEqual({
      date: "2026-04-09",
      start: "2026-04-09T22:00:00Z",
      source: "live",
      is_forward_filled: false,
      rates: { EUR: 0.8501 },
      bars: { EUR: { open: 0.85, high: 0.8501, low: 0.85, close: 0.8501, mean: 0.85005, ticks: 2 } },
    });
  });
  test("walk through the window by cursor, in both orders, each bar once", async () => {
    const ascending = await walk(`symbols=EUR,JPY&${WINDOW}&interval=5m&limit=50`);
    expect(ascending).toHaveLength((16 * 60) / 5);
    expect(ascending.map(({ start }) => start)).toEqual(ascending.map(({ start }) => start).toSorted());
    expect(
      ascending.every(({ bars }) => bars["EUR"]?.["ticks"] === 10 && bars["JPY"]?.["ticks"] === 10),
    ).toBe(true);
    const descending = await walk(`symbols=EUR,JPY&${WINDOW}&interval=5m&limit=50&order=desc`);
    expect(descending).toEqual(ascending.toReversed());
  });
  test("go on for their own question only", async () => {
    const asked = (more = "") => {
      const query = new URLSearchParams(`base=USD&symbols=EUR,JPY&${WINDOW}&interval=5m&limit=2`);
      for (const [name, value] of new URLSearchParams(more)) query.set(name, value);
      return `/v1/range?${query}`;
    };
    const { next_cursor: cursor } = await app.get(asked());
    const others = ["base=GBP", "symbols=EUR", "start_date=2026-04-08", "end_date=2026-04-11", "interval=1m"];
    for (const other of [...others, "order=desc", "side=bid"])
      expect(await app.reason(`${asked(other)}&cursor=${cursor}`, "invalid_request")).toContain("cursor");
  });
  test("count every quote once, for every interval", async () => {
    for (const interval of ["1m", "15m", "1d"]) {
      const rows = await walk(`symbols=EUR,GBP&${WINDOW}&interval=${interval}`);
      for (const code of ["EUR", "GBP"]) {
        expect(rows.reduce((sum, { bars }) => sum + (bars[code]?.["ticks"] ?? 0), 0)).toBe(16 * 120);
      }
    }
  });
  test("invert an inverse, and name the symbols that were triangulated", async () => {
    const body = await app.get(`/v1/range?base=EUR&symbols=JPY,USD&${WINDOW}&interval=1h`);
    expect(body.derived_symbols).toEqual(["JPY"]);
    for (const { bars } of body.data as Row[]) {
      expect(bars["USD"]?.["high"]).toBeLessThan(1 / 0.8499);
      expect(bars["JPY"]?.["open"]).toBeGreaterThan(180);
    }
  });
  test("hold what is quoted after them", async () => {
    const day = "start_date=2026-04-13&end_date=2026-04-13";
    await app.refused(`/v1/range?symbols=EUR&${day}&interval=1h`, "no_data_for_date");
    await archive.append([quote("USD/EUR", "0.86", Date.parse("2026-04-13T10:30:00Z"))]);
    const { data } = await app.get(`/v1/range?symbols=EUR&${day}&interval=1h`);
    expect(data).toMatchObject([{ start: "2026-04-13T10:00:00Z", rates: { EUR: 0.86 } }]);
  });
});

test("the row of a bar that is not over says so, up to its last instant", async () => {
  const path = "/v1/range?symbols=EUR&start_date=2026-04-10&end_date=2026-04-10&interval=1h&limit=1";
  for (const [now, isComplete] of [
    ["2026-04-10T00:30:00Z", false],
    ["2026-04-10T00:59:59.999Z", false],
    ["2026-04-10T01:00:00Z", undefined],
  ] as const) {
    const { data } = await openTestApp({ archive, exports, now: Date.parse(now) }).get(path);
    expect([data[0].start, data[0].is_complete]).toEqual(["2026-04-10T00:00:00Z", isComplete]);
  }
});

test("data_updated_at is the time of the oldest quote, not the beginning of its bar, and a symbol without one is missing", async () => {
  const day = "start_date=2026-04-09&end_date=2026-04-09&interval=1d";
  const body = await app.get(`/v1/range?base=USD&symbols=CHF,EUR&${day}`);
  expect(body).toMatchObject({ data: [{ start: "2026-04-09T00:00:00Z" }], missing_symbols: ["CHF"] });
  expect(body.data_updated_at).toBe("2026-04-09T22:00:00Z");
});

test("bars of a file say so: in their source, in the column of a file, and by its name and digest", async () => {
  const path = join(directory, "GBPUSD.csv");
  await Bun.write(path, "20260105 190000;1.34;1.36;1.33;1.35;0\n20260105 190100;1.35;1.35;1.35;1.35;0\n");
  await archive.importQuotes({
    ...{ path, label: "a desk", from: 0, reference: () => null, progress: () => {} },
    wishes: { pair: null, offsetMinutes: null, side: null, columns: {} },
  });
  const query = "base=GBP&symbols=USD&start_date=2026-01-06&end_date=2026-04-10&interval=1m";
  const body = await app.get(`/v1/range?${query}&limit=1`);
  expect(body).toMatchObject({ source: "imported", sources: { USD: "imported" } });
  expect(body.data[0]).toMatchObject({
    source: "imported",
    rates: { USD: 1.35 },
    bars: { USD: { high: 1.36 } },
  });
  expect(body.imports).toMatchObject([
    {
      ...{ file: "GBPUSD.csv", label: "a desk", base: "GBP", quote: "USD", price: "bid", rows: "minutes" },
      ...{ first: "2026-01-06T00:00:00Z", last: "2026-01-06T00:01:00Z" },
      sha256: new Bun.CryptoHasher("sha256").update(await Bun.file(path).bytes()).digest("hex"),
    },
  ]);
  const file = await (await app.ask(`/v1/range?${query}&format=csv`)).text();
  const sources = file
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",").at(-1));
  expect(sources).toEqual(["imported", "imported", ...Array.from({ length: 16 * 60 }, () => "live")]);
  const period = await app.ask(
    "/compat/oxr/ohlc.json?start_time=2026-01-01T00:00:00Z&period=1mo&symbols=GBP",
  );
  expect([period.headers.get("x-source"), period.headers.get("x-data-updated-at")]).toEqual([
    "imported",
    "2026-01-06T00:00:00Z",
  ]);
  const both = await app.get(`/v1/range?${query}&limit=3`);
  expect(both.data.map(({ source }: { source: string }) => source)).toEqual(["imported", "imported", "live"]);
  expect(both).toMatchObject({ source: "imported", sources: { USD: "imported" } });
  const live = await app.get(`/v1/range?base=GBP&symbols=USD&${WINDOW}&interval=1h`);
  expect(live).not.toHaveProperty("imports");
});

test("a file of bars and quotes has the digits of the pages, also of a price that a double prints with an exponent", async () => {
  const path = join(directory, "USDIDR.csv");
  await Bun.write(path, "20260107 190000;16650;16653.5;16640;16651;0\n");
  await archive.importQuotes({
    ...{ path, label: null, from: 0, reference: () => null, progress: () => {} },
    wishes: { pair: null, offsetMinutes: null, side: null, columns: {} },
  });
  const query = (base: string, symbol: string) =>
    `/v1/range?base=${base}&symbols=${symbol}&start_date=2026-01-08&end_date=2026-01-08&interval=1m`;
  for (const [base, symbol] of [
    ["IDR", "USD"],
    ["USD", "IDR"],
  ] as const) {
    const page = await (await app.ask(query(base, symbol))).text();
    const digits = /"bars":\{"\w+":\{([^}]*)\}/.exec(page)?.[1]?.replaceAll(/"\w+":/g, "");
    const [, line] = (await (await app.ask(`${query(base, symbol)}&format=csv`)).text()).split("\n");
    expect(line).toBe(`2026-01-08T00:00:00.000Z,${base},${symbol},${digits},imported`);
  }
  const ticks = await app.ask(`${query("USD", "IDR").replace("1m", "tick")}&format=csv`);
  expect((await ticks.text()).match(/(?<=IDR,)[^,]+/g)).toEqual(["16650", "16653.5", "16640", "16651"]);
});

test("a side that no feed has is not made up, and is refused with daily rates", async () => {
  const asked = `/v1/range?base=GBP&symbols=USD&start_date=2026-01-06&end_date=2026-01-06`;
  const body = await app.get(`${asked}&interval=1h&side=bid`);
  expect(body).toMatchObject({ side: "bid", data: [{ bars: { USD: { high: 1.36 } } }] });
  const file = await (await app.ask(`${asked}&interval=1h&side=bid&format=arrow`)).bytes();
  const { metadata } = tableFromIPC(file).schema;
  expect([metadata.get("interval"), metadata.get("side")]).toEqual(["1h", "bid"]);
  await app.refused(`${asked}&interval=1h&side=ask`, "no_data_for_date");
  await app.refused(`${asked}&side=bid`, "invalid_request");
  // Clients made from the document send the default.
  await app.refused(`${asked}&side=mid`, "no_data_for_date");
  const rows = async (side: string) =>
    (await (await app.ask(`${asked}&interval=tick&side=${side}&format=csv`)).text()).trim().split("\n")
      .length - 1;
  expect([await rows("mid"), await rows("bid"), await rows("ask")]).toEqual([5, 5, 0]);
});

/** A cell of either format: a number, an instant in milliseconds, a text, or null. */
function plain(cell: unknown): unknown {
  if (cell === null || cell === "") return null;
  const text = String(cell);
  return /^[\d.-]+(e-?\d+)?$/.test(text) ? Number(text) : text.endsWith("Z") ? Date.parse(text) : text;
}

describe("files", () => {
  const csv = async (query: string) => {
    const response = await app.ask(`/v1/range?${query}&format=csv`);
    expect(response.status).toBe(200);
    return (await response.text()).trim().split("\n");
  };
  test("of bars hold what the pages hold", async () => {
    const rows = await walk(`base=EUR&symbols=JPY,USD&${WINDOW}&interval=15m`);
    const [head, ...lines] = await csv(`base=EUR&symbols=JPY,USD&${WINDOW}&interval=15m`);
    expect(head).toBe("start,base,symbol,open,high,low,close,mean,ticks,source");
    const expected = ["JPY", "USD"].flatMap((code) =>
      rows.map(({ start, bars }) =>
        [start, "EUR", code, ...Object.values(bars[code] ?? {}), "live"].join(","),
      ),
    );
    const asPrinted = lines.map((line) => {
      const [start = "", base, symbol, ...rest] = line.split(",");
      const [numbers, source] = [rest.slice(0, -1), rest.at(-1)];
      return [start.replace(".000Z", "Z"), base, symbol, ...numbers.map(Number), source].join(",");
    });
    expect(asPrinted).toEqual(expected);
  });
  test.each(["interval=15m", "interval=tick"])(
    "of %s have the same rows as an Arrow stream",
    async (asked) => {
      const query = `base=EUR&symbols=JPY,USD&${WINDOW}&${asked}`;
      const [head = "", ...lines] = await csv(query);
      const stream = await app.ask(`/v1/range?${query}&format=arrow`);
      const table = tableFromIPC(await stream.bytes());
      expect(table.schema.names.join()).toBe(head);
      const rows = table.toArray().map((row) => head.split(",").map((name) => row[name]));
      expect(lines).not.toBeEmpty();
      expect(rows.map((row) => row.map(plain))).toEqual(lines.map((line) => line.split(",").map(plain)));
    },
  );
  test("of quotes hold each quote as it was delivered, by date and pair", async () => {
    const [head, ...lines] = await csv(`symbols=*&${WINDOW}&interval=tick`);
    expect(head).toBe("observed_at,retrieved_at,feed,base,quote,bid,ask,mid,decimals");
    expect(lines).toHaveLength(QUOTES.length);
    const places = lines.map((line) => {
      const [observedAt = "", , , base, quote] = line.split(",");
      return [observedAt.slice(0, 10), base, quote, observedAt].join(" ");
    });
    expect(places).toEqual(places.toSorted());
    expect(await csv(`symbols=*&${WINDOW}&interval=tick&order=desc`)).toEqual([
      head as string,
      ...lines.toReversed(),
    ]);
    const [sterling] = await Promise.all([csv(`base=USD&symbols=GBP&${WINDOW}&interval=tick`)]);
    expect(sterling.slice(1).every((line) => line.includes(",GBP,USD,,,1.34"))).toBe(true);
    expect(sterling).toHaveLength(1 + 16 * 120);
    const [, ...euros] = await csv(`base=USD&symbols=EUR&${WINDOW}&interval=tick`);
    expect(euros.length).toBeGreaterThan(0);
    expect(euros.filter((line) => !line.includes(",USD,EUR,"))).toEqual([]);
  });
  test("of bars run backwards as well, over fortnights", async () => {
    await archive.append([quote("USD/EUR", "0.88", Date.parse("2026-03-02T10:31:00Z"))]);
    const query = "symbols=EUR&start_date=2026-03-01&end_date=2026-04-10&interval=1h";
    const [head = "", ...lines] = await csv(query);
    expect(await csv(`${query}&order=desc`)).toEqual([head, ...lines.toReversed()]);
  });
  test("come in every format, tagged by the content", async () => {
    for (const format of ["csv", "parquet", "ndjson", "arrow"]) {
      const path = `/v1/range?symbols=EUR&${WINDOW}&interval=tick&format=${format}`;
      const first = await app.ask(path);
      const tag = first.headers.get("etag") ?? "";
      expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
      expect((await app.ask(path, { headers: { "if-none-match": tag } })).status).toBe(304);
    }
    const other = "/v1/range?symbols=EUR&start_date=2026-04-13&end_date=2026-04-13&interval=tick&format=csv";
    const before = (await app.ask(other)).headers.get("etag");
    await archive.append([quote("USD/EUR", "0.87", Date.parse("2026-04-13T10:31:00Z"))]);
    expect((await app.ask(other)).headers.get("etag")).not.toBe(before);
  });
});

test.each([
  ["interval=tick", "as files"],
  ["interval=1m&fill=previous", "fill applies to daily rates only"],
  ["interval=1m&as_of=2026-04-10T00:00:00Z", "as_of applies to daily rates only"],
  ["interval=1m&updated_after=2026-04-10T00:00:00Z", "updated_after applies to daily rates only"],
  ["interval=1m&dp=2", "dp applies to daily rates only"],
  ["interval=1m&estimate=1", "estimate is of files"],
  ["interval=1m&format=csv&layout=wide", "layout applies to daily rates only"],
  ["interval=1m&cursor=eA.eA", "cursor"],
  ["interval=2m", "interval must be one of"],
  ["interval=1m&start_date=2026-04-10&end_date=2026-04-09", "interval|start_date"],
])("%s is refused with a reason", async (parameters, reason) => {
  const window = parameters.includes("start_date") ? "" : `&${WINDOW}`;
  expect(await app.reason(`/v1/range?symbols=EUR${window}&${parameters}`, "invalid_request")).toMatch(
    new RegExp(reason),
  );
});

test("a base among the symbols is refused, of quotes as of bars", async () => {
  await app.refused(`/v1/range?base=EUR&symbols=EUR&${WINDOW}&interval=1m`, "invalid_request");
  await app.refused(`/v1/range?base=EUR&symbols=EUR&${WINDOW}&interval=tick&format=csv`, "invalid_request");
});

test("a process that does not write the archive reads the files of the one that does", async () => {
  await archive.flush();
  const reader = await openArchive({ directory, simulated: false }, false);
  const { data } = await openTestApp({ archive: reader }).get(`/v1/range?symbols=EUR&${WINDOW}&interval=1h`);
  expect(data).toHaveLength(16);
  await reader.close();
});
