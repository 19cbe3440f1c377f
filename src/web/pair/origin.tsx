/** The source, the time and the inverse of a pair's rate. */
/* @jsxImportSource preact */

import { dateOf, SourceMark, timeOf } from "#web/shared/figure.tsx";
import { type PairNow, shownRate } from "./pair-data.ts";

export function PairOrigin(now: PairNow) {
  const { base, quote, inverse, effectiveAt, boundBps } = now;
  return (
    <>
      <span id="pair-source">
        <SourceMark source={now.source} effectiveAt={effectiveAt} isStale={now.isStale} />
      </span>
      {now.apart.length > 0 && (
        <span class="apart">
          Figures of different days: {now.apart.map(([code, at]) => `${code} of ${dateOf(at)}`).join(", ")}.
          The rate is rounded; all digits are in its source.
        </span>
      )}
      <span class="dim">
        {now.isDerived
          ? `cross of two published values${boundBps === null ? "" : `, error ≤ ${boundBps} bps`}`
          : `as of ${dateOf(effectiveAt)}, ${timeOf(effectiveAt)} UTC`}
      </span>
      <a href={`/${quote}-${base}`.toLowerCase()}>
        1 {quote} = <span id="pair-inverse">{shownRate(now, inverse)}</span> {base}
      </a>
    </>
  );
}
