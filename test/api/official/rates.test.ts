/** Series and whole tables of a day over HTTP: windows, versions, pages, CSV; and 120 random ones against an oracle. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { OfficialKind, OfficialRow, OfficialTable } from "#domain/official/publication.ts";
import { officialAdapters } from "#sources/official/catalogue.ts";
import { openTestApp } from "#test/api/harness.ts";
import { CUSTOMS, collected, collectedForEach, DOF, FIX, NOW } from "#test/official/collected.ts";
import { day } from "#test/sources/documents.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { expectedCell, readWorkbook, workbookPython } from "#test/support/workbook.ts";

const world = collectedForEach();
const open = () =>
  openTestApp({ clock: { now: () => NOW }, official: world.deps(collected(FIX, DOF, CUSTOMS)) });
const row = (base: string, quote: string, rate: string, unit = 1): OfficialRow => ({
  ...{ base, quote, rate, unit, kind: "mid" as OfficialKind },
});
const FIX_PATH = "/v1/official/mex/fix";

interface Body {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly missing_symbols: readonly string[];
  readonly next_cursor: string | null;
  readonly notice: string;
  readonly authority: string;
}

/** "<base> <rate> <publication> <version>" of each row. */
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
        ...{ validFrom: `${month}-01`, validTo: `${month}-28`, rows: [row("GBP", "USD", "1.3")] },
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

/** Every row of a Parquet file, as text, and the types of its columns. */
async function readParquet(bytes: Uint8Array) {
  const file = join(temporaryDirectory(), "rates.parquet");
  await Bun.write(file, bytes);
  const duckdb = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
  const types = await duckdb.runAndReadAll(`DESCRIBE FROM '${file}'`);
  const rows = await duckdb.runAndReadAll(`SELECT * REPLACE (rate::VARCHAR AS rate) FROM '${file}'`);
  duckdb.closeSync();
  return {
    types: types.getRowObjectsJS().map(({ column_name, column_type }) => `${column_name} ${column_type}`),
    rows: rows.getRowObjectsJS() as Record<string, unknown>[],
  };
}

