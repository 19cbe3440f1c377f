/** Explanations on a real lake: the rate is that of the day or the latest, its steps give it, and the query of the lake returns it. */

import { describe, expect, test } from "bun:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { COVERAGE_START, formatDay } from "#domain/time/day.ts";
import { openTestApp } from "#test/api/harness.ts";
import { CORRECTED_DAY, startDemoWithPast, startNewDemo } from "#test/docs/lake-demo.ts";
import { rounded } from "#test/live/exact.ts";
import { atEnd } from "#test/support/at-end.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read members of bodies freely
type Json = any;

const [demo, past] = [await startNewDemo(), await startDemoWithPast()];
const duckdb = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
atEnd(() => duckdb.closeSync());

async function read(path: string, from = demo): Promise<{ text: string; body: Json }> {
  const answer = await fetch(`${from.url}${path}`, { headers: { authorization: `Bearer ${from.key}` } });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} ${answer.status}: ${text}`);
  return { text, body: JSON.parse(text) };
}

const digitsOf = (text: string, name: string) => new RegExp(`"${name}":([\\d.]+)`).exec(text)?.[1] ?? "";

/** The query as its reader runs it: on the lake's directory in place of the server's address. */
async function runQuery({ query }: Json, from = demo): Promise<number> {
  const [, address] = /^SET VARIABLE lake = '([^']+)';$/m.exec(query.sql) ?? [];
  if (address !== undefined) expect(address).toEndWith("/v1/lake");
  const script = query.sql.replace(`'${address}'`, `'${from.directory}'`);
  const statements = script.split(/;\n/).filter((statement: string) => statement.trim() !== "");
  const reader = await duckdb.runAndReadAll(
    statements.map((statement: string) => `${statement};`).join("\n"),
  );
  const rows = reader.getRowsJS() as number[][];
  expect(rows).toHaveLength(1);
  expect(reader.columnNames()).toEqual(["rate"]);
  return rows[0]?.[0] as number;
}

/** The rate out of the figures of its legs alone, in whole numbers, rounded half-even as the explanation says. */
function recomputed({ legs, computation }: Json, text: string): string {
  const values = Array.from(text.matchAll(/"value":([\d.]+),"error"/g), ([, digits = ""]) => digits);
  let [above, below] = [1n, 1n];
  for (const [at, { operation }] of legs.entries()) {
    const [whole = "", fraction = ""] = (values[at] as string).split(".");
    const [units, power] = [BigInt(whole + fraction), 10n ** BigInt(fraction.length)];
    above *= operation === "multiply" ? units : power;
    below *= operation === "multiply" ? power : units;
  }
  // The fraction as it is printed is the same.
  expect(above * BigInt(computation.denominator)).toBe(below * BigInt(computation.numerator));
  if (computation.significant_digits === null) return values[0] ?? "1";
  return rounded({ top: above, bottom: below }, computation.significant_digits);
}

const random = seededRandom(16);
const oneOf = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
const TODAY = Date.parse("2026-04-13") / 86_400_000;
const QUESTIONS = Array.from({ length: 9 }, () => ({
  from: oneOf(CURRENCY_CODES),
  to: oneOf(CURRENCY_CODES),
  date: formatDay(COVERAGE_START + Math.floor(random() * (TODAY - COVERAGE_START))),
}));

describe("a day's rate", () => {
  test("of random pairs and days is that of /v1/{date}, of its steps, and of its query, to the last digit", async () => {
    let derived = 0;
    for (const { from, to, date } of QUESTIONS) {
      const path = `/v1/explain/${from}/${to}?date=${date}`;
      const rates = await read(`/v1/${date}?base=${from}&symbols=${to}`).catch((fault: Error) => fault);
      if (rates instanceof Error) {
        await expect(read(path)).rejects.toThrow("404");
        continue;
      }
      const { text, body } = await read(path);
      const rate = digitsOf(text, "rate");
      expect(`${path} ${rate}`).toBe(`${path} ${digitsOf(rates.text, to)}`);
      expect(recomputed(body, text), path).toBe(rate);
      expect(await runQuery(body), path).toBe(Number(rate));
      expect(body.computation.lines.at(-1)).toContain(from === to ? "1" : rate);
      expect(body).toMatchObject({
        from,
        to,
        date,
        source: rates.body.source,
        data_updated_at: rates.body.data_updated_at,
        is_forward_filled: rates.body.is_forward_filled,
        derived: rates.body.derived_symbols.includes(to),
      });
      if (body.derived) derived += 1;
    }
    expect(derived).toBeGreaterThan(2);
  });

  test("names the document, its digest and the times that the lake has for each figure", async () => {
    for (const { from, to, date } of QUESTIONS.slice(0, 4)) {
      const found = await read(`/v1/explain/${from}/${to}?date=${date}`).catch(() => null);
      for (const leg of found?.body.legs ?? []) {
        const reader = await duckdb.runAndReadAll(`
          SELECT document, document_sha256, revision, epoch_ms(observed_at)::DOUBLE, epoch_ms(retrieved_at)::DOUBLE, epoch_ms(published_at)::DOUBLE
          FROM read_parquet('${demo.directory}/current/daily/source=${leg.source}/year=${leg.date.slice(0, 4)}/rates.parquet')
          WHERE date = DATE '${leg.date}' AND base = '${leg.base}' AND quote = '${leg.quote}'`);
        const instant = (text: string | null) => (text === null ? null : Date.parse(text));
        expect(reader.getRowsJS() as unknown[]).toEqual([
          [
            leg.document,
            leg.document_sha256,
            leg.revision,
            instant(leg.observed_at),
            instant(leg.retrieved_at),
            instant(leg.published_at),
          ],
        ]);
        expect(leg.document).toMatch(/^https?:\/\//);
        expect(leg.authority.length).toBeGreaterThan(5);
      }
    }
  });

  test("is made of figures whose errors make the bound", async () => {
    const { body } = await read("/v1/explain/GBP/JPY?date=2026-04-10");
    let factor = 1;
    for (const { operation, value, error } of body.legs)
      factor *= operation === "multiply" ? 1 + error / value : 1 / (1 - error / value);
    const bound = Math.ceil(1e4 * (factor - 1 + 0.5e-9) * 100) / 100;
    expect(body.derivation_bps_max).toBe(bound);
  });
});

describe("the latest rate", () => {
  test("of every pair of some currencies is that of /v1/latest, of its steps, and of its query over the archive", async () => {
    const codes = ["USD", "EUR", "TWD"];
    let live = 0;
    for (const from of codes) {
      const latest = await read(`/v1/latest?base=${from}`);
      for (const to of codes.filter((code) => code !== from)) {
        const { text, body } = await read(`/v1/explain/${from}/${to}`);
        const rate = digitsOf(text, "rate");
        expect(`${from}/${to} ${rate}`).toBe(
          `${from}/${to} ${digitsOf(latest.text.slice(latest.text.indexOf('"rates"')), to)}`,
        );
        expect(recomputed(body, text), `${from}/${to}`).toBe(rate);
        expect(await runQuery(body), `${from}/${to}`).toBe(Number(rate));
        expect([body.date, body.is_forward_filled]).toEqual([null, null]);
        live += body.legs.filter(({ feed }: Json) => feed !== null).length;
      }
    }
    expect(live).toBeGreaterThan(2);
  });

  test("says of a quote who delivered it, when, and for how much", async () => {
    const { body } = await read("/v1/explain/USD/EUR");
    const [leg] = body.legs;
    expect(leg).toMatchObject({
      source: "live",
      feed: "coinbase",
      authority: "Coinbase",
      document: null,
      revision: null,
    });
    expect(leg.error).toBeGreaterThan(0);
    expect(Date.parse(leg.retrieved_at)).toBeGreaterThanOrEqual(Date.parse(leg.observed_at));
    expect(body.query.sql).toContain(`feed = 'coinbase'`);
  });
});

test("a corrected figure has its earlier value, with the document and the times of both", async () => {
  const rows = await duckdb.runAndReadAll(`
    SELECT quote, printed, document FROM read_parquet('${past.directory}/current/revisions/source=ecb_daily/*/revisions.parquet')
    WHERE date = DATE '${CORRECTED_DAY}' AND why = 'revised'`);
  const [corrected] = rows.getRowsJS() as [string, string, string][];
  const [quote = "", printed = "", document = ""] = corrected ?? [];
  const { body } = await read(`/v1/explain/EUR/${quote}?date=${CORRECTED_DAY}`, past);
  const [leg] = body.legs;
  expect(leg.revisions).toEqual([
    expect.objectContaining({ revision: 1, value: Number(printed), document, why: "revised" }),
  ]);
  expect(leg.revision).toBe(2);
  expect(leg.value).not.toBe(Number(printed));
  expect(Date.parse(leg.revisions[0].superseded_at)).toBe(Date.parse(leg.retrieved_at));
  expect(await runQuery(body, past)).toBe(body.rate);
});

test("a currency against itself is 1, by no figure", async () => {
  for (const path of ["/v1/explain/eur/EUR?date=2026-04-10", "/v1/explain/usd/usd"]) {
    const { body } = await read(path);
    expect([body.rate, body.legs, body.derived]).toEqual([1, [], false]);
    expect(await runQuery(body)).toBe(1);
  }
});

describe("refusals", () => {
  const app = openTestApp();
  test.each([
    ["/v1/explain/USD/XXX", "invalid_pair"],
    ["/v1/explain/USD/EUR?date=2026-13-01", "bad_date"],
    ["/v1/explain/USD/EUR?date=2027-01-01", "no_data_for_date"],
  ] as const)("%s is %s", (path, code) => app.refused(path, code));

  test("a day before the history of the plan is gated like the day itself", async () => {
    const answer = await fetch(`${demo.url}/v1/explain/USD/EUR?date=2020-01-02`);
    expect([answer.status, (await answer.json()).code]).toEqual([403, "plan_gated"]);
    const recent = await fetch(`${demo.url}/v1/explain/USD/EUR?date=2026-04-10`);
    expect(recent.status).toBe(200);
    expect(recent.headers.get("x-ratelimit-remaining")).not.toBeNull();
  });
});
