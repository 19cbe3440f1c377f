/** The official Mexican values under their slugs: one figure each, as published, never mixed with another source. */

import { currencyCode, type OfficialSlug, type Slug } from "#domain/currency/currency.ts";
import type { Source } from "#domain/currency/source.ts";
import { type PairRate, simulatedAmong } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import { parseDecimal, roundDecimals } from "#domain/number/decimal.ts";
import { dofEffectiveAt, fixObservedAt, newestDueDof, newestDueFix } from "#domain/official/mexican-days.ts";
import type { OfficialRow, PublicationVersion } from "#domain/official/publication.ts";
import { dayInZone, marketSession } from "#domain/time/calendar.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import { fromLedger, heldInstead, nothingCollected, type OfficialDeps } from "./deps.ts";

interface OfficialQuote {
  readonly table: string;
  readonly source: Source;
  readonly effectiveAt: (day: Day) => Instant;
  /** The day of the newest value that is due: an earlier value is stale. */
  readonly newestDue: (now: Instant) => Day;
}

const QUOTES: Readonly<Record<OfficialSlug, OfficialQuote>> = {
  "usd-mxn-banxico": {
    table: "mex_fix",
    source: "banxico_daily",
    effectiveAt: fixObservedAt,
    newestDue: newestDueFix,
  },
  "usd-mxn-dof": {
    table: "mex_dof",
    source: "dof_daily",
    effectiveAt: dofEffectiveAt,
    newestDue: newestDueDof,
  },
};

/** An older value is no longer in force, as with every daily value. */
const LONGEST_IN_FORCE_DAYS = 14;
const ADVICE = "usd-mxn is the ordinary pair";

/**
 * The rate of an official slug, from the publication valid now. `dp` rounds half-even to decimals. Failures
 * `source_unavailable` where it is not collected, or not for two weeks; `service_unavailable`. `deps` null: official
 * tables are switched off.
 */
export async function officialQuote(
  deps: OfficialDeps | null,
  { text, official, dp, ...pair }: Slug & { readonly official: OfficialSlug; readonly dp: number | null },
): Promise<PairRate> {
  const quote = QUOTES[official];
  const offered = deps?.tables.find(({ table }) => table.id === quote.table);
  if (deps === null || offered === undefined) throw switchedOff(text);
  const now = deps.clock.now();
  const today = dayInZone(offered.table.zone, now);
  const valid = await fromLedger(() => deps.publications.validOn(quote.table, today));
  if (valid === null) throw nothingCollected(text, offered, ADVICE);
  if (valid.validFrom < today - LONGEST_IN_FORCE_DAYS) throw tooOld(text, valid);
  const [base, counter] = [currencyCode(pair.base), currencyCode(pair.quote)];
  const held = await fromLedger(() =>
    heldInstead(deps, valid, { table: quote.table, day: today, asOf: null }),
  );
  const row = valid.rows.find((one) => one.base === base && one.quote === counter);
  if (row === undefined)
    throw new Error(`${offered.table.id} ${valid.publication} has no ${base}/${counter}`);
  const effectiveAt = quote.effectiveAt(valid.validFrom);
  return {
    base: pair.base,
    quote: pair.quote,
    rate: rateText(row, dp),
    derived: false,
    boundBps: null,
    source: quote.source,
    sources: { [counter]: quote.source },
    dataUpdatedAt: effectiveAt,
    effectiveAt: { [counter]: formatInstant(effectiveAt) },
    stale: held !== null || valid.validFrom < quote.newestDue(now),
    isReference: true,
    session: marketSession(now),
    simulated: simulatedAmong(deps.simulated, [pair.quote], () => true),
  };
}

/** The rate as printed, or rounded to `dp` decimals. */
function rateText({ rate, unit }: OfficialRow, dp: number | null): string {
  const value = parseDecimal(rate);
  if (value === null || unit !== 1) throw new Error(`not a rate for one unit: ${rate} for ${unit}`);
  return dp === null ? rate : roundDecimals(value, dp);
}

function switchedOff(slug: string): Failure {
  return new Failure("source_unavailable", {
    reason: `${slug} is not collected on this server: OFFICIAL_TABLES leaves it out; ${ADVICE}`,
  });
}

function tooOld(slug: string, { validFrom }: PublicationVersion): Failure {
  return new Failure("source_unavailable", {
    reason: `the newest value of ${slug} is of ${formatDay(validFrom)}, more than ${LONGEST_IN_FORCE_DAYS} days ago; ${ADVICE}`,
  });
}
