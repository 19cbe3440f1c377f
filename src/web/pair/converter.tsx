/** The converter of a pair, in both directions, with the API's own arithmetic. */
/* @jsxImportSource preact */

import { useState } from "preact/hooks";
import { converted } from "#web/shared/convert.ts";

export interface ConverterProps {
  readonly base: string;
  readonly quote: string;
  /** Units of `quote` per one `base`, as printed. */
  readonly rate: string;
}

export function Converter({ base, quote, rate }: ConverterProps) {
  const [amount, setAmount] = useState("100");
  const result = converted(rate, amount);
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
          aria-invalid={result === "–" ? "true" : undefined}
          onInput={(event) => setAmount(event.currentTarget.value)}
        />
      </label>
      <p class="converted">
        <span class="dim">{quote}</span> <output aria-live="polite">{result}</output>
      </p>
    </form>
  );
}
