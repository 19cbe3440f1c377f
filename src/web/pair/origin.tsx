/** The source, the time and the inverse of a pair's rate. */
/* @jsxImportSource preact */

import { dateOf, SourceMark, timeOf } from "#web/shared/figure.tsx";
import type { PairNow } from "./pair-data.ts";

export function PairOrigin(now: PairNow) {
  const { base, quote, inverse, effectiveAt, boundBps } = now;
  return (
    <>
      <span id="pair-source">
        <SourceMark source={now.source} effectiveAt={effectiveAt} isStale={now.isStale} />
      </span>
      <span class="dim">
        {now.isDerived
          ? `cross of two published values${boundBps === null ? "" : `, error ≤ ${boundBps} bps`}`
          : `as of ${dateOf(effectiveAt)}, ${timeOf(effectiveAt)} UTC`}
      </span>
      <a href={`/${quote}-${base}`.toLowerCase()}>
        1 {quote} = <span id="pair-inverse">{inverse}</span> {base}
      </a>
    </>
  );
}
