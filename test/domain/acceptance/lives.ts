/** Made-up histories of figures, revisions and withdrawals included, as records a lake could hold; seeded, for property tests. */

import type { SupersededObservation } from "#domain/acceptance/judgement.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Dataset } from "#domain/dataset/dataset.ts";
import { buildHistory } from "#domain/history/history.ts";
import type { Observation } from "#domain/history/observation.ts";
import { ecbObservedAt, fredObservedAt } from "#domain/time/calendar.ts";
import { type Day, type Instant, MILLISECONDS_PER_DAY, parseDay } from "#domain/time/day.ts";
import { byKey, knownOf } from "#test/domain/history/columns.ts";

/** One revision as stored in the lake: in force when `supersededAt` is null. */
export interface RevisionRow extends Observation {
  readonly supersededAt: Instant | null;
  readonly why: "revised" | "withdrawn" | null;
}

const MINUTE = 60_000;
const DOCUMENT = { document: "https://example.org/rates", documentSha256: "00".repeat(32) };

/** A revision of the ECB's dollar, observed at the fixing of its day. */
export function dollar(
  date: string,
  printed: string,
  revision: number,
  retrieved: string,
  ended: { readonly at: string; readonly why: "revised" | "withdrawn" } | null = null,
): RevisionRow {
  return {
    ...{ source: "ecb_daily", base: "EUR", quote: "USD", decimals: 4, printed, revision },
    ...{ ...DOCUMENT, publishedAt: null },
    date: parseDay(date) as Day,
    observedAt: Date.parse(`${date}T12:15:00Z`),
    retrievedAt: Date.parse(retrieved),
    supersededAt: ended === null ? null : Date.parse(ended.at),
    why: ended?.why ?? null,
  };
}

export interface RevisionOptions {
  readonly random: () => number;
  readonly firstDay: Day;
  readonly days: number;
  /** How late the first retrieval of a figure may be, in days: large for a history filled in afterwards. */
  readonly latestRetrievalDays: number;
}

/** Revisions of a few currencies of both sources on every day (weekends too: what matters is that rows differ). */
export function randomRevisions({
  random,
  firstDay,
  days,
  latestRetrievalDays,
}: RevisionOptions): RevisionRow[] {
  const rows: RevisionRow[] = [];
  const series: readonly (readonly [DailySource, CurrencyCode, CurrencyCode])[] = [
    ["ecb_daily", "EUR", "USD"],
    ["ecb_daily", "EUR", "GBP"],
    ["ecb_daily", "EUR", "JPY"],
    ["fred_daily", "USD", "TWD"],
    ["fred_daily", "GBP", "USD"],
  ];
  for (let date = firstDay; date < firstDay + days; date++) {
    for (const [source, base, quote] of series) {
      if (random() < 0.3) continue;
      rows.push(...revisionsOf(random, { source, date, base, quote }, latestRetrievalDays));
    }
  }
  return rows;
}

type Key = Pick<Observation, "source" | "date" | "base" | "quote">;

function revisionsOf(random: () => number, key: Key, latestRetrievalDays: number): RevisionRow[] {
  const observedAt = key.source === "ecb_daily" ? ecbObservedAt(key.date) : fredObservedAt(key.date);
  const rows: RevisionRow[] = [];
  let retrievedAt = observedAt + Math.floor(random() * latestRetrievalDays * MILLISECONDS_PER_DAY);
  const versions = random() < 0.6 ? 1 : 1 + Math.floor(random() * 4);
  for (let revision = 1; revision <= versions; revision++) {
    const publishedAt = random() < 0.4 ? retrievedAt - Math.floor(random() * 600) * MINUTE : null;
    const printed = (1 + random() * 9).toFixed(4);
    const next = retrievedAt + Math.floor(random() * 3 * MILLISECONDS_PER_DAY);
    const last = revision === versions;
    const ends = last ? random() < 0.2 : true;
    const withdrawn = ends && (last || random() < 0.3);
    rows.push({
      ...{ ...key, printed, decimals: 4, observedAt, publishedAt, retrievedAt, revision, ...DOCUMENT },
      // A withdrawal may come a while before the next value does.
      supersededAt: withdrawn
        ? retrievedAt + Math.floor((next - retrievedAt) * random())
        : ends
          ? next
          : null,
      why: ends ? (withdrawn ? "withdrawn" : "revised") : null,
    });
    retrievedAt = next;
  }
  return rows;
}

/** The dataset of some rows: what is in force as columns, the rest as superseded. */
export function datasetOfLives(version: string, rows: readonly RevisionRow[]): Dataset {
  const current = rows.filter((row) => row.supersededAt === null);
  const superseded: SupersededObservation[] = [];
  for (const { supersededAt, why, ...row } of rows) {
    if (supersededAt !== null && why !== null)
      superseded.push({ ...row, supersededAt, why, supersededBy: row.document });
  }
  const { observations, publishedAt } = knownOf(current);
  return {
    history: buildHistory(version, observations),
    coveredThrough: {},
    simulated: false,
    revisions: { publishedAt, superseded: superseded.sort(byKey) },
  };
}
