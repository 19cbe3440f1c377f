/** What follows the rate of a pair: its source, time and inverse, and the converter with the rounded and the exact amount. */
/* @jsxImportSource preact */

import { useState } from "preact/hooks";
import { CONVERTED_DIGITS, inMinorUnits, LONGEST_AMOUNT } from "#domain/number/amount.ts";
import { converted, groupedAmount, readAmount } from "#web/shared/convert.ts";
import { dateOf, SourceMark, timeOf } from "#web/shared/figure.tsx";
import { type PairNow, shownRate } from "./pair-data.ts";

export function PairOrigin(now: PairNow) {
  const { base, quote, inverse, effectiveAt, boundBps } = now;
  return (
    <>
      <span id="pair-source">
        <SourceMark {...now} isSimulated={now.mark !== ""} />
      </span>
      {now.apart.length > 0 && (
        <span class="apart whole">
          Figures of different days: {now.apart.map(([code, at]) => `${code} of ${dateOf(at)}`).join(", ")}.
          The rate is rounded; all digits are in its source.
        </span>
      )}
      <span class="dim">
        {now.isDerived
          ? `cross through a third currency${boundBps === null ? "" : `, error ≤ ${boundBps} bps`}`
          : `as of ${dateOf(effectiveAt)}, ${timeOf(effectiveAt)} UTC`}
      </span>
      <a href={`/${quote}-${base}`.toLowerCase()}>
        1 {quote} = <span id="pair-inverse">{shownRate(now, inverse)}</span> {base}
      </a>
    </>
  );
}

/** No product of an amount and a rate has more digits. */
const EVERY_DIGIT = 2 * LONGEST_AMOUNT;

/** Says whether a product is rounded to CONVERTED_DIGITS digits. */
export function precisionOf(rate: string, amount: string): string {
  const isExact = converted(rate, amount) === converted(rate, amount, EVERY_DIGIT);
  return isExact ? "exactly" : `to ${CONVERTED_DIGITS} digits`;
}

export function Converter({ base, quote, rate }: Pick<PairNow, "base" | "quote" | "rate">) {
  const [amount, setAmount] = useState("100");
  const typed = readAmount(amount);
  const exact = converted(rate, amount);
  return (
    <form
      class="converter"
      action={`/${base}-${quote}`.toLowerCase()}
      onSubmit={(event) => event.preventDefault()}
    >
      <h2>Convert at the latest rate</h2>
      <label>
        <span class="dim">{base}</span>
        <input
          name="amount"
          inputMode="decimal"
          autocomplete="off"
          value={amount}
          aria-invalid={"fault" in typed ? "true" : undefined}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
      </label>
      <p class="converted">
        <span class="dim" aria-hidden="true">
          {quote}
        </span>{" "}
        {/* Screen readers, and copies of the amount, get the currency, too. */}
        <output aria-live="polite">
          {"fault" in typed ? "–" : groupedAmount(inMinorUnits(rate, typed.digits, quote))}
          <span class="visually-hidden"> {quote}</span>
        </output>
      </p>
      <p class="dim tiny exact">
        {"fault" in typed ? `${typed.fault}.` : `${precisionOf(rate, amount)} ${exact} ${quote}`}
      </p>
    </form>
  );
}
