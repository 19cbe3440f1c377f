/** The official Mexican values under their slugs: one figure each, as its authority published it, and never mixed with any other source. */

import { currencyCode } from "#domain/currency/currency.ts";
import type { OfficialSlug, Slug } from "#domain/currency/pair.ts";
import type { Source } from "#domain/currency/source.ts";
import { Failure } from "#domain/faults/errors.ts";
import { Digits, SERVED_AT } from "#domain/net/body.ts";
import { parseDecimal, roundDecimals } from "#domain/number/decimal.ts";
import { dofEffectiveAt, fixObservedAt, newestDueDof, newestDueFix } from "#domain/official/mexican-days.ts";
import type { OfficialRow, PublicationVersion } from "#domain/official/publication.ts";
import { dayInTableZone } from "#domain/official/table-day.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import { marketSession } from "#domain/time/session.ts";
import { fromLedger, nothingCollected } from "./ledger-reads.ts";
import { officialNotice } from "./official-body.ts";
import type { OfferedTable, OfficialDeps } from "./official-deps.ts";

interface OfficialQuote {
  readonly table: string;
  readonly source: Source;
  /** The instant that the value of a day is of. */
  readonly effectiveAt: (day: Day) => Instant;
  /** A value of an earlier day is stale. */
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

/** As for every daily value: what is older does not stand any more. */
const LONGEST_STANDING_DAYS = 14;
const ADVICE = "usd-mxn is the ordinary pair";

/**
 * RateResponse of an official slug, from the publication valid now. `dp` rounds half-even to decimals. Failures
 * `source_unavailable` where it is not collected, or not for two weeks; `service_unavailable`. `deps` null: official
 * tables are switched off.
 */
export async function officialQuote(
  deps: OfficialDeps | null,
  { text, official, ...pair }: Slug & { readonly official: OfficialSlug },
  dp: number | null,
): Promise<object> {
  const quote = QUOTES[official];
  const offered = deps?.tables.find(({ table }) => table.id === quote.table);
  if (deps === null || offered === undefined) throw switchedOff(text);
  const now = deps.clock.now();
  const today = dayInTableZone(offered.table.zone, now);
  const found = await standing(deps, offered, today);
  if (found === null) throw nothingCollected(text, offered, ADVICE);
  if (found.validFrom < today - LONGEST_STANDING_DAYS) throw tooOld(text, found);
  const [base, counter] = [currencyCode(pair.base), currencyCode(pair.quote)];
  const row = found.rows.find((one) => one.base === base && one.quote === counter);
  if (row === undefined)
    throw new Error(`${offered.table.id} ${found.publication} has no ${base}/${counter}`);
  return {
    result: "success",
    pair: text,
    base,
    quote: counter,
    rate: new Digits(rateText(row, dp)),
    source: quote.source,
    sources: { [counter]: quote.source },
    market_session: marketSession(now),
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(quote.effectiveAt(found.validFrom)),
    stale: found.validFrom < quote.newestDue(now),
    derived: false,
    derivation_bps_max: null,
    notice: officialNotice(deps.simulated),
  };
}

/** The publication valid today; read every few seconds at most. */
function standing({ kept, publications }: OfficialDeps, { table }: OfferedTable, today: Day) {
  return fromLedger(() => kept.read(table.id, today, () => publications.validOn(table.id, today)));
}

/** As printed; rounded only when asked to be. */
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
    reason: `the newest value of ${slug} is of ${formatDay(validFrom)}, more than ${LONGEST_STANDING_DAYS} days ago; ${ADVICE}`,
  });
}
