/** The recipes of docs/spreadsheets.md: every address is sent to a metered server, and its columns and numbers are what the recipe reads. */

import { describe, expect, test } from "bun:test";
import { type Day, dayAt, formatDay } from "#domain/time/day.ts";
import { bearer, join } from "#test/metered/client.ts";
import { fixedClock, openReplica } from "#test/metered/replica.ts";
import { codeBlocks, readDocument, tableAfter } from "./document.ts";

const written = await readDocument("docs/spreadsheets.md");
/** The page, with the days that its formulas compute on a day: that of the replica, or of a spreadsheet whose clock is of another zone. */
function pageOn(today: Day): string {
  const dayFromNow = (days: string) => formatDay(today + Number(days));
  return written
    .replace(/"&TEXT\(TODAY\(\)(-\d+)?,"yyyy-mm-dd"\)&"/g, (_, days = "0") => dayFromNow(days))
    .replace('"&iso&"', dayFromNow(/=LET\(then,TODAY\(\)(-\d+),iso,YEAR/.exec(written)?.[1] ?? ""));
}
const today = dayAt(fixedClock().now());
const page = pageOn(today);
const ORIGIN = "http://localhost:3000";
const SNAPSHOT = "date,base,symbol,rate,source,effective_at,is_forward_filled,derived,stale";
/** A past day has the same columns but the last. */
const PAST_DAY = SNAPSHOT.replace(",stale", "");

const replica = await openReplica({ reach: "history", clock: fixedClock() });
const { key, organizationId } = await join(replica.url);
await replica.setTier(organizationId, "pro");

/** As a program fetches it: with the key, because a year of history is more than an anonymous caller sees. */
async function read(address: string, headers: Record<string, string> = bearer(key)): Promise<string> {
  const answer = await fetch(address.replace(ORIGIN, replica.url), { headers });
  const text = await answer.text();
  expect(`${address} ${answer.status} ${answer.status === 200 ? "" : text}`).toBe(`${address} 200 `);
  return text;
}

const rowsOf = (csv: string) =>
  csv
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(","));

function expectNumbers(rows: readonly (readonly string[])[], columns: readonly string[]): void {
  const [header = [], ...data] = rows;
  expect(data.length).toBeGreaterThan(0);
  for (const column of columns) {
    const at = header.indexOf(column);
    expect(at, column).toBeGreaterThanOrEqual(0);
    for (const row of data) if (row[at] !== "") expect(row[at]).toMatch(/^\d+(\.\d+)?$/);
  }
}

