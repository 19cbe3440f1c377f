/** A path that was guessed, or is another service's, is a 404 that says where to go. */

import { expect, test } from "bun:test";
import { openTestApp } from "#test/api/harness.ts";
import { listen } from "#test/support/listen.ts";

const server = listen(openTestApp({ emit: () => {} }).answer);
const collector = listen(openTestApp({ emit: () => {}, probesOnly: true }).answer);

const refusal = async (path: string, of = server) => {
  const response = await fetch(`http://127.0.0.1:${of.port}${path}`);
  return { status: response.status, ...(await response.json()) };
};

test.each([
  ["/v1", "/v1/latest"],
  ["/v1/", "/v1/latest"],
  ["/latest", "/v1/latest"],
  ["/latest/", "/v1/latest"],
  ["/latest/EUR", "/v1/latest/EUR"],
  ["/latest?base=EUR", "/v1/latest"],
  ["/latest.json", "/v1/latest"],
  ["/Latest", "/v1/latest"],
  ["/rates", "/v1/latest"],
  ["/rates/EUR", "/v1/latest"],
  ["/v1/rates", "/v1/latest"],
  ["/v1/live", "/v1/latest"],
  ["/v3/latest", "/v1/latest"],
  ["/v6/latest/USD", "/v1/latest/USD"],
  ["/api/latest", "/v1/latest"],
  ["/api/v1/latest", "/v1/latest"],
  ["/convert", "/v1/convert/EUR/USD"],
  ["/convert/EUR/USD/10", "/v1/convert/EUR/USD/10"],
  ["/currencies", "/v1/currencies"],
  ["/v1/symbols", "/v1/currencies"],
  ["/2024-01-02", "/v1/2024-01-02"],
  ["/2024-01-02/EUR", "/v1/2024-01-02/EUR"],
  ["/historical", "/v1/2026-01-02"],
  ["/historical/2024-01-02.json", "/v1/2026-01-02"],
  ["/timeseries", "/v1/range"],
  ["/range", "/v1/range"],
  ["/rate/eur-usd", "/v1/rate/eur-usd"],
  ["/stream", "/v1/stream"],
  ["/mcp", "/v1/mcp/"],
  ["/swagger.json", "/openapi.json"],
  ["/healthz", "/health"],
  ["/readyz", "/status"],
])("a guess is answered with the place: %s: %s", async (path, to) => {
  const { status, code, message } = await refusal(path);
  expect([status, code]).toEqual([404, "not_found"]);
  expect(message).toContain(`try ${to},`);
});

test.each(["/nowhere", "/v1/keys/mine", "/constructor", "/v1/latest/EUR/x/y/z/..%2f"])(
  "%s is no guess that leads to itself",
  async (path) => {
    const { status, message } = await refusal(path);
    expect(status).toBe(404);
    expect(message).not.toContain(`try ${path},`);
  },
);

test("what is in the place of a date and means nothing else stays a bad date", async () => {
  for (const path of ["/v1/tomorrow", "/v1/2024-13-01", "/v1/2024-01-02T00:00:00Z"])
    expect(await refusal(path)).toMatchObject({ status: 400, code: "bad_date" });
});

test("a process that answers probes alone leads nowhere else", async () => {
  expect((await refusal("/latest", collector)).message).not.toContain("/v1/latest,");
  expect((await refusal("/healthz", collector)).message).toContain("try /health,");
});
