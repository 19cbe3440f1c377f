/** Nothing but what the manifests name, and the fixed names, leads to a byte of the lake's directory. */

import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { rawExchange } from "#test/api/request/raw-exchange.ts";
import { at, DAY, quote } from "#test/store/archive/sample.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { DAILY, serveLake } from "./lake-server.ts";

const directory = join(temporaryDirectory(), "lake");
mkdirSync(directory);
writeFileSync(join(directory, "../cursor.key"), "a secret");
const server = await serveLake(directory);
await server.archive.upkeep();
// One quote stays in the journal.
await server.archive.append([quote("USD/CHF", "0.8", at("2026-03-02T12:00:00Z") + DAY)]);

async function statusOf(path: string): Promise<string> {
  const answer = await rawExchange(
    server.port,
    `GET /v1/lake/${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).not.toContain("a secret");
  return `${path} ${answer.slice("HTTP/1.1 ".length, "HTTP/1.1 200".length)} ${/"code":"(\w+)"/.exec(answer)?.[1]}`;
}

describe("nothing else is served", () => {
  test.each([
    ".writer.sqlite",
    ".columns.cache",
    "daily/source=ecb_daily/../../.writer.sqlite",
    "daily/source=ecb_daily%2fyear=2025/rates.parquet",
    "daily/source=ecb_daily/year=2025%2f..%2fyear=2025/rates.parquet",
    "daily/source=ecb_daily/year=2025/..%2f..%2f..%2fmanifest.json",
    "daily/source=ecb_daily/year=2025/..%2f..%2f..%2f..%2fcursor.key",
    "daily/source=ecb_daily/year=2025/rates.parquet",
    "daily/source=ecb_daily/year=2025/",
    "daily/source=ecb_daily/year=2025",
    "daily/_delta_log/00000000000000000000.json",
    "daily/_delta_log/x/00000000000000000000.json",
    "intraday/_delta_log/00000000000000000000.json",
    "intraday/_delta_log/.head.json",
    "held/_delta_log",
    "current/daily/source%253Decb_daily/year=2025/rates.parquet",
    "current/daily/source=ecb_daily/year=2025%00/rates.parquet",
    "current/daily/source=ecb_daily/%ff/rates.parquet",
    "current/daily/source=ecb_daily/year=2024/rates.parquet",
    "current/daily/SOURCE=ecb_daily/year=2025/rates.parquet",
    "current/daily/source=ecb_daily/year=2025/quotes.parquet",
    "current/daily/source=ecb_daily/year=2025",
    "current/daily",
    "current",
    "current/revisions/source=fred_daily/year=2025/revisions.parquet",
    "current//held/held.parquet",
    "current/current/held/held.parquet",
    "held//held.parquet",
    "superseded/source=ecb_daily/year=2025/revisions.parquet",
    "current/intraday/date=2026-03-04/quotes.parquet",
    "current/intraday/date%253D2026-03-02/quotes.parquet",
    "current/intraday/2026-03-02/quotes.parquet",
    "intraday/date=2026-03-02/..%2f..%2fmanifest.json",
    "intraday/.journal/quotes.parquet",
    "intraday/.journal/0000000001.log",
    "intraday/.journal/.owner.sqlite",
    "intraday/.writer.sqlite",
    "current/official/table_id=mex_fix/publications.parquet",
    "official/table_id=mex_fix/part-6f1c0a52-2f0e-4e43-9d0a-7b1f5b0f6c1d.parquet",
    "",
  ])("%p is not found", async (path) => {
    expect(await statusOf(path)).toBe(`${path} 404 not_found`);
  });

  // A path that leaves the lake is shortened by the URL parser, and is read as a date.
  test.each([
    "../cursor.key",
    "daily/../../../cursor.key",
    "current/../../cursor.key",
    "current/daily/../../../cursor.key",
    "daily/%2e%2e/%2e%2e/rates.parquet",
  ])("%p is no date", async (path) => {
    expect(await statusOf(path)).toMatch(/ (400 bad_date|404 not_found)$/);
  });

  test("of all that lies on the disk only data files are found, under any spelling of their paths", async () => {
    const names = readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name)));
    expect(names.length).toBeGreaterThan(20);
    expect(names.some((name) => /\.journal\/\d+\.log$/.test(name))).toBe(true);
    expect(names.some((name) => name.endsWith(".checkpoint.parquet"))).toBe(true);
    for (const name of names) {
      const isData = /(^|\/)(part-[0-9a-f-]+|rates|revisions|held|quotes)\.parquet$/.test(name);
      const expected = isData ? "200 undefined" : "404 not_found";
      for (const path of [name, name.replaceAll("=", "%3D"), name.replaceAll("-", "%2d")])
        expect(await statusOf(path)).toBe(`${path} ${expected}`);
    }
  });

  test("a data file that no version of the table has, such as one that a dead writer left, is not found", async () => {
    const part = await server.named(DAILY);
    const orphan = part.replace(/part-.*/, "part-00000000-0000-0000-0000-000000000000.parquet");
    writeFileSync(join(directory, orphan), "PAR1PAR1");
    expect(await statusOf(orphan)).toBe(`${orphan} 404 not_found`);
    expect(await statusOf(part)).toBe(`${part} 200 undefined`);
  });
});
