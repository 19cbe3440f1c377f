/** Computes any pair from a spot table, inverted or triangulated through the dollar, with its error bound and provenance; and a digest that is equal for tables with the same rates. */

import { createHash } from "node:crypto";
import {
  CURRENCY_CODES,
  CURRENCY_COUNT,
  type CurrencyCode,
  type CurrencyIndex,
  currencyCode,
  EUR,
  USD,
} from "#domain/currency/currency.ts";
import { lessFresh, type Source } from "#domain/currency/source.ts";
import { type Dataset, simulatedAmong } from "#domain/dataset/dataset.ts";
import { EMPTY_BOOK } from "#domain/live/book.ts";
import type { Reference, References } from "#domain/live/live-quote.ts";
import { boundInBps, errorFactor, type FigureLeg, legsText } from "#domain/number/leg-digits.ts";
import { dayAt, formatInstant, type Instant } from "#domain/time/day.ts";
import {
  isDaily,
  type LivePolicy,
  pairKey,
  type SpotFigure,
  type SpotStep,
  type SpotTable,
  spotTable,
} from "./table.ts";

interface SpotLeg extends FigureLeg {
  readonly figure: SpotFigure;
}

export interface SpotRate {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  /** Units of `to` per one `from`, decimal digits. */
  readonly text: string;
  /** True when the rate goes through a third currency. */
  readonly derived: boolean;
  /** Everything the rate rests on; for a currency against itself the figure that makes it known. */
  readonly figures: readonly SpotFigure[];
  readonly legs: readonly SpotLeg[];
}

/** The rate, or null where one of the two currencies has none; computed once per table. */
export function spotRate(table: SpotTable, from: CurrencyIndex, to: CurrencyIndex): SpotRate | null {
  let made = madeOf.get(table);
  if (made === undefined) {
    made = [];
    madeOf.set(table, made);
  }
  const place = pairKey(from, to);
  const cached = made[place];
  if (cached !== undefined) return cached;
  const rate = from === to ? identity(table, from) : cross(table, from, to);
  made[place] = rate;
  return rate;
}

const madeOf = new WeakMap<SpotTable, (SpotRate | null)[]>();

function cross(table: SpotTable, from: CurrencyIndex, to: CurrencyIndex): SpotRate | null {
  if (isDaily(table, from) && isDaily(table, to)) {
    const steps = table.daily.direct.get(pairKey(from, to));
    if (steps === null) return null;
    const upwards = steps?.map((step) => legOf(step, true));
    if (upwards !== undefined) return rateOf(from, to, upwards);
  }
  const below = table.chains[from];
  const above = table.chains[to];
  if (!below || !above) return null;
  // Steps that both chains end with cancel out exactly: EUR→NOK of the ECB never meets the dollar.
  let shared = 0;
  while (
    shared < Math.min(below.length, above.length) &&
    below[below.length - 1 - shared]?.figure === above[above.length - 1 - shared]?.figure
  )
    shared += 1;
  const legs: SpotLeg[] = [];
  for (let at = 0; at < above.length - shared; at++) legs.push(legOf(above[at] as SpotStep, true));
  for (let at = 0; at < below.length - shared; at++) legs.push(legOf(below[at] as SpotStep, false));
  return rateOf(from, to, legs);
}

function rateOf(from: CurrencyIndex, to: CurrencyIndex, legs: readonly SpotLeg[]): SpotRate {
  const figures = legs.map(({ figure }) => figure);
  return { from, to, text: legsText(legs), derived: legs.length > 1, figures, legs };
}

function legOf({ figure, multiplies }: SpotStep, upwards: boolean): SpotLeg {
  return { figure, units: figure.units, scale: figure.scale, multiplies: multiplies === upwards };
}

/** The rate 1 where the currency is known. The dollar is known by the figure that connects the euro, else by any figure against it. */
function identity(table: SpotTable, currency: CurrencyIndex): SpotRate | null {
  const { chains, daily } = table;
  const dollar = () => (chains[EUR] ?? chains.find((chain) => chain?.length === 1))?.[0]?.figure;
  const figure =
    (currency === USD ? dollar() : undefined) ??
    (isDaily(table, currency) ? daily.ownFigures[currency] : chains[currency]?.[0]?.figure);
  if (!figure) return null;
  return { from: currency, to: currency, text: "1", derived: false, figures: [figure], legs: [] };
}

/**
 * Ceiling of the derivation error in basis points, rounded up to 0.01, by the rule of derivationBound, with half the spread of
 * bid and ask. Null when the rate is not triangulated, or its figures differ in giver or time.
 */
