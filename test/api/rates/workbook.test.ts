/** Excel workbooks: the cells of the CSV as real dates and numbers, read by openpyxl, with their origin on a second sheet. */

import { describe, expect, test } from "bun:test";
import { tableFromIPC } from "apache-arrow";
import { COVERAGE_START, formatDay, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { openTestApp } from "#test/api/harness.ts";
import { walkPages } from "#test/api/range/range-pages.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";
import { FIRST, hardWorld, LAST } from "#test/domain/history/printed-columns.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { expectedCell, type ReadCell, readWorkbook, workbookPython } from "#test/support/workbook.ts";

const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const app = openTestApp();
const WINDOW = "start_date=2026-04-01&end_date=2026-04-10";

const PATHS = [
  ["/v1/latest?symbols=EUR,GBP,HUF", "crossrate_USD_latest.xlsx"],
  ["/v1/latest/EUR?dp=3", "crossrate_EUR_latest.xlsx"],
  ["/v1/2026-04-05?base=EUR&as_of=2026-04-09T12:00:00Z", "crossrate_EUR_2026-04-05.xlsx"],
  [`/v1/average?base=EUR&${WINDOW}`, "crossrate_EUR_average_2026-04-01_2026-04-10.xlsx"],
  [`/v1/fluctuation?base=EUR&${WINDOW}`, "crossrate_EUR_fluctuation_2026-04-01_2026-04-10.xlsx"],
  [`/v1/range?base=EUR&symbols=USD,TWD&${WINDOW}`, "crossrate_EUR_USD-TWD_2026-04-01_2026-04-10.xlsx"],
  [`/v1/range?symbols=EUR&${WINDOW}&interval=1q`, "crossrate_USD_EUR_2026-04-01_2026-04-10_1q.xlsx"],
  [
    `/v1/range?symbols=EUR,TWD&${WINDOW}&interval=1q&aggregate=mean`,
    "crossrate_USD_EUR-TWD_2026-04-01_2026-04-10_1q_mean.xlsx",
  ],
  [
    `/v1/range?symbols=EUR&${WINDOW}&as_of=2026-04-09T12:00:00Z`,
    "crossrate_USD_EUR_2026-04-01_2026-04-10_as_of_2026-04-09T12-00-00Z_published.xlsx",
  ],
  [
    `/v1/range?symbols=EUR&${WINDOW}&updated_after=1970-01-01T00:00:00Z`,
    "crossrate_USD_EUR_2026-04-01_2026-04-10_changes.xlsx",
  ],
] as const;

const withFormat = (path: string, format: string) =>
  `${path}${path.includes("?") ? "&" : "?"}format=${format}`;

describe.skipIf(workbookPython === null)("a workbook", () => {
  test.each(PATHS)("of %s has the cells of the CSV", async (path, name) => {
    const response = await app.ask(withFormat(path, "xlsx"));
    expect([response.status, response.headers.get("content-type")]).toEqual([200, TYPE]);
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
    const { Rates, About } = await readWorkbook(await response.bytes());
    const csv = await (await app.ask(withFormat(path, "csv"))).text();
    const [head = "", ...lines] = csv.trimEnd().split(/\r?\n/);
    expect(Rates).toEqual([head.split(","), ...lines.map((line) => line.split(",").map(expectedCell))]);
    const about = new Map(About?.map(([label, value]) => [label as string, value as string]));
    const body = await app.get(path.replace("&updated_after=1970-01-01T00:00:00Z", ""));
    expect(about.get("notice")).toBe(body.notice);
    expect([about.get("interval"), about.get("aggregate")]).toEqual([body.interval, body.aggregate]);
    expect(about.get("asked")).toBe(`http://localhost${withFormat(path, "xlsx")}`);
    for (const source of new Set(Object.values(body.sources) as string[]))
      expect(about.get(`source ${source}`)).toContain(source === "ecb_daily" ? "European Central Bank" : "");
    for (const label of ["unit", "numbers", "dates", "retrieved", "version of the data"])
      expect(about.get(label)).toBeString();
  });

  test("of a range has the digits of the JSON pages, whatever their magnitude", async () => {
    const dataset = datasetOf(hardWorld(seededRandom(12)));
    const { visit } = openTestApp({ world: dataset, now: LAST * MILLISECONDS_PER_DAY });
    const symbols = ["EUR", "GBP", "IDR", "JPY", "MXN", "TWD", "ZAR"];
    const path = `/v1/range?base=USD&symbols=${symbols.join(",")}&start_date=${formatDay(FIRST)}&end_date=${formatDay(LAST)}&fill=previous`;
    const pages = await walkPages(visit, path);
    const { Rates } = await readWorkbook(await (await visit(`${path}&format=xlsx&layout=wide`)).bytes());
    const expected: ReadCell[][] = pages.map(({ date, source, is_forward_filled, rates }) => [
      ...[{ day: date }, "USD", source, is_forward_filled],
      ...symbols.map((symbol) => expectedCell(rates[symbol] ?? "")),
    ]);
    expect(Rates).toEqual([["date", "base", "source", "is_forward_filled", ...symbols], ...expected]);
  });
});

test.each(["", "&as_of=2026-04-10T18:00:00Z"])(
  "Parquet and Arrow have the unit, the notice and the sources in their metadata%s",
  async (more) => {
    const path = `/v1/range?symbols=EUR,GBP&${WINDOW}${more}`;
    const { notice } = await app.get(path);
    const file = async (format: string) => await (await app.ask(`${path}&format=${format}`)).bytes();
    const facts = {
      notice,
      unit: expect.stringContaining("for 1 unit of `base`"),
      "source ecb_daily": expect.stringContaining("European Central Bank"),
      "source fred_daily": expect.any(String),
      ...(more === "" ? {} : { as_of: "2026-04-10T18:00:00Z; basis=published" }),
    };
    const { metadata } = tableFromIPC(await file("arrow")).schema;
    expect(Object.fromEntries(metadata)).toEqual(facts);
    const parquet = Buffer.from(await file("parquet")).toString();
    for (const text of [...metadata].flat()) expect(parquet).toContain(text);
  },
);

test.each(PATHS)(
  "%s as a workbook keeps its tag and bytes, and answers conditions, HEAD and Accept",
  async (path) => {
    const url = withFormat(path, "xlsx");
    const first = await app.ask(url);
    const etag = first.headers.get("etag") as string;
    const bytes = await first.bytes();
    expect(await (await app.ask(url)).bytes()).toEqual(bytes);
    expect((await app.ask(url, { headers: { "if-none-match": etag } })).status).toBe(304);
    const head = await app.ask(url, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type"), head.headers.get("etag")]).toEqual([
      200,
      TYPE,
      etag,
    ]);
    const accepted = await app.ask(path, { headers: { accept: TYPE } });
    expect([accepted.status, accepted.headers.get("content-type")]).toEqual([200, TYPE]);
  },
);

test("of too many rows is refused before it is made, and the refusal names what to send", async () => {
  const path = "/v1/range?symbols=*&start_date=1999-01-04&end_date=2026-04-13&fill=previous&format=xlsx";
  // Six currencies every tenth day, filled: some 60,000 rows.
  const long = datasetOf(
    Array.from({ length: 990 }, (_, at) => formatDay(COVERAGE_START + at * 10)).flatMap((date) =>
      (["USD", "GBP", "JPY", "CHF", "SEK", "NOK"] as const).map((code) => ecb(date, code, "1.2345")),
    ),
  );
  const world = openTestApp({ world: long });
  expect(await world.reason(path, "invalid_request")).toMatch(
    /at most 25000 rows, and this one would have \d{5,}: send format=csv or parquet, layout=wide/,
  );
  await world.refused(`${path}&estimate=1`, "invalid_request");
  expect((await world.ask(`${path}&layout=wide&interval=1y`)).status).toBe(200);
});
