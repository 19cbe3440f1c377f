/** Latest rates and past days as CSV: the figures of the JSON at the same address, digit for digit, under the same rules. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { sampleApp } from "#test/api/sample-world.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const { ask, refused } = openTestApp();
const { visit: askLive } = sampleApp();

const COLUMNS = "date,base,symbol,rate,source,effective_at,is_forward_filled,derived";
const CODES = ["USD", "EUR", "GBP", "JPY", "HUF", "TWD"];
const DAYS = [
  "2026-03-31",
  "2026-04-02",
  "2026-04-03",
  "2026-04-05",
  "2026-04-07",
  "2026-04-12",
  "2026-04-13",
];

function rowsOf(csv: string): Record<string, string>[] {
  expect(csv).toEndWith("\r\n");
  expect(csv).not.toContain('"');
  const [header, ...lines] = csv.slice(0, -2).split("\r\n");
  expect([COLUMNS, `${COLUMNS},stale`]).toContain(header as string);
  const names = (header as string).split(",");
  return lines.map((line) => {
    const cells = line.split(",");
    expect(cells).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, at) => [name, cells[at] as string]));
  });
}

/** Digits of each rate as the JSON text has them, in its order. */
function printedRates(json: string): [string, string][] {
  const rates = /"rates":\{([^}]*)\}/.exec(json)?.[1] ?? "";
  return Array.from(rates.matchAll(/"([A-Z]{3})":([^,]+)/g), ([, code = "", digits = ""]) => [code, digits]);
}

/** Asks for JSON and CSV; null where both are the same refusal. */
async function bothOf(answer: (path: string) => Promise<Response>, path: string) {
  const separator = path.includes("?") ? "&" : "?";
  const [json, csv] = [await answer(path), await answer(`${path}${separator}format=csv`)];
  expect(csv.status, path).toBe(json.status);
  const text = await json.text();
  const body = JSON.parse(text);
  if (csv.status !== 200) {
    expect((await csv.json()).code).toBe(body.code);
    return null;
  }
  const rows = rowsOf(await csv.text());
  const rates = rows.map(({ symbol, rate }) => [symbol, rate]);
  expect(rates as unknown, path).toEqual(printedRates(text));
  // A row is of one rate: its source, its time and whether it is filled are those of the answer of that rate alone.
  for (const { symbol, source, effective_at, is_forward_filled: filled } of rows) {
    const alone = await (
      await answer(`${path.replace(/&symbols=[^&]*/, "")}${separator}symbols=${symbol}`)
    ).json();
    expect([path, symbol, source, effective_at]).toEqual([path, symbol, alone.source, alone.data_updated_at]);
    if (path.startsWith("/v1/2")) expect(filled).toBe(String(alone.is_forward_filled));
  }
  return { body, rows };
}

describe("each row is the JSON's figure", () => {
  const random = seededRandom(15);
  const oneOf = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const questions = Array.from({ length: 50 }, () => {
    const symbols = random() < 0.5 ? "" : `&symbols=${CODES.filter(() => random() < 0.5).join(",")}`;
    const dp = random() < 0.3 ? `&dp=${Math.floor(random() * 6)}` : "";
    const asOf = random() < 0.2 ? "&as_of=2026-04-13T16:00:00Z" : "";
    return `/v1/${oneOf(DAYS)}?base=${oneOf(CODES)}${symbols}${dp}${asOf}`;
  });

  test("on random days, bases, symbols and decimals", async () => {
    let compared = 0;
    for (const path of questions) {
      const both = await bothOf(ask, path);
      if (both === null) continue;
      const { body, rows } = both;
      for (const { date, base, symbol, derived } of rows)
        expect([date, base, derived]).toEqual([
          ...[body.date, body.base],
          String(body.derived_symbols.includes(symbol)),
        ]);
      expect(rows.some((row) => row["is_forward_filled"] === "true")).toBe(body.is_forward_filled);
      compared += rows.length;
    }
    expect(compared).toBeGreaterThan(80);
  });

  test("for latest rates, live and daily, on every base", async () => {
    for (const base of ["USD", "EUR", "GBP", "JPY"]) {
      for (const path of [`/v1/latest?base=${base}`, `/v1/latest/${base}?dp=3`]) {
        const { rows, body } = (await bothOf(askLive, path)) ?? { rows: [] };
        expect(rows.length).toBe(3);
        for (const { date, effective_at, symbol = "", stale } of rows)
          expect([date, stale]).toEqual([effective_at?.slice(0, 10), String(body.stale[symbol])]);
      }
    }
  });
});

