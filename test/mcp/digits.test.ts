/** Numbers leave the tools with the digits of REST, whatever the pair, the day, the amount and the rounding. */

import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { CURRENCIES } from "#domain/currency/currency.ts";
import { sampleApp } from "#test/api/sample-world.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

setDefaultTimeout(60_000);

const CALLS = 100;
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: sampleApp().answer });
const url = `http://127.0.0.1:${server.port}`;
afterAll(() => server.stop(true));

const random = seededRandom(20_260_413);
const below = (count: number) => Math.floor(random() * count);
const oneOf = <T>(values: readonly T[]): T => values[below(values.length)] as T;
const CODES = ["USD", "EUR", "GBP", "JPY"] as const;
const DAYS = ["2026-04-09", "2026-04-10", "2026-04-11", "2026-04-13"];

function pair(): readonly [string, string] {
  const base = oneOf(CODES);
  return [base, oneOf(CODES.filter((code) => code !== base))];
}

/** Up to 30 digits before and after the point: more than a double has. */
function amount(): string {
  const whole = String(BigInt(below(2 ** 31)) * BigInt(1 + below(2 ** 18)));
  const fraction = Array.from({ length: below(30) }, () => below(10)).join("");
  return `${oneOf(["", "-"])}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

interface Sample {
  readonly tool: string;
  readonly given: Record<string, unknown>;
  readonly path: string;
}

function nextSample(): Sample {
  const [base, quote] = pair();
  const decimals = random() < 0.5 ? undefined : below(11);
  const dp = decimals === undefined ? "" : `dp=${decimals}`;
  const date = oneOf(DAYS);
  const kind = below(4);
  if (kind === 0)
    return {
      tool: "get_rate",
      given: { base, quote, decimals },
      path: `/v1/rate/${base}-${quote}?${dp}`,
    };
  if (kind === 1)
    return { tool: "get_latest", given: { base, decimals }, path: `/v1/latest?base=${base}&${dp}` };
  if (kind === 2)
    return {
      tool: "get_historical",
      given: { date, base, decimals },
      path: `/v1/${date}?base=${base}&${dp}`,
    };
  const value = amount();
  return {
    tool: "convert",
    given: { from: base, to: quote, amount: value, date },
    path: `/v1/convert/${base}/${quote}?amount=${value}&date=${date}`,
  };
}

/** The content as the text that was sent. */
async function contentText({ tool, given }: Sample): Promise<string> {
  const answer = await fetch(`${url}/v1/mcp/`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: given },
    }),
  });
  const text = await answer.text();
  const start = text.indexOf('"structuredContent":') + '"structuredContent":'.length;
  return text.slice(start, text.lastIndexOf('},"jsonrpc"'));
}

test(`${CALLS} random calls have the very text of their REST answers`, async () => {
  let longest = 0;
  for (let nth = 0; nth < CALLS; nth++) {
    const sample = nextSample();
    const rest = await (await fetch(`${url}${sample.path}`)).text();
    const content = await contentText(sample);
    const plain = content.replace(/,"rounded":-?[\d.]+\}$/, "}");
    expect(`${sample.path} ${plain}`).toBe(`${sample.path} ${rest}`);
    longest = Math.max(longest, ...[...rest.matchAll(/\d+\.\d+/g)].map(([digits]) => digits.length));
  }
  expect(longest).toBeGreaterThan(25);
});

test("an amount is rounded half-even to the minor units of its currency, with all of them", async () => {
  const rounded = async (to: string, amount: string) =>
    /"rounded":(-?[\d.]+)\}/.exec(
      await contentText({ tool: "convert", given: { from: to, to, amount }, path: "" }),
    )?.[1];
  expect(CURRENCIES.filter(({ minorUnits }) => minorUnits === 0).map(({ code }) => code)).toContain("JPY");
  for (const [to, amount, expected] of [
    ["EUR", "1.005", "1.00"],
    ["EUR", "1.015", "1.02"],
    ["EUR", "1.0050000001", "1.01"],
    ["EUR", "-1.015", "-1.02"],
    ["EUR", "-0.001", "0.00"],
    ["EUR", "7", "7.00"],
    ["JPY", "0.5", "0"],
    ["JPY", "1.5", "2"],
    ["JPY", "999999999999999.5", "1000000000000000"],
  ] as const)
    expect(`${amount} ${to}: ${await rounded(to, amount)}`).toBe(`${amount} ${to}: ${expected}`);
});
