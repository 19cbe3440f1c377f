/** Daily changes out of a seed, and what the lake must hold after each: worked out here from the changes, not by the lake's code. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { Observation, Provenance } from "#domain/history/observation.ts";
import { type Day, dayOf, formatDay } from "#domain/time/day.ts";
import type { LakeChange } from "#ports.ts";
import { KnownInMemory } from "#test/domain/acceptance/known-in-memory.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

/** The rows of a table without their order, as a count and a digest: the same in the model, in DuckDB and in Python. */
export interface Contents {
  readonly rows: number;
  /** SHA-256 of the sorted lines, one a row, joined by line ends. */
  readonly digest: string;
}

export function contentsOf(lines: readonly string[]): Contents {
  const text = lines.toSorted().join("\n");
  return { rows: lines.length, digest: new Bun.CryptoHasher("sha256").update(text).digest("hex") };
}

const QUOTES: Record<DailySource, readonly CurrencyCode[]> = {
  ecb_daily: ["USD", "JPY", "NOK", "GBP"],
  fred_daily: ["CAD", "INR", "THB"],
};
const FIRST = dayOf(2023, 1, 2) as Day;
const LAST = dayOf(2025, 12, 30) as Day;
/** Days between two of the history, so that three years stay small. */
const EVERY = 9;
const RETRIEVED = Date.UTC(2026, 0, 5, 15);

/** What a step is about, and how often it comes. */
const KINDS = [
  ["day", 20],
  ["correction", 40],
  ["withdrawal", 10],
  ["held", 10],
  ["coverage", 20],
] as const;
type Kind = (typeof KINDS)[number][0];

export interface DailyState {
  readonly daily: Contents;
  readonly revisions: Contents;
  readonly held: Contents;
}

/** Steps of one seed are always the same; a caller that continues in the middle calls `next` for those before. */
export function dailyWork(seed: number) {
  const random = seededRandom(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const rates = new KnownInMemory();
  const revisionsOf = new Map<string, number>();
  const newest = new Map<DailySource, Day>();
  let step = -1;

  const keyOf = (figure: FigureOfSource) => `${figure.source} ${figure.date} ${figure.base} ${figure.quote}`;
  const provenance = (source: DailySource): Provenance => ({
    source,
    document: `https://example.org/${source}/${step}`,
    documentSha256: step.toString(16).padStart(64, "0"),
    retrievedAt: RETRIEVED + step * 60_000,
  });
  const figure = (source: DailySource, date: Day, quote: CurrencyCode): Observation => {
    const base = PIVOT[source];
    const revision = (revisionsOf.get(keyOf({ source, date, base, quote })) ?? 0) + 1;
    const printed = (1 + random() * 99).toFixed(4);
    const figure = { date, base, quote, printed, decimals: 4, revision };
    const observedAt = date * 86_400_000 + 47_700_000;
    return { ...figure, observedAt, publishedAt: null, ...provenance(source) };
  };
  const dayFigures = (source: DailySource, date: Day) => {
    newest.set(source, Math.max(date, newest.get(source) ?? 0));
    return QUOTES[source].map((quote) => figure(source, date, quote));
  };
  const history = () => {
    const length = Math.floor((LAST - FIRST) / EVERY) + 1;
    const days = Array.from({ length }, (_, nth) => FIRST + nth * EVERY);
    return DAILY_SOURCES.flatMap((source) => days.flatMap((date) => dayFigures(source, date)));
  };
  /** Different figures in force, of any years and sources. */
  const some = (most: number) => {
    const all = rates.current;
    const count = 1 + Math.floor(random() * most);
    return [...new Set(Array.from({ length: count }, () => pick(all)))];
  };

  const make = (kind: Kind | "history"): Partial<LakeChange> => {
    if (kind === "history") return { accepted: history() };
    if (kind === "day") {
      const source = pick(DAILY_SOURCES);
      return { accepted: dayFigures(source, (newest.get(source) as Day) + 1) };
    }
    if (kind === "correction")
      return { accepted: some(4).map(({ source, date, quote }) => figure(source, date, quote)) };
    if (kind === "withdrawal")
      return { withdrawn: some(2).map((old) => ({ ...old, ...provenance(old.source), publishedAt: null })) };
    if (kind === "held") {
      const { held } = rates.known;
      if (held.length > 3) return { held: held.slice(1) };
      const [one] = some(1) as [Observation];
      const { revision: _, ...rest } = figure(one.source, one.date, one.quote);
      return { held: [...held, { ...rest, rule: "implausible_jump", reason: `step ${step}` }] };
    }
    return {};
  };

  return {
    /** Makes the next change and applies it to the state. The first one is the history. */
    next: () => {
      step += 1;
      const kind = step === 0 ? "history" : kindAt(random());
      const part = make(kind);
      const coverage = DAILY_SOURCES.map((source) => ({
        source,
        coveredThrough: newest.get(source) as Day,
        retrievedAt: RETRIEVED + step * 60_000,
      }));
      const change: LakeChange = { accepted: [], withdrawn: [], held: rates.known.held, coverage, ...part };
      for (const one of change.accepted) revisionsOf.set(keyOf(one), one.revision);
      rates.apply(change);
      return change;
    },
    state: () => ({
      daily: contentsOf(rates.current.map(lineOf)),
      revisions: contentsOf(rates.superseded.map((row) => `${lineOf(row)} ${row.supersededAt} ${row.why}`)),
      held: contentsOf(rates.known.held.map((row) => `${nameOf(row)} ${row.printed} ${row.rule}`)),
    }),
  };
}

type FigureOfSource = Pick<Observation, "source" | "date" | "base" | "quote">;

function kindAt(random: number): Kind {
  let left = random * KINDS.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of KINDS) {
    left -= weight;
    if (left < 0) return kind;
  }
  return "coverage";
}

function nameOf({ source, date, base, quote }: FigureOfSource): string {
  return `${source} ${formatDay(date)} ${base} ${quote}`;
}

function lineOf(row: Observation): string {
  return `${nameOf(row)} ${row.printed} ${row.revision} ${row.retrievedAt}`;
}
