/** An event of the stream as pages read it. */

/** With the digits of its rates as they were sent: a JSON number would be rounded to a double. */
export interface RateEvent {
  readonly market_session: string;
  readonly timestamp: string;
  readonly sources: Readonly<Record<string, string>>;
  readonly effective_at: Readonly<Record<string, string>>;
  readonly stale: Readonly<Record<string, boolean>>;
  readonly derived_symbols: readonly string[];
  readonly digits: Readonly<Record<string, string>>;
}

const RATES = /"rates":\{([^}]*)\}/;
const RATE = /"([A-Z]{3})":([0-9.eE+-]+)/g;

/** The data of a `snapshot` or a `rates` event. */
export function readRateEvent(text: string): RateEvent {
  const digits: Record<string, string> = {};
  for (const [, code = "", rate = ""] of (RATES.exec(text)?.[1] ?? "").matchAll(RATE)) digits[code] = rate;
  return { ...JSON.parse(text), digits };
}

/** Why there are no rates, of an `unavailable` event. */
export function readRefusal(text: string): string {
  const { message } = JSON.parse(text) as { readonly message: string };
  return `There are no current rates: ${message}`;
}