test("of a rate of two sources every form names that of the least fresh figure, and JSON that of each currency", async () => {
  for (const [base, symbol] of [
    ["EUR", "TWD"],
    ["TWD", "EUR"],
  ]) {
    const [subject, day] = [`base=${base}&symbols=${symbol}`, "2026-04-10"];
    const body = await (await ask(`/v1/${day}?${subject}`)).json();
    expect([body.source, body.sources]).toEqual(["ecb_daily", { EUR: "ecb_daily", TWD: "fred_daily" }]);
    const [row] = rowsOf(await (await ask(`/v1/${day}?${subject}&format=csv`)).text());
    const range = await (await ask(`/v1/range?${subject}&start_date=${day}&end_date=${day}`)).json();
    const conversion = await (await ask(`/v1/convert/${base}/${symbol}?date=${day}`)).json();
    expect([row?.["source"], range.data[0].source, conversion.source]).toEqual(Array(3).fill("ecb_daily"));
    expect([row?.["effective_at"], conversion.data_updated_at]).toEqual(
      Array(2).fill("2026-04-10T12:15:00Z"),
    );
  }
});

test("a latest rate that rests on figures of two days has source and time of the older one, in both directions", async () => {
  for (const [base, symbol] of [
    ["TWD", "EUR"],
    ["EUR", "TWD"],
  ]) {
    const rows = rowsOf(await (await ask(`/v1/latest?base=${base}&symbols=${symbol}&format=csv`)).text());
    expect(rows).toEqual([
      expect.objectContaining({
        ...{ date: "2026-04-10", symbol, source: "fred_daily", effective_at: "2026-04-10T16:00:00Z" },
        ...{ is_forward_filled: "true", derived: "true" },
      }),
    ]);
  }
});

test("as_of is in a header, because CSV has no place for it", async () => {
  const path = "/v1/2026-04-10?as_of=2026-04-13T16:00:00Z&as_of_basis=retrieved&format=csv";
  const answer = await ask(path);
  expect(answer.headers.get("x-as-of")).toBe("2026-04-13T16:00:00Z; basis=retrieved");
});

describe("the form", () => {
  const accepting = (accept: string): RequestInit => ({ headers: { accept } });
  const mimeOf = async (path: string, accept: string) => {
    const answer = await ask(path, accepting(accept));
    expect(answer.headers.get("vary")).toMatch(/^Accept\b(?!-)/);
    return answer.headers.get("content-type")?.split(";")[0];
  };

  test.each(["/v1/latest", "/v1/latest/EUR", "/v1/2026-04-13", "/v1/2026-04-13/EUR"])(
    "%s takes it from format, then from Accept, also where the JSON is ready",
    async (path) => {
      for (const _ of ["first", "ready"]) {
        expect(await mimeOf(path, "*/*")).toBe("application/json");
        expect(await mimeOf(path, "text/csv")).toBe("text/csv");
        expect(await mimeOf(path, "text/csv, application/json;q=0.9")).toBe("text/csv");
        expect(await mimeOf(path, "application/json, text/plain, */*")).toBe("application/json");
        expect(await mimeOf(path, "text/html,application/xhtml+xml,*/*;q=0.8")).toBe("application/json");
        expect(await mimeOf(`${path}?format=json`, "text/csv")).toBe("application/json");
        expect(await mimeOf(`${path}?format=CSV`, "application/json")).toBe("text/csv");
      }
    },
  );

  test("is text/csv in UTF-8, cached like the JSON and with a tag of its own", async () => {
    for (const path of ["/v1/latest?format=csv", "/v1/2026-04-10?format=csv"]) {
      const plain = await ask(path);
      expect(plain.headers.get("content-type")).toBe("text/csv; charset=utf-8");
      const json = await ask(path.replace("?format=csv", ""));
      expect(plain.headers.get("cache-control")).toBe(json.headers.get("cache-control"));
      const etag = plain.headers.get("etag") ?? "";
      expect(etag).not.toBe(json.headers.get("etag"));
    }
  });

  test("other formats are refused, and refusals are JSON", async () => {
    await refused("/v1/latest?format=xml", "invalid_request");
    await refused("/v1/2026-04-13?format=parquet", "invalid_request");
    await refused("/v1/latest?base=XXX&format=csv", "unsupported_base");
    const missing = await refused("/v1/1998-01-01?format=csv", "no_data_for_date");
    expect(missing.headers.get("content-type")).toContain("json");
  });
});
