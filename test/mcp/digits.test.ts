import { expect, test } from "bun:test";
import { CURRENCIES } from "#domain/currency/currency.ts";
import { sampleApp } from "#test/api/sample-world.ts";
import { post } from "#test/metered/client.ts";
import { listen } from "#test/support/listen.ts";
import { MCP_HEADERS } from "./damage.ts";

const { url } = listen(sampleApp().answer);

async function contentText(tool: string, given: object): Promise<string> {
  const params = { name: tool, arguments: given };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const answer = await fetch(`${url}/v1/mcp/`, post(message, MCP_HEADERS));
  const text = await answer.text();
  const start = text.indexOf('"structuredContent":') + '"structuredContent":'.length;
  return text.slice(start, text.lastIndexOf('},"jsonrpc"'));
}

/** More digits before and behind the point than a double has. */
const AMOUNTS = ["-281474976710655.123456789012345678901234567890", "0.000000000000000000000000000001", "7"];

test.each([
  ...["USD", "EUR", "GBP"].flatMap((base) => [
    ["get_rate", { base, quote: "JPY" }, `/v1/rate/${base}-JPY`] as const,
    ["get_rate", { base, quote: "JPY", decimals: 10 }, `/v1/rate/${base}-JPY?dp=10`] as const,
    ["get_latest", { base }, `/v1/latest?base=${base}`] as const,
    ["get_historical", { date: "2026-04-11", base }, `/v1/2026-04-11?base=${base}`] as const,
  ]),
  ...AMOUNTS.map((amount) => {
    const given = { from: "USD", to: "JPY", amount, date: "2026-04-10" };
    return ["convert", given, `/v1/convert/USD/JPY?amount=${amount}&date=2026-04-10`] as const;
  }),
])("%s %j has the very text of %s", async (tool, given, path) => {
  const content = await contentText(tool, given);
  expect(content.replace(/,"rounded":-?[\d.]+\}$/, "}")).toBe(await (await fetch(`${url}${path}`)).text());
});

test("an amount is rounded half-even to the minor units of its currency, with all of them", async () => {
  const rounded = async (to: string, amount: string) =>
    /"rounded":(-?[\d.]+)\}/.exec(await contentText("convert", { from: to, to, amount }))?.[1];
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
    ["EUR", "821616070897.3151", "821616070897.32"],
    ["EUR", "99999999999999.97", "99999999999999.97"],
  ] as const)
    expect(`${amount} ${to}: ${await rounded(to, amount)}`).toBe(`${amount} ${to}: ${expected}`);
});
