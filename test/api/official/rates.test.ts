/** Series and whole tables of a day over HTTP: windows, versions, pages, CSV; random ones: random.test.ts. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { CUSTOMS, collectedForEach, FIX, NOW } from "#test/official/collected.ts";
import { rowOf } from "#test/official/version.ts";
import { parquetRows } from "#test/support/parquet-rows.ts";
import { expectedCell, readWorkbook, workbookPython } from "#test/support/workbook.ts";

const world = collectedForEach();
const open = () => openTestApp({ now: NOW, official: world.deps() });
const FIX_PATH = "/v1/official/mex/fix";

interface Body {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly missing_symbols: readonly string[];
  readonly next_cursor: string | null;
  readonly notice: string;
  readonly authority: string;
}

const linesOf = ({ rows }: Body) =>
  rows.map(({ base, rate, publication, version }) => `${base} ${rate} ${publication} ${version}`);

async function publishDays(): Promise<void> {
  await world.publish(FIX, "2026-04-08", { rate: "17.08" });
  await world.publish(FIX, "2026-04-10", { rate: "17.10" });
  await world.publish(FIX, "2026-04-10", { version: 2, rate: "17.11", retrievedAt: NOW });
  await world.publish(FIX, "2026-04-13", { rate: "17.1300" });
}

describe("a series", () => {
  test("of a named period, of a tax year by the table's country", async () => {
    for (const month of ["2025-04", "2025-05", "2026-03", "2026-04"])
      await world.publish(CUSTOMS, month, {
        ...{ validFrom: `${month}-01`, validTo: `${month}-28`, rows: [rowOf("GBP", "USD", "1.3")] },
      });
    const app = open();
    const seen = async (period: string) => {
      const { rows }: Body = await app.get(`/v1/official/GBR/customs/rates?period=${period}`);
      return rows.map(({ publication }) => publication);
    };
    expect(await seen("2025")).toEqual(["2025-05", "2025-04"]);
    expect(await seen("2025-26")).toEqual(["2026-04", "2026-03", "2025-05", "2025-04"]);
    expect(await seen("gbr-2025-26")).toEqual(await seen("2025-26"));
    expect(await seen("2025-Q2")).toEqual(["2025-05", "2025-04"]);
    await app.refused(`${FIX_PATH}/rates?period=2025-26`, "invalid_request");
    await app.refused("/v1/official/GBR/customs/rates?period=2011-12", "not_found");
  });

  test("names the days without a known rate, the first ones and those between, on the page that they belong to", async () => {
    await publishDays();
    const app = open();
    const noticeOf = async (query: string) => ((await app.get(`${FIX_PATH}/rates?${query}`)) as Body).notice;
    const missing = "No rate of the window's days from 2026-01-01 to 2026-04-07 is known here.";
    expect(await noticeOf("period=2026")).toEndWith(missing);
    expect(await noticeOf("period=2026&symbols=USD")).toEndWith(missing);
    expect(await noticeOf("period=2026&limit=1")).not.toContain("No rate");
    for (const start of ["2026-04-08", "2026-04-09"])
      expect(await noticeOf(`start_date=${start}&end_date=2026-04-13`)).not.toContain("No rate");
    // In force for 14 days: those after them had other publications, which are missing here.
    await world.publish(FIX, "2026-02-02");
    const between =
      "No rate of the window's days from 2026-01-01 to 2026-02-01, from 2026-02-17 to 2026-04-07 is known here.";
    expect(await noticeOf("period=2026")).toEndWith(between);
    expect(await noticeOf("start_date=2026-02-10&end_date=2026-04-13")).toContain("days from 2026-02-17 to");
    const page: Body = await app.get(`${FIX_PATH}/rates?period=2026&limit=3`);
    expect(page.notice).not.toContain("No rate");
    expect(await noticeOf(`period=2026&limit=3&cursor=${page.next_cursor}`)).toEndWith(between);
    // Each ends on the day before the next one.
    await world.publish(CUSTOMS, "2026-03", { validFrom: "2026-03-01", validTo: "2026-03-31" });
    await world.publish(CUSTOMS, "2026-04", { validFrom: "2026-04-01", validTo: "2026-04-30" });
    const months: Body = await app.get(
      "/v1/official/GBR/customs/rates?start_date=2026-03-01&end_date=2026-04-13",
    );
    expect(months.notice).not.toContain("No rate");
  });

  test("of all versions has each once, the newest of a publication first, also where a correction moved the first day", async () => {
    await publishDays();
    await world.publish(FIX, "2026-04-13", {
      version: 2,
      rate: "17.14",
      validFrom: "2026-04-11",
      retrievedAt: NOW,
    });
    const seen = async (start: string, end: string, more = "&versions=all") =>
      linesOf(
        await open().get(`${FIX_PATH}/rates?start_date=2026-04-${start}&end_date=2026-04-${end}${more}`),
      );
    const [moved, first] = ["USD 17.14 2026-04-13 2", "USD 17.13 2026-04-13 1"];
    const tenth = ["USD 17.11 2026-04-10 2", "USD 17.1 2026-04-10 1"];
    expect(await seen("10", "12")).toEqual([moved, ...tenth]);
    expect(await seen("13", "13")).toEqual([first, moved]);
    expect(await seen("09", "13")).toEqual([moved, first, ...tenth, "USD 17.08 2026-04-08 1"]);
    // Until the correction was read, the publication began on its own day.
    const before = "&as_of=2026-04-13T12:00:00Z";
    for (const more of [before, `${before}&versions=all`])
      expect(await seen("13", "13", more)).toEqual([first]);
  });

  test("as CSV is one file with the same rows", async () => {
    await publishDays();
    const app = open();
    const path = `${FIX_PATH}/rates?start_date=2026-04-01&end_date=2026-04-13&limit=1`;
    const response = await app.ask(`${path}&format=csv`);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("public, no-cache");
    const lines = (await response.text()).split("\r\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe(
      "base,quote,rate,unit,kind,publication,version,valid_from,valid_to,published_at,retrieved_at,source_url,document_sha256,citation",
    );
    expect(lines[1]).toBe(
      `USD,MXN,17.1300,1,mid,2026-04-13,1,2026-04-13,,,2026-04-13T12:00:00Z,https://authority.example/table,${"ab".repeat(32)},"Banco de México: Pesos per US dollar, 2026-04-13, version 1, 1 USD = 17.1300 MXN, retrieved 2026-04-13T12:00:00Z, https://authority.example/table"`,
    );
  });
});

describe("as Parquet", () => {
  test("a series has the rows of the CSV with types, and the digits as printed", async () => {
    await world.publish(FIX, "2026-04-10", {
      ...{ validTo: "2026-04-12", publishedAt: Date.parse("2026-04-10T18:00:00.123Z") },
      rows: [rowOf("KWD", "MXN", "056.10"), rowOf("JPY", "MXN", "11.500", 100)],
      sourceUrl: "https://authority.example/?a=1,2",
    });
    await world.publish(FIX, "2026-04-13", { rate: "17.1300" });
    const app = open();
    const path = `${FIX_PATH}/rates?period=2026&format=parquet`;
    const response = await app.ask(path);
    expect(response.headers.get("content-type")).toBe("application/vnd.apache.parquet");
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="crossrate_mex_fix.parquet"',
    );
    const bytes = await response.bytes();
    const [types = {}] = await parquetRows(bytes, "typeof(COLUMNS(*))");
    expect(Object.entries(types).map((one) => one.join(" "))).toEqual([
      ...["base VARCHAR", "quote VARCHAR", "rate DOUBLE", "unit INTEGER", "kind VARCHAR"],
      ...["publication VARCHAR", "version INTEGER", "valid_from DATE", "valid_to DATE"],
      ...["published_at TIMESTAMP WITH TIME ZONE", "retrieved_at TIMESTAMP WITH TIME ZONE"],
      ...["source_url VARCHAR", "document_sha256 VARCHAR", "citation VARCHAR", "printed VARCHAR"],
    ]);
    const rows = await parquetRows(bytes, "* REPLACE (rate::VARCHAR AS rate)");
    const body: Body = await app.get(path.replace("&format=parquet", ""));
    expect(body.rows).toHaveLength(3);
    const texts = rows.map(({ printed, rate, ...one }) => ({
      ...one,
      rate: Number(rate),
      valid_from: (one["valid_from"] as Date).toISOString().slice(0, 10),
      valid_to: (one["valid_to"] as Date | null)?.toISOString().slice(0, 10) ?? null,
      published_at: (one["published_at"] as Date | null)?.toISOString() ?? null,
      retrieved_at: (one["retrieved_at"] as Date).toISOString().replace(".000Z", "Z"),
    }));
    expect(texts as unknown).toEqual(body.rows);
    expect(rows.map(({ printed }) => printed)).toEqual(["17.1300", "56.10", "11.500"]);
  });

  test("keeps its tag while nothing changes, and is what Accept asks for", async () => {
    await publishDays();
    const app = open();
    const headers = { accept: "application/vnd.apache.parquet" };
    const first = await app.ask(`${FIX_PATH}/in-force`, { headers });
    expect(await parquetRows(await first.bytes(), "*")).toHaveLength(1);
    const etag = first.headers.get("etag") ?? "";
    const again = await app.ask(`${FIX_PATH}/in-force`, { headers: { ...headers, "if-none-match": etag } });
    expect(again.status).toBe(304);
  });
});

describe.skipIf(workbookPython === null)("as a workbook", () => {
  test("a series has the rows of JSON with real numbers and dates; a publication named by a day stays text", async () => {
    await world.publish(FIX, "2026-04-10", {
      ...{ validTo: "2026-04-12", publishedAt: Date.parse("2026-04-10T18:00:00.123Z") },
      rows: [rowOf("KWD", "MXN", "056.10"), rowOf("JPY", "MXN", "11.500", 100)],
    });
    const app = open();
    const path = `${FIX_PATH}/rates?period=2026`;
    const response = await app.ask(`${path}&format=xlsx`);
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="crossrate_mex_fix.xlsx"');
    const { Rates, About } = await readWorkbook(await response.bytes());
    const body: Body = await app.get(path);
    const asText = new Set(["publication", "document_sha256"]);
    const rows = body.rows.map((one) =>
      Object.entries(one).map(([name, value]) =>
        asText.has(name) || value === null ? value : expectedCell(String(value)),
      ),
    );
    expect(rows).toHaveLength(2);
    expect(Rates as unknown).toEqual([Object.keys(body.rows[0] ?? {}), ...rows]);
    const about = new Map(About?.map(([label, value]) => [label as string, value as string]));
    expect(about.get("notice")).toBe(body.notice);
    expect(about.get("authority")).toBe(body.authority);
    expect(about.get("asked")).toEndWith(`${path}&format=xlsx`);
  });
});

test("a series of more rows than a file may have is refused, and says what to ask for instead; a page of JSON ends early", async () => {
  const codes = Array.from({ length: 2000 }, (_, index) => {
    const letters = [Math.floor(index / 676), Math.floor(index / 26) % 26, index % 26];
    return String.fromCharCode(...letters.map((letter) => 65 + letter));
  });
  const rows = codes.map((code) => rowOf(code, "QQQ", "1.5"));
  for (let day = 1; day <= 26; day++)
    await world.publish(FIX, `2026-03-${String(day).padStart(2, "0")}`, { rows });
  const of = `${FIX_PATH}/rates?end_date=2026-03-26&start_date=2026-03`;
  const reason = await open().reason(`${of}-25&format=xlsx`, "invalid_request");
  expect(reason).toContain("4000: send format=csv or parquet");
  expect(await open().reason(`${of}-01&format=csv`, "invalid_request")).toBe(
    "the window has more than 50000 rows: choose symbols, or a shorter window",
  );
  const body: Body = await open().get(`${of}-01`);
  expect(body.rows.length).toBe(6000);
});

test("as of an instant the table in force is that of then, also where a correction has moved it before an earlier one", async () => {
  await publishDays();
  const moved = { version: 2, rate: "17.14", validFrom: "2026-04-09", retrievedAt: NOW };
  await world.publish(FIX, "2026-04-13", moved);
  const inForce = `${FIX_PATH}/in-force?on=2026-04-13`;
  expect(linesOf(await open().get(inForce))).toEqual(["USD 17.11 2026-04-10 2"]);
  const then: Body = await open().get(`${inForce}&as_of=2026-04-13T12:00:00Z`);
  expect(linesOf(then)).toEqual(["USD 17.13 2026-04-13 1"]);
});

test("the table of a day leaves out other currencies than the symbols, and names those that it does not have", async () => {
  await world.publish(FIX, "2026-04-13", {
    rows: [rowOf("KWD", "MXN", "56.1"), rowOf("USD", "MXN", "17.3"), rowOf("JPY", "MXN", "11.5", 100)],
  });
  const body: Body = await open().get(`${FIX_PATH}/in-force?symbols=jpy,XXX,kwd`);
  expect(linesOf(body)).toEqual(["KWD 56.1 2026-04-13 1", "JPY 11.5 2026-04-13 1"]);
  expect(body.missing_symbols).toEqual(["XXX"]);
  const quoted: Body = await open().get(`${FIX_PATH}/in-force?symbols=MXN`);
  expect([quoted.rows.length, quoted.missing_symbols]).toEqual([3, []]);
});
