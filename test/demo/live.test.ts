/** The simulated live feeds: the shapes of the real ones, and one market behind them that moves by the second. */

import { afterEach, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { sharedDocument } from "#test/support/shared-data.ts";
import { running } from "./running.ts";

const COINBASE = "https://api.coinbase.com/v2/exchange-rates";
const OXR = "https://openexchangerates.org/api/latest.json";

/** The parts of a feed's answers that the tests read; each feed has some of them. */
interface Live {
  readonly data: { readonly currency: string; readonly rates: Record<string, string> };
  readonly timestamp: number;
  readonly base: string;
  readonly rates: Record<string, number>;
}

const NOW = "2026-04-14T15:00:30Z";
const { get, text, at, simulator } = await running(NOW);
afterEach(() => {
  simulator.behave();
  at(NOW);
});

async function json(url: string, headers: Record<string, string> = {}): Promise<Live> {
  const answer = await get(url, headers);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "application/json; charset=utf-8",
  ]);
  return await answer.json();
}

/** Names and kinds of an answer, down to the last level; of a list its first element. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [shapeOf(value[0])];
  if (value === null || typeof value !== "object") return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

function real(name: string): unknown {
  const path = sharedDocument(`live/${name}`);
  return path === null ? null : JSON.parse(readFileSync(path, "utf8"));
}

test("Coinbase: strings for all 31, finer than two basis points but for the króna, metals zero", async () => {
  const { data } = await json(`${COINBASE}?currency=USD`);
  expect([data.currency, data.rates["USD"], data.rates["XAU"]]).toEqual(["USD", "1.0000", "0"]);
  for (const code of CURRENCY_CODES) {
    const printed = data.rates[code] as string;
    const half = 0.5 * 10 ** -(printed.split(".")[1]?.length ?? 0);
    expect([code, half / Number(printed) < 0.0002]).toEqual([code, code !== "ISK"]);
  }
  const recorded = real("coinbase_exchange_rates_usd.real-2019-subset.json") as Live | null;
  if (recorded !== null) expect(shapeOf({ data })).toEqual(shapeOf(recorded));
});

test("Open Exchange Rates: numbers in JSON, one time in seconds, per dollar", async () => {
  const body = await json(OXR);
  expect([body.base, body.timestamp, body.rates["USD"]]).toEqual(["USD", Date.parse(NOW) / 1000, 1]);
  expect(Object.keys(body.rates)).toEqual([...CURRENCY_CODES]);
  const recorded = real("oxr_latest.real-2021-subset.json");
  if (recorded !== null) expect(Object.keys(body)).toEqual(Object.keys(recorded as object));
});

test("quotes move from second to second while the market is open, and the same second is always the same", async () => {
  const first = await text(OXR);
  at("2026-04-14T15:00:33Z");
  const later = await text(OXR);
  expect(later).not.toBe(first);
  at(NOW);
  expect(await text(OXR)).toBe(first);
  const fresh = await running(NOW);
  expect(await fresh.text(OXR)).toBe(first);
});
