/** The converter of a pair: the amount in minor units, and the exact one below it. */
/* @jsxImportSource preact */

import { useState } from "preact/hooks";
import { converted, moneyText, readAmount } from "#web/shared/convert.ts";

export interface ConverterProps {
  readonly base: string;
  readonly quote: string;
  /** Units of `quote` per one `base`, as printed. */
  readonly rate: string;
}

export function Converter({ base, quote, rate }: ConverterProps) {
  const [amount, setAmount] = useState("100");
  const typed = readAmount(amount);
  const exact = converted(rate, amount);
  return (
    <form
      class="converter"
      action={`/${base}-${quote}`.toLowerCase()}
      onSubmit={(event) => event.preventDefault()}
    >
      <h2>Convert</h2>
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
        <span class="dim">{quote}</span>{" "}
        <output aria-live="polite">{exact === null ? "–" : moneyText(exact, quote)}</output>
      </p>
      <p class="dim exact">{"fault" in typed ? `${typed.fault}.` : `exactly ${exact} ${quote}`}</p>
    </form>
  );
}
