/** Files to readers who might not see that one was cut short: they are finished before they are sent, with their length. */

import { describe, expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { rawExchange } from "#test/api/request/raw-exchange.ts";
import { datasetOf, ecb } from "#test/domain/history/columns.ts";
import { listen } from "#test/support/listen.ts";

const DAY_MILLISECONDS = 86_400_000;
const FIRST = Date.parse("2024-01-01T00:00:00Z");
const CODES = ["USD", "GBP", "JPY", "HUF", "CHF"] as const;
/** Some hundred kilobytes of each file. */
const LONG = datasetOf(
  Array.from({ length: 800 }, (_, at) =>
    new Date(FIRST + at * DAY_MILLISECONDS).toISOString().slice(0, 10),
  ).flatMap((date, at) => CODES.map((code, nth) => ecb(date, code, (1 + nth + at / 1000).toFixed(4)))),
);
const server = listen(openTestApp({ dataset: () => LONG }).answer);

const WINDOW = "symbols=*&base=EUR&start_date=2024-01-01&end_date=2026-03-01";
const FILES: readonly (readonly [path: string, accept: string])[] = [
  [`/v1/range?${WINDOW}&format=csv`, "*/*"],
  ["/v2/rates.csv?from=2024-01-01", "*/*"],
  ["/v2/rates?from=2024-01-01", "application/x-ndjson"],
];
/** How nginx asks by default, and how a proxy says that it is one. */
const WAYS = [
  ["HTTP/1.0", "Connection: close"],
  ["HTTP/1.1", "Connection: close"],
  ["HTTP/1.0", "Via: 1.1 proxy.example"],
] as const;

const ask = async (method: string, path: string, version: string, headers: string) => {
  const answer = await rawExchange(
    server.port,
    `${method} ${path} ${version}\r\nHost: localhost\r\n${headers}\r\n\r\n`,
  );
  const [head = "", ...body] = answer.split("\r\n\r\n");
  return { head: head.toLowerCase(), body: body.join("\r\n\r\n") };
};

describe.each(FILES)("%s", (path, accept) => {
  test.each(WAYS)("over %s with %s", async (version, headers) => {
    const given = `Accept: ${accept}\r\n${headers}`;
    for (const coding of ["", "\r\nAccept-Encoding: gzip"]) {
      const { head, body } = await ask("GET", path, version, given + coding);
      expect(head).toStartWith("http/1.1 200");
      expect(head).not.toContain("transfer-encoding");
      const length = Number(/^content-length: (\d+)$/m.exec(head)?.[1]);
      expect(length).toBe(body.length);
      expect(length).toBeGreaterThan(2_000);
    }
  });
});

test.each([
  "/compat/frankfurter/v1/2024-01-01..",
  "/v2/rates?from=2024-01-01",
  "/compat/oxr/time-series.json?start=2024-01-01&end=2026-03-01",
])("%s has its length, in every coding", async (path) => {
  const plain = await (await fetch(`${server.url}${path}`)).text();
  for (const coding of ["identity", "gzip", "br", "zstd"]) {
    const headers = { "accept-encoding": coding };
    const answer = await fetch(`${server.url}${path}`, { headers, decompress: false });
    const bytes = await answer.bytes();
    expect([coding, answer.headers.get("content-length")]).toEqual([coding, String(bytes.byteLength)]);
    const decoded = await fetch(`${server.url}${path}`, { headers });
    expect(await decoded.text()).toBe(plain);
  }
});
