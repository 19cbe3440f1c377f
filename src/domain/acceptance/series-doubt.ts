/** Whether the walk over a series believes a figure by the believed values around it. */

import type { Figure } from "#domain/history/observation.ts";
import type { Day } from "#domain/time/day.ts";
import type { SeriesCase, Tally } from "./judgement.ts";
import {
  isFar,
  type Neighbour,
  type Objection,
  objectToKey,
  objectToMove,
  type Printed,
  readPrinted,
} from "./plausibility.ts";

/** A move that is too large: what another route, or the believed value before it, can make believable. */
export const MOVE_RULES: ReadonlySet<string> = new Set(["decimal_slip", "implausible_jump"]);
/** What an operator may overrule; the other rules guard what the history index can hold. */
export const RELEASABLE_RULES: ReadonlySet<string> = new Set([...MOVE_RULES, "weekend_date"]);

/** Where the walk stands: what it believes so far, and what it has not reached yet. */
export interface Walk {
  readonly series: SeriesCase;
  readonly today: Day;
  readonly tally: Tally;
  /** Whether a new figure of the day came later than a look of this server at where it would have been. */
  readonly isLate: (day: Day) => boolean;
  /** Last believed value before the day being judged. */
  before: Neighbour | null;
  /** Position in `series.said` of the first statement about a later day. */
  saidAt: number;
}

/** What surrounds a candidate on its own day and after it. */
export interface Setting {
  /** The value that it would replace. */
  readonly replaced: Neighbour | null;
  /** The next believed value after its day. */
  readonly after: Neighbour | null;
  /** False for a figure that is held already: what its document said after it is not at hand. */
  readonly mayLookAhead: boolean;
}

/** The objection against a figure, or null. What later figures say is no evidence: an error is repeated as easily as a price. */
export function objectTo(
  walk: Walk,
  figure: Figure,
  printed: Printed | Objection,
  setting: Setting,
): Objection | null {
  if ("rule" in printed) return printed;
  const { series, before, today } = walk;
  const { replaced, after } = setting;
  const byKey = objectToKey(series.source, figure, today);
  if (byKey !== null) return byKey;
  if (series.reversed) {
    const reason = `${figure.base}/${figure.quote} was always quoted as ${figure.quote}/${figure.base}`;
    return { rule: "direction_changed", reason };
  }
  const candidate = { day: figure.date, value: printed.value };
  const far = before === null || isFar(candidate, before);
  const following = far && setting.mayLookAhead && replaced === null ? nextTwo(walk) : NONE;
  // The lake may begin much later than a history that is read now: then the history itself is the better neighbour.
  const nothingNear =
    before === null && (after === null || (following.length === 2 && isFar(candidate, after)));
  const neighbour = nothingNear ? replaced : (before ?? after);
  if (neighbour === null) return outvote(candidate, following);
  const as = before !== null ? "the last accepted value" : "the known value";
  const objection = objectToMove(candidate, neighbour, as);
  if (objection === null && following === NONE) return null;
  if (objection === null) {
    // Over a long gap almost any move can be real, so the first value behind it is judged like a first value.
    return outvote(candidate, following);
  }
  if (replaced !== null && objectToMove(candidate, replaced) === null) return null;
  // Behind a long gap a value that was believed before, soon after it, is the better neighbour.
  const isNearAfter = far && after !== null && !isFar(candidate, after);
  return isNearAfter && objectToMove(candidate, after) === null ? null : objection;
}

const NONE: readonly Neighbour[] = [];

/** The next two readable figures that the documents say about later days. */
function nextTwo({ series: { said }, saidAt }: Walk): readonly Neighbour[] {
  const following: Neighbour[] = [];
  for (let at = saidAt; at < said.length && following.length < 2; at++) {
    const figure = said[at]?.figure ?? null;
    if (figure === null) continue;
    const printed = readPrinted(figure.printed);
    if (!("rule" in printed)) following.push({ day: figure.date, value: printed.value });
  }
  return following;
}

/** A first figure has nothing near behind it: two following ones that agree with each other outvote it. */
function outvote(candidate: Neighbour, [next, second]: readonly Neighbour[]): Objection | null {
  if (next === undefined || second === undefined || objectToMove(next, second) !== null) return null;
  if (objectToMove(candidate, second) === null) return null;
  return objectToMove(candidate, next, "the following value");
}