export function spotBound({ derived, legs }: SpotRate): number | null {
  if (!derived) return null;
  const first = (legs[0] as SpotLeg).figure;
  let factor = 1;
  for (const { figure, multiplies } of legs) {
    if (figure.giver !== first.giver || figure.observedAt !== first.observedAt) return null;
    factor *= errorFactor(figure.relativeError, multiplies);
  }
  return boundInBps(factor);
}

/**
 * Spread of the live quote behind a rate, (ask − bid) / mid in basis points, rounded to 0.01. Null for a rate of several figures, and
 * for one without a bid and an ask.
 */
export function spreadInBps({ legs: [leg, ...others] }: SpotRate): number | null {
  if (leg === undefined || others.length > 0 || leg.figure.origin.kind === "daily") return null;
  const { bid, ask, mid } = leg.figure.origin.quote;
  if (bid === null || ask === null) return null;
  return Math.round(((Number(ask) - Number(bid)) / Number(mid)) * 1e6) / 100;
}

/** The origin of one or more rates of a table on one base. The base is listed, with its least fresh own figure, where one contributes. */
export function spotOrigin(
  { simulated }: Pick<SpotTable, "simulated">,
  base: CurrencyIndex,
  rates: readonly SpotRate[],
) {
  const sources: Record<string, Source> = {};
  const effectiveAt: Record<string, string> = {};
  const stale: Record<string, boolean> = {};
  const derivedSymbols: CurrencyCode[] = [];
  const ofBase = rates.flatMap((rate) => (rate.legs.length === 0 ? [] : (ownFigure(rate, base) ?? [])));
  if (ofBase.length > 0) {
    const { source, observedAt } = leastFresh(ofBase);
    sources[currencyCode(base)] = source;
    effectiveAt[currencyCode(base)] = formatInstant(observedAt);
  }
  let least: SpotFigure | null = null;
  for (const rate of rates) {
    const code = currencyCode(rate.to);
    const leastOfRate = leastFresh(rate.figures);
    const own = ownFigure(rate, rate.to) ?? leastOfRate;
    sources[code] = own.source;
    effectiveAt[code] = formatInstant(own.observedAt);
    stale[code] = rate.figures.some((figure) => figure.stale);
    if (rate.derived) derivedSymbols.push(code);
    least = least === null ? leastOfRate : leastFresh([least, leastOfRate]);
  }
  const oldest = least as SpotFigure;
  return {
    source: oldest.source,
    sources,
    dataUpdatedAt: oldest.observedAt,
    effectiveAt,
    stale,
    derivedSymbols,
    simulated: simulatedAmong(
      simulated,
      rates.map(({ to }) => to),
      (_, at) => rates[at]?.figures.some((figure) => figure.simulated) === true,
    ),
    isReference: rates.some(({ figures }) => figures.some(({ source }) => source !== "live")),
  };
}

/** Whether a figure of an earlier day meets one of a later day. */
export function isOfTwoDays({ figures: [first, ...others] }: SpotRate): boolean {
  return others.some(({ observedAt }) => dayAt(observedAt) !== dayAt((first as SpotFigure).observedAt));
}

/** A currency's own figure in a rate, or null. The ECB has no euro figure: beside another source its dollar counts as the euro's. */
function ownFigure({ figures }: SpotRate, currency: CurrencyIndex): SpotFigure | null {
  const own = figures.find((figure) => figure.currency === currency);
  if (own !== undefined || currency !== EUR) return own ?? null;
  const dollar = figures.find((figure) => figure.currency === USD);
  return dollar !== undefined && figures.some(({ source }) => source !== dollar.source) ? dollar : null;
}

export function leastFresh(figures: readonly SpotFigure[]): SpotFigure {
  return figures.reduce((least, figure) =>
    lessFresh(figure.source, figure.observedAt, least.source, least.observedAt) ? figure : least,
  );
}

const DAILY_ONLY: LivePolicy = { currencies: new Set(), staleAfterSeconds: () => 0 };

/**
 * The rates of `latest` for one dollar without live quotes: the daily figures in force at `now`, by currency. Empty before the first
 * collection.
 */
export function referencesAt(dataset: Dataset | null, now: Instant): References {
  const table = spotTable({ dataset, book: EMPTY_BOOK, policy: DAILY_ONLY, now, simulated: false });
  const references = new Map<CurrencyCode, Reference>();
  for (const [currency, code] of CURRENCY_CODES.entries()) {
    const rate = spotRate(table, USD, currency);
    if (rate === null || currency === USD) continue;
    const observedAt = Math.min(...rate.figures.map((figure) => figure.observedAt));
    references.set(code, { perDollar: Number(rate.text), observedAt });
  }
  return references;
}

/** Raised when the same table is sent in another form: older ids are then not reused. */
const FORM = 2;

/** Equal for equal latest rates, in every process and at any time. 22 hexadecimal digits. */
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