/** Addresses as they stand in the page, with the time range that Grafana would put in. */
const addresses = [
  ...new Set(
    Array.from(page.matchAll(/http:\/\/localhost:3000\/[^\s"`|]+/g), ([address]) =>
      address
        .replace(`\${__from:date:YYYY-MM-DD}`, "2026-03-01")
        .replace(`\${__to:date:YYYY-MM-DD}`, "2026-04-10"),
    ),
  ),
  // The script puts this one together.
].filter((address) => !address.includes("{query}"));

test("no formula for Excel has letters for dates: each language has others", () => {
  expect(written.split("\n## ").find((part) => part.startsWith("Excel"))).not.toMatch(/TEXT\([^"]*"y/i);
});

test("the page has addresses of all kinds", () => {
  expect(addresses.length).toBeGreaterThan(8);
});

test.each(addresses)("%s answers with what the page says", async (address) => {
  const { pathname, searchParams } = new URL(address);
  const text = await read(address);
  if (pathname.endsWith(".atom")) return expect(text).toStartWith("<?xml");
  const symbols = searchParams.get("symbols")?.split(",") ?? [];
  if (searchParams.get("format") !== "csv") {
    const { data } = JSON.parse(text) as { data: { date: string; rates: Record<string, number> }[] };
    expect(data.length).toBeGreaterThan(10);
    return expect(data.every(({ rates }) => symbols.every((code) => typeof rates[code] === "number"))).toBe(
      true,
    );
  }
  const rows = rowsOf(text);
  if (pathname !== "/v1/range") {
    expect(rows[0]?.join(",")).toBe(pathname.startsWith("/v1/latest") ? SNAPSHOT : PAST_DAY);
    return expectNumbers(rows, ["rate"]);
  }
  const isWide = searchParams.get("layout") === "wide";
  expectNumbers(rows, isWide ? symbols : ["rate"]);
  return expect(rows[0]?.[0]).toBe("date");
});

const formulasIn = (page: string) => codeBlocks(page).filter(({ language }) => language === "excel");
const formulas = formulasIn(page);

test.each([-1, 0, 1])("no formula needs a key, which it could not send, %i days beside UTC", async (days) => {
  const shown = formulasIn(pageOn(today + days)).flatMap(
    ({ content }) => content.match(/http:\/\/[^"]+/g) ?? [],
  );
  expect(shown.length).toBe(5);
  for (const address of shown) await read(address, { "x-forwarded-for": `203.0.113.${81 + days}` });
});

test("the table names the columns of each address", async () => {
  const table = tableAfter(page, "what");
  expect(table.length).toBe(4);
  for (const [, address = "", columns = ""] of table) {
    const [header] = rowsOf(await read(address));
    expect(header?.join(", ")).toBe(
      columns === "the same without stale" ? PAST_DAY.replaceAll(",", ", ") : columns,
    );
  }
});

const queries = codeBlocks(page).filter(({ language }) => language === "m");
test.each(queries.map(({ content }) => [/RelativePath = "([^"]+)"/.exec(content)?.[1], content] as const))(
  "the query of %s for Power Query gives a table with numbers",
  async (_, source) => {
    const [, origin = "", path = ""] =
      /Web\.Contents\("([^"]+)", \[\s*RelativePath = "([^"]+)"/.exec(source) ?? [];
    const query = /Query = \[([^\]]*)\]/.exec(source)?.[1] ?? "";
    const parameters = Array.from(query.matchAll(/(\w+) = "([^"]*)"/g), ([, name = "", value = ""]) => [
      name,
      value,
    ]);
    const header = /Authorization = "([^"]+)"/.exec(source)?.[1]?.replace("fxk_…", key) ?? "";
    const rows = rowsOf(
      await read(`${origin}/${path}?${new URLSearchParams(parameters)}`, { authorization: header }),
    );
    const numbers = Array.from(source.matchAll(/\{"(\w+)", type number\}/g), ([, name = ""]) => name);
    expect(numbers.length).toBeGreaterThan(0);
    expectNumbers(rows, numbers);
    expect(rows[0]).toContain("date");
  },
);

describe("formulas of one cell read the rate", () => {
  const ofCells = formulas.map(({ content }) => content).filter((text) => text.includes("WEBSERVICE"));
  const addressIn = (formula: string) => /WEBSERVICE\("([^"]+)"\)/.exec(formula)?.[1] ?? "";
  const rateOf = async (address: string) => {
    const json = await read(address.replace("&format=csv", ""));
    return /"EUR":([\d.]+)/.exec(json.slice(json.indexOf('"rates"')))?.[1];
  };

  test("of Excel: text behind the first line feed, split at commas, the fourth", async () => {
    const formula = ofCells.find((one) => one.includes("TEXTSPLIT")) ?? "";
    const csv = await read(addressIn(formula));
    const [, place] = /,(\d+)\),"\."\)/.exec(formula) ?? [];
    expect(csv.slice(csv.indexOf("\n") + 1).split(",")[Number(place) - 1]).toBe(
      await rateOf(addressIn(formula)),
    );
  });

  test("of Calc: the match of an expression by its number", async () => {
    const formula = ofCells.find((one) => one.includes("REGEX")) ?? "";
    const [, expression = "", place] = /;"(\[[^"]+)";;(\d+)\)/.exec(formula) ?? [];
    const csv = await read(addressIn(formula));
    expect(csv.match(new RegExp(expression, "g"))?.[Number(place) - 1]).toBe(
      await rateOf(addressIn(formula)),
    );
  });
});

test("the function of Apps Script returns a table with numbers, and sends the key", async () => {
  const source = codeBlocks(page).find(({ language }) => language === "js")?.content ?? "";
  let fetched: { address: string; headers: { Authorization: string } } | null = null;
  let text: string | null = null;
  // Apps Script waits for a fetch; here the function runs once to see what it fetches, and once with the answer.
  const stop = new Error("fetching");
  const script = new Function(
    "PropertiesService",
    "UrlFetchApp",
    "Utilities",
    "SpreadsheetApp",
    `${source}; return CROSSRATE;`,
  )(
    { getScriptProperties: () => ({ getProperty: () => key }) },
    {
      fetch: (address: string, { headers }: { headers: { Authorization: string } }) => {
        fetched = { address, headers };
        if (text === null) throw stop;
        return { getContentText: () => text };
      },
    },
    {
      parseCsv: rowsOf,
      formatDate: (date: Date, timeZone: string) =>
        new Intl.DateTimeFormat("sv-SE", { timeZone }).format(date),
    },
    { getActive: () => ({ getSpreadsheetTimeZone: () => "Asia/Tokyo" }) },
  ) as (base: string, symbols: string, day?: string | Date) => (string | number)[][];
  // A cell with a date comes as midnight of the sheet's zone; an empty one as an empty text.
  for (const [day, path] of [
    ["2024-03-28", "2024-03-28"],
    [new Date("2024-03-27T15:00:00Z"), "2024-03-28"],
    ["", "latest"],
  ] as const) {
    expect(() => script("USD", "EUR,GBP", day)).toThrow(stop);
    expect((fetched as unknown as { address: string }).address).toContain(`/v1/${path}?base=USD`);
  }
  expect(() => script("USD", "EUR,GBP")).toThrow(stop);
  const { address, headers } = fetched as unknown as NonNullable<{
    address: string;
    headers: { Authorization: string };
  }>;
  text = await read(address, { authorization: headers.Authorization });
  const [columns, ...rows] = script("USD", "EUR,GBP");
  expect(columns?.join(",")).toBe(SNAPSHOT);
  expect(rows.map((row) => [row[2], typeof row[3]])).toEqual([
    ["EUR", "number"],
    ["GBP", "number"],
  ]);
});
