/** A short digest that is equal for two spot tables with the same latest rates. Event ids of the stream use it. */

import { createHash } from "node:crypto";
import { CURRENCY_CODES, CURRENCY_COUNT } from "#domain/currency/currency.ts";
import type { SpotStep } from "./daily.ts";
import type { SpotFigure } from "./figure.ts";
import { isDaily, type SpotTable } from "./table.ts";

/** Raised when the same table is sent to clients in another form, so that no older id is taken for the new one. */
const FORM = 2;

/**
 * Equal wherever equal latest rates are served, by whichever process and whenever: of everything that shows in them it
 * holds all, and nothing else. 22 hexadecimal digits.
 */
export function spotDigest(table: SpotTable): string {
  const { session, simulated, pending, chains, daily, expired } = table;
  const lines = CURRENCY_CODES.map((code, currency) => {
    const steps = chains[currency]?.map(stepText).join(" ") ?? "none";
    return `${code} ${expired.has(code)} ${steps}`;
  });
  const missing = pending.map(({ source, isCollecting }) => `${source} ${isCollecting}`);
  const isServed = (pair: number) =>
    isDaily(table, Math.floor(pair / CURRENCY_COUNT)) && isDaily(table, pair % CURRENCY_COUNT);
  const direct = [...daily.direct].flatMap(([pair, steps]) =>
    isServed(pair) ? `${pair} ${steps?.map(stepText).join(" ") ?? "none"}` : [],
  );
  return shortDigest([`${FORM} ${session} ${simulated}`, ...lines, ...direct, ...missing].join("\n"));
}

function stepText({ figure, multiplies }: SpotStep): string {
  return `${multiplies ? "*" : "/"}${figureText(figure)}`;
}

function figureText({ units, scale, source, observedAt, stale }: SpotFigure): string {
  return `${units}e-${scale},${source},${observedAt},${stale}`;
}

/** The beginning of a text's SHA-256, hexadecimal. */
export function shortDigest(text: string, digits = 22): string {
  return createHash("sha256").update(text).digest("hex").slice(0, digits);
}
