/** One request to a simulated upstream and its answer before the transport; faults that a test can switch on; how figures are printed. */

import { type Day, dayOf, formatDay, type Instant, parseDay } from "#domain/time/day.ts";
import type { World } from "./world.ts";

export interface DemoRequest {
  /** Path and query as the real host would see them; the host is the real one's. */
  readonly url: URL;
  readonly headers: Headers;
  /** The body of a POST; null for any other method. */
  readonly question: string | null;
  readonly world: World;
  readonly now: Instant;
  readonly fault: FigureFault | null;
  /** When the fault was switched on; meaningless without a fault. */
  readonly faultSince: Instant;
}

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

/** Answers instead of `intact`: the document does not arrive as it should. `gone` resolves when the server stops. */
export type BrokenTransport = (intact: () => Response, gone: Promise<void>) => Response | Promise<Response>;

/** The document is well-formed; its content is wrong, or not what was requested. */
export type FigureFault =
  | { readonly kind: "nan" }
  /** The newest figures are dated a year ahead. */
  | { readonly kind: "wrong-date" }
  /** The newest figures are all ten times too large. */
  | { readonly kind: "tenfold" }
  /** The newest figure of one currency is ten times too large. */
  | { readonly kind: "decimal-slip"; readonly currency: string }
  /** One figure of the past is changed by this factor (1.01 when not given). */
  | {
      readonly kind: "correction";
      readonly currency: string;
      /** `YYYY-MM-DD`, a day on which the upstream has a figure; of an official table the day by which it is published. */
      readonly date: string;
      readonly factor?: number;
    }
  /** Time stops: every answer is that of the moment when the fault was switched on. */
  | { readonly kind: "unchanged" };

export type Misbehaviour = BrokenTransport | FigureFault;

export interface ActiveFault {
  readonly behaviour: Misbehaviour;
  readonly since: Instant;
  /** Makes validators differ each time that a fault is switched on. */
  readonly serial: number;
}

/** The value to print for a true value under a fault; NaN prints as "NaN". */
export function printedValue(
  fault: FigureFault | null,
  code: string,
  day: Day,
  newest: Day,
  value: number,
): number {
  switch (fault?.kind) {
    case "nan":
      return day === newest ? Number.NaN : value;
    case "tenfold":
      return day === newest ? value * 10 : value;
    case "decimal-slip":
      return day === newest && code === fault.currency ? value * 10 : value;
    case "correction":
      return isCorrection(fault, code, day) ? value * (fault.factor ?? 1.01) : value;
    default:
      return value;
  }
}

export function isCorrection(fault: FigureFault | null, code: string, day: Day): boolean {
  return fault?.kind === "correction" && code === fault.currency && day === parseDay(fault.date);
}

export function printedDay(fault: FigureFault | null, day: Day, newest: Day): Day {
  return fault?.kind === "wrong-date" && day === newest ? day + 365 : day;
}

/** "366.90" → "366.9", "32.00" → "32". */
export function withoutTrailingZeros(printed: string): string {
  if (!printed.includes(".")) return printed;
  let end = printed.length;
  while (printed.charCodeAt(end - 1) === 48) end--;
  if (printed.charCodeAt(end - 1) === 46) end--;
  return printed.slice(0, end);
}

/** `31/12/2026`, or with another separator. */
export function dayMonthYear(day: Day, separator: string): string {
  return formatDay(day).split("-").reverse().join(separator);
}

/** The day of three captured texts; null where one is missing, and where there is no such day. */
export function dayFrom(
  year: string | undefined,
  month: string | undefined,
  date: string | undefined,
): Day | null {
  const isWhole = year !== undefined && month !== undefined && date !== undefined;
  return isWhole ? dayOf(Number(year), Number(month), Number(date)) : null;
}
