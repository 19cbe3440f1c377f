/** Faults of upstreams that a test can switch on, with the wrong figures that they print. */

import { type Day, type Instant, parseDay } from "#domain/time/day.ts";

/** The document never arrives as it should: this answers in place of `intact`. `gone` resolves when the server stops. */
export type BrokenTransport = (intact: () => Response, gone: Promise<void>) => Response | Promise<Response>;

/** The document is well-formed; its content is wrong, or not what was requested. */
export type FigureFault =
  /** The newest figures are not numbers. */
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
  /** Too many requests: the authority refuses with its own text where it has one, which only Banxico does. */
  | { readonly kind: "over-limit" }
  /** Time stops: every answer is as at the moment this was switched on. */
  | { readonly kind: "unchanged" };

export type Misbehaviour = BrokenTransport | FigureFault;

export interface ActiveFault {
  readonly behaviour: Misbehaviour;
  readonly since: Instant;
  /** Distinguishes one switching-on from the next in validators. */
  readonly serial: number;
}

/** The value to show for a true one; NaN prints as "NaN". */
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

/** True for the one figure that a correction changes. */
export function isCorrection(fault: FigureFault | null, code: string, day: Day): boolean {
  return fault?.kind === "correction" && code === fault.currency && day === parseDay(fault.date);
}

/** The date to print over a day's figures. */
export function printedDay(fault: FigureFault | null, day: Day, newest: Day): Day {
  return fault?.kind === "wrong-date" && day === newest ? day + 365 : day;
}
