/** One request to a simulated upstream and its answer before the transport; how figures are printed. */

import type { Day, Instant } from "#domain/time/day.ts";
import type { World } from "./world.ts";

export interface DemoRequest {
  /** Path and query as the real host would see them; the host is the real one's. */
  readonly url: URL;
  readonly headers: Headers;
  readonly world: World;
  readonly now: Instant;
  readonly printing: Printing;
}

/** How true figures and days are printed: unchanged in the demo, in tests also with errors that authorities make. */
export interface Printing {
  /** NaN prints as "NaN". `codes`: the currency, or both of a pair. */
  value(codes: readonly string[], day: Day, newest: Day, value: number): number;
  day(day: Day, newest: Day): Day;
  /** When a published figure was replaced; null for one that never was. */
  correctedAt(code: string, day: Day): Instant | null;
  /** When this way of printing began; 0 for true figures. `serial` makes the validators of each way of printing differ. */
  readonly since: Instant;
  readonly serial: number;
}

export const TRUE_FIGURES: Printing = {
  value: (_codes, _day, _newest, value) => value,
  day: (day) => day,
  correctedAt: () => null,
  since: 0,
  serial: 0,
};

export interface Answer {
  readonly status?: number;
  readonly contentType: string;
  /** Called only when the body is really sent. */
  readonly body: () => string | Uint8Array<ArrayBuffer>;
  /** Set where the real host sends validators; the body is a function of the address and this. */
  readonly lastModified?: Instant;
}

export type Upstream = (request: DemoRequest) => Answer;

/** JSON with a status. `text` is JSON already: numbers keep the digits that the real host prints. */
export function json(text: string, status = 200): Answer {
  return { status, contentType: "application/json; charset=utf-8", body: () => text };
}

export function notFound(): Answer {
  return { status: 404, contentType: "text/plain", body: () => "Not Found" };
}

/** "366.90" → "366.9", "32.00" → "32". */
export function withoutTrailingZeros(printed: string): string {
  if (!printed.includes(".")) return printed;
  let end = printed.length;
  while (printed.charCodeAt(end - 1) === 48) end--;
  if (printed.charCodeAt(end - 1) === 46) end--;
  return printed.slice(0, end);
}
