/** One pair by its slug, flat. */

import { Digits, SERVED_AT } from "#domain/body.ts";
import { crossRate, derivationBound } from "#domain/cross.ts";
import { currencyCode } from "#domain/currency.ts";
import { dayAt, formatInstant } from "#domain/day.ts";
import { Failure } from "#domain/errors.ts";
import type { Slug } from "#domain/pair.ts";
import { noticeText, provenanceOf } from "#domain/provenance.ts";
import { marketSession } from "#domain/session.ts";
import { openView, type RatesDeps, withDecimals } from "./query.ts";

/** RateResponse. Failure `source_unavailable` for an official value that is not collected, `data_unavailable` without a rate. */
export function quote(deps: RatesDeps, slug: Slug, dp: number | null) {
  if (slug.official !== null) {
    throw new Failure("source_unavailable", {
      reason: `${slug.text} is not collected on this server; usd-mxn is the ordinary pair`,
    });
  }
  const view = openView(deps);
  const day = dayAt(view.now);
  const cross = crossRate(view.dataset.history, day, slug.base, slug.quote);
  if (cross === null) throw new Failure("data_unavailable");
  const origin = provenanceOf(view, day, slug.base, [[slug.quote, cross]]);
  return {
    result: "success",
    pair: slug.text,
    base: currencyCode(slug.base),
    quote: currencyCode(slug.quote),
    rate: new Digits(withDecimals(cross.text, dp)),
    source: origin.source,
    sources: origin.sources,
    market_session: marketSession(view.now),
    timestamp: SERVED_AT,
    data_updated_at: formatInstant(origin.dataUpdatedAt),
    stale: origin.stale[currencyCode(slug.quote)] === true,
    derived: cross.derived,
    derivation_bps_max: derivationBound(view.dataset.history, cross),
    notice: noticeText(view.dataset.simulated),
  };
}
