/** Whether the walk over a series believes a figure: its neighbours on both sides, and held jumps that it confirms. */

import type { Day } from "#domain/day.ts";
import type { Figure } from "#domain/observation.ts";
import type { Held, SeriesCase, Tally } from "./judgement.ts";
import {
  isFar,
  type Neighbour,
  type Objection,
  objectToKey,
  objectToMove,
  type Printed,
  readPrinted,
} from "./plausibility.ts";
import { observationOf } from "./series-entry.ts";

/** Where the walk stands: what it believes so far, and what it has not reached yet. */
export interface Walk {
  readonly series: SeriesCase;
  readonly today: Day;
  readonly tally: Tally;
  /** Last believed value before the day being judged. */
  before: Neighbour | null;
  /** Held jumps since `before`, oldest first: a later figure may confirm them. */
  chain: Held[];
  /** Position in `series.said` of the first statement about a later day. */
  saidAt: number;
}

/** What surrounds a candidate on its own day and after it. */
export interface Setting {
  /** The value that it would replace. */
  readonly replaced: Neighbour | null;
  /** The next believed value after its day. */
  readonly after: Neighbour | null;
  readonly documentSha256: string;
  /** False for a figure that is held already: what its document said after it is not at hand. */
  readonly mayLookAhead: boolean;
}

/** The objection against a figure, or null; a jump that confirms earlier held ones releases them into the tally. */
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
  if (objection.rule !== "implausible_jump") return objection;
  if (after !== null && objectToMove(candidate, after) === null) return null;
  return confirmChain(walk, candidate, setting.documentSha256) ? null : objection;
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

/** True when the newest held jump of another document agrees: it and those before it that agree in turn are released. */
function confirmChain(walk: Walk, candidate: Neighbour, documentSha256: string): boolean {
  const { series, tally, chain } = walk;
  const newest = chain.at(-1);
  if (newest === undefined || newest.documentSha256 === documentSha256) return false;
  let later = candidate;
  let from = chain.length;
  while (from > 0) {
    const earlier = chain[from - 1] as Held;
    const printed = readPrinted(earlier.printed);
    if ("rule" in printed) break;
    const value = { day: earlier.date, value: printed.value };
    if (objectToMove(later, value) !== null) break;
    later = value;
    from -= 1;
  }
  const confirmed = chain.slice(from);
  for (const figure of confirmed) {
    tally.held.splice(tally.held.indexOf(figure), 1);
    const fresh = tally.newlyHeld.indexOf(figure);
    if (fresh >= 0) tally.newlyHeld.splice(fresh, 1);
    const revision = (series.past.get(figure.date)?.at(-1)?.revision ?? 0) + 1;
    const observation = observationOf(series, figure, figure, revision);
    tally.accepted.push(observation);
    if (revision > 1) tally.revised.push(observation);
    tally.released.push(figure);
  }
  if (confirmed.length > 0) walk.chain = [];
  return confirmed.length > 0;
}