describe("as Parquet", () => {
  test("a series has the rows of the CSV with types, and the digits as printed", async () => {
    await world.publish(FIX, "2026-04-10", {
      ...{ validTo: "2026-04-12", publishedAt: Date.parse("2026-04-10T18:00:00.123Z") },
      rows: [row("KWD", "MXN", "056.10"), row("JPY", "MXN", "11.500", 100)],
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
    const { types, rows } = await readParquet(await response.bytes());
    expect(types).toEqual([
      ...["base VARCHAR", "quote VARCHAR", "rate DOUBLE", "unit INTEGER", "kind VARCHAR"],
      ...["publication VARCHAR", "version INTEGER", "valid_from DATE", "valid_to DATE"],
      ...["published_at TIMESTAMP WITH TIME ZONE", "retrieved_at TIMESTAMP WITH TIME ZONE"],
      ...["source_url VARCHAR", "document_sha256 VARCHAR", "citation VARCHAR", "printed VARCHAR"],
    ]);
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
    expect((await readParquet(await first.bytes())).rows).toHaveLength(1);
    const etag = first.headers.get("etag") ?? "";
    const again = await app.ask(`${FIX_PATH}/in-force`, { headers: { ...headers, "if-none-match": etag } });
    expect(again.status).toBe(304);
  });
});

describe.skipIf(workbookPython === null)("as a workbook", () => {
  test("a series has the rows of JSON with real numbers and dates; a publication named by a day stays text", async () => {
    await world.publish(FIX, "2026-04-10", {
      ...{ validTo: "2026-04-12", publishedAt: Date.parse("2026-04-10T18:00:00.123Z") },
      rows: [row("KWD", "MXN", "056.10"), row("JPY", "MXN", "11.500", 100)],
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

  test("of more rows than a workbook may have is refused, and says what to ask for instead", async () => {
    const codes = Array.from({ length: 1001 }, (_, index) => {
      const letters = [Math.floor(index / 676), Math.floor(index / 26) % 26, index % 26];
      return String.fromCharCode(...letters.map((letter) => 65 + letter));
    });
    for (const day of ["2026-04-10", "2026-04-13"])
      await world.publish(FIX, day, { rows: codes.map((code) => row(code, "QQQ", "1.5")) });
    const path = `${FIX_PATH}/rates?period=2026&format=xlsx`;
    expect(await open().reason(path, "invalid_request")).toContain("2002: send format=csv or parquet");
  });
});

describe("the table of a day", () => {
  test("leaves out other currencies than the symbols, and names those that it does not have", async () => {
    await world.publish(FIX, "2026-04-13", {
      rows: [row("KWD", "MXN", "56.1"), row("USD", "MXN", "17.3"), row("JPY", "MXN", "11.5", 100)],
    });
    const body: Body = await open().get(`${FIX_PATH}/in-force?symbols=jpy,XXX,kwd`);
    expect(linesOf(body)).toEqual(["KWD 56.1 2026-04-13 1", "JPY 11.5 2026-04-13 1"]);
    expect(body.missing_symbols).toEqual(["XXX"]);
  });
});

/** A random world over all tables, and what the documentation says that its answers are. */
describe("120 random tables of a day and series", () => {
  const TABLES: readonly OfficialTable[] = officialAdapters({ banxicoToken: "0".repeat(64) });
  const STEPS = { daily: 1, weekly: 7, monthly: 30, quarterly: 90 };
  const LONGEST_DAYS = { daily: 14, weekly: 28, monthly: 70, quarterly: 200 };
  const CODES = ["USD", "JPY", "KWD", "ISK", "HRK"];
  const KINDS: readonly OfficialKind[] = ["mid", "buy", "sell", "average"];
  const DAY = 86_400_000;
  const next = seededRandom(20_261_128);
  const random = (below: number) => Math.floor(next() * below);
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const textOf = (of: number) => new Date(of * DAY).toISOString().slice(0, 10);
  const todayIn = (zone: string, at: number) =>
    new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" }).format(at);

  interface Version {
    readonly name: string;
    readonly version: number;
    readonly from: string;
    readonly to: string | null;
    readonly at: number;
    readonly rows: readonly OfficialRow[];
  }

  /** Versions of a table in the order of their publications. */
  async function publishSome(table: OfficialTable): Promise<readonly Version[]> {
    const step = STEPS[table.cadence];
    const isStated = random(2) === 0;
    const all: Version[] = [];
    for (let from = day("2026-04-20") - 30 * step; from <= day("2026-04-20"); from += step * (1 + random(3)))
      for (const version of random(4) === 0 ? [1, 2] : [1]) {
        // A correction may move the first day, between those of its neighbours.
        const first = from - (version === 2 ? random(Math.min(step, 5)) : 0);
        const at = (from + version) * DAY - random(DAY) - DAY * random(step);
        const own = table.currency;
        const rows = CODES.filter((code) => code !== own && random(5) > 0).map((code): OfficialRow => {
          const digits = `${random(300)}.${String(random(99_999) + 1).padStart(5, "0")}`;
          const [base, quote] = random(2) === 0 ? [code, own] : [own, code];
          return { base, quote, rate: digits, unit: pick([1, 100]), kind: pick(KINDS) };
        });
        const before = all.at(-1);
        const isLater = before === undefined || before.name !== textOf(from) || before.at < at;
        if (at > NOW || rows.length === 0 || !isLater || (version === 2 && before?.name !== textOf(from)))
          continue;
        const to = isStated ? textOf(from + step - 1) : null;
        const one = { name: textOf(from), version, from: textOf(first), to, at, rows };
        all.push(one);
        const days = { validFrom: one.from, validTo: to };
        await world.publish(table, one.name, { ...days, version, rows, retrievedAt: at });
      }
    return all;
  }

  const known = (all: readonly Version[], asOf: number) => all.filter(({ at }) => at <= asOf);

  /** The newest known version of each publication. */
  const newest = (all: readonly Version[], asOf: number) =>
    known(all, asOf).filter((one, index, list) => list[index + 1]?.name !== one.name);

  function inForce(table: OfficialTable, all: readonly Version[], on: string, asOf: number): Version | null {
    const last = newest(all, asOf).findLast(({ from }) => from <= on);
    if (last === undefined) return null;
    if (last.to !== null) return on <= last.to ? last : null;
    if (day(on) - day(last.from) > LONGEST_DAYS[table.cadence]) return null;
    return on <= todayIn(table.zone, asOf) || last.from === on ? last : null;
  }

  const linesFor = (versions: readonly Version[], symbols: readonly string[] | null) =>
    versions.flatMap(({ name, version, from, to, rows }) =>
      rows
        .filter(
          ({ base, quote }) => symbols === null || symbols.some((code) => code === base || code === quote),
        )
        .map(({ base, quote, rate, unit, kind }) =>
          [base, quote, Number(rate), unit, kind, name, version, from, to ?? ""].join(),
        ),
    );
  const linesIn = ({ rows }: Body) => rows.map((one) => Object.values(one).slice(0, 9).join());
  const linesInCsv = (text: string) =>
    text
      .trimEnd()
      .split("\r\n")
      .slice(1)
      .map((line) => line.split(",").slice(0, 9))
      .map(([base, quote, rate, ...rest]) => [base, quote, Number(rate), ...rest].join());

  test("equal the oracle", async () => {
    const worlds = new Map<OfficialTable, readonly Version[]>();
    for (const table of TABLES) worlds.set(table, await publishSome(table));
    const app = openTestApp({ clock: { now: () => NOW }, official: world.deps(collected(...TABLES)) });
    let [answered, refused, nth] = [0, 0, 0];
    while (answered < 120) {
      nth += 1;
      const table = TABLES[nth % TABLES.length] as OfficialTable;
      const all = worlds.get(table) ?? [];
      const reach = 32 * STEPS[table.cadence];
      const [on, more] = [day("2026-04-22") - random(reach), random(reach)];
      const asOf = random(3) === 0 ? Math.min(NOW, on * DAY + random(3 * DAY)) : NOW;
      const symbols = random(2) === 0 ? [pick(CODES), pick(CODES)] : null;
      const shared = `${asOf === NOW ? "" : `&as_of=${new Date(asOf).toISOString()}`}${symbols === null ? "" : `&symbols=${symbols}`}`;
      const path = `/v1/official/${table.country}/${table.types[0]}`;
      const valid = inForce(table, all, textOf(on), asOf);
      if (random(2) === 0) {
        const url = `${path}/in-force?on=${textOf(on)}${shared}`;
        const lines = valid === null ? [] : linesFor([valid], symbols);
        if (lines.length === 0) {
          refused += 1;
          await app.refused(url, "not_found");
          continue;
        }
        expect([url, linesIn(await app.get(url)).sort()]).toEqual([url, lines.sort()]);
      } else {
        const [versions, limit] = [pick(["newest", "all"]), 1 + random(20)];
        const url = `${path}/rates?start_date=${textOf(on)}&end_date=${textOf(on + more)}&versions=${versions}&limit=${limit}${shared}`;
        const isIn = ({ from }: Version) => from >= textOf(on) && from <= textOf(on + more);
        const chosen = versions === "all" ? known(all, asOf) : newest(all, asOf);
        const first = valid !== null && valid.from < textOf(on) ? valid.name : null;
        const before = chosen.filter(({ name, from }) => name === first && from < textOf(on));
        const lines = linesFor([...chosen.filter(isIn), ...before], symbols).sort();
        if (lines.length === 0) {
          refused += 1;
          await app.refused(url, "not_found");
          continue;
        }
        const found: string[] = [];
        for (let cursor = ""; ; ) {
          const page: Body = await app.get(`${url}${cursor}`);
          found.push(...linesIn(page));
          if (page.next_cursor === null) break;
          cursor = `&cursor=${page.next_cursor}`;
        }
        expect([url, found.sort()]).toEqual([url, lines]);
        const csv = await (await app.ask(`${url}&format=csv`)).text();
        expect([url, linesInCsv(csv).sort()]).toEqual([url, lines]);
      }
      answered += 1;
    }
    expect(refused).toBeGreaterThan(8);
  }, 120_000);
});
