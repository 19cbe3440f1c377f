/** A misplaced key is never repeated: neither by compatible routes nor by native ones, nor by the log. */

import { expect, test } from "bun:test";
import { Failure } from "#domain/faults/errors.ts";
import { logLines, type TelemetryEvent } from "#telemetry.ts";
import { openTestApp } from "#test/api/harness.ts";

const KEY = `fxk_${"Ab3dEf9h".repeat(4)}`;
/** A key of another service: recognized as a key only by its parameter's name. */
const FOREIGN = "0123456789abcdef0123456789abcdef";

const emitted: TelemetryEvent[] = [];
const emit = (event: TelemetryEvent) => void emitted.push(event);
const { deps, visit } = openTestApp({ emit });

function expectNoKey(text: string): void {
  for (const key of [KEY, FOREIGN]) expect(text).not.toContain(key.slice(12));
}

async function outputOf(path: string, ask = visit): Promise<string> {
  emitted.length = 0;
  const response = await ask(path);
  expect(response.status).toBeGreaterThanOrEqual(400);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  return `${headers}\n${await response.text()}\n${JSON.stringify(emitted)}`;
}

test.each([
  `/compat/oxr/latest.json?base=${KEY}`,
  `/compat/oxr/historical/${KEY}.json`,
  `/compat/oxr/latest.json?symbols=${KEY}`,
  `/compat/oxr/convert/${KEY}/EUR/USD`,
  `/compat/oxr/convert/1/EUR/${KEY}`,
  `/compat/oxr/time-series.json?start=${KEY}&end=2026-04-10`,
  `/compat/oxr/ohlc.json?start_time=${KEY}&period=1m`,
  `/compat/oxr/${KEY}`,
  `/compat/frankfurter/v1/${KEY}`,
  `/compat/frankfurter/v1/latest?base=${KEY}`,
  `/compat/frankfurter/v1/latest?symbols=${KEY}`,
  `/compat/frankfurter/v2/rates?quotes=${KEY}`,
  `/compat/frankfurter/v2/rates?from=${KEY}`,
  `/compat/frankfurter/v2/rate/EUR/${KEY}`,
  `/v1/latest?base=${KEY}`,
  `/v1/${KEY}`,
  `/v1/nothing?app_id=${FOREIGN}`,
  `/v1/nothing%3Fapp_id=${FOREIGN}`,
  `/v1/nothing%3fapi_key%3D${FOREIGN}&x`,
  `/v1/convert/EUR/USD?amount=%3Fapi_key=${FOREIGN}`,
  `/compat/oxr/convert/%3Fapp_id=${FOREIGN}/EUR/USD`,
  `/compat/oxr/latest.json?base=%26app_id=${FOREIGN}`,
  `/compat/frankfurter/v2/rates?quotes=%3Fapp_id=${FOREIGN}`,
])("no refusal repeats a key, or what is named as one: %s", async (path) => {
  expectNoKey(await outputOf(path));
});

test.each(["/compat/oxr/latest.json", "/compat/frankfurter/v1/latest", "/v1/currencies"])(
  "the log of a fault has neither: %s",
  async (path) => {
    const broken = openTestApp({
      emit,
      meter: {
        ...deps.meter,
        cachedCaller: () => null,
        admit: () => {
          throw new Failure(
            "internal_error",
            {},
            new Error(`asked https://a.example/?app_id=${FOREIGN} by ${KEY}`),
          );
        },
      },
    });
    const text = await outputOf(`${path}?app_id=${FOREIGN}`, broken.visit);
    expect(text).toContain("request_failed");
    expectNoKey(text);
  },
);

test("no line of the log contains a key, whichever event prints it", () => {
  const lines: string[] = [];
  const emit = logLines({ level: "info", now: () => 0, write: (line) => void lines.push(line) });
  emit({ kind: "job_failed", job: "a-job", error: `asked https://a.example/?app_id=${FOREIGN} "by" ${KEY}` });
  expect(JSON.parse(lines[0] as string)).toMatchObject({ event: "job_failed", job: "a-job", level: "warn" });
  expectNoKey(lines[0] as string);
});
