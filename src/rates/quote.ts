/** One pair by its slug, flat; the official values of the slugs that have a third word are those of src/official/quote.ts. */

import { currencyCode } from "#domain/currency/currency.ts";
import type { Slug } from "#domain/currency/pair.ts";
import { noticeText } from "#domain/history/provenance.ts";
import { Digits, SERVED_AT } from "#domain/net/body.ts";
import { spotBound, spotOrigin, spotRate } from "#domain/spot/rates.ts";
import type { SpotTable } from "#domain/spot/table.ts";
import { formatInstant } from "#domain/time/day.ts";
import { refuseAwaitedLatest } from "./awaited.ts";
import { withDecimals, withoutRate } from "./query.ts";

/** RateResponse of an ordinary slug; the official ones are not made of these rates. Failure `data_unavailable` or `live_unavailable` without a rate. */
export function quote(table: SpotTable, slug: Omit<Slug, "official">, dp: number | null) {
  refuseAwaitedLatest(table, { base: slug.base, symbols: [slug.quote] });
  const rate = spotRate(table, slug.base, slug.quote);
  if (rate === null) throw withoutRate(table, [slug.base, slug.quote]);
  const origin = spotOrigin(slug.base, [rate]);
  return {
    result: "success",
    pair: slug.text,
    base: currencyCode(slug.base),
    quote: currencyCode(slug.quote),
    rate: new Digits(withDecimals(rate.text, dp)),
    source: origin.source,
    sources: origin.sources,
    market_session: table.session,
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(origin.dataUpdatedAt),
    stale: origin.stale[currencyCode(slug.quote)] === true,
    derived: rate.derived,
    derivation_bps_max: spotBound(rate),
    notice: noticeText(table.simulated, origin.isReference),
  };
}
