/** One series' judgement, day by day: the walk that acceptance makes over each (source, base, quote). */

import type { Day } from "#domain/day.ts";
import type { Row } from "#domain/history.ts";
import type { Figure, Provenance } from "#domain/observation.ts";
import { canonicalOf, canonicalPrinted } from "./canonical.ts";
import type { Held, HeldCommand, KnownRates, Saying, SeriesCase, Tally } from "./judgement.ts";
import { type Neighbour, type Printed, readPrinted } from "./plausibility.ts";
import { newEvents, type SupersededObservation, type VersionEvent } from "./revision.ts";
import { objectTo, type Walk } from "./series-doubt.ts";
import { eventOf, heldOf, isAbout, keyOf, observationOf } from "./series-entry.ts";

const MOVE_RULES: ReadonlySet<string> = new Set(["decimal_slip", "implausible_jump"]);
/** What an operator may overrule; the other rules guard what the history index can hold. */
export const RELEASABLE_RULES: ReadonlySet<string> = new Set([...MOVE_RULES, "weekend_date"]);

/** What stands for the day being judged, as the walk goes through a document's versions. */
interface Current extends Neighbour {
  readonly units: number;
  readonly scale: number;
  readonly publishedAt: number | null;
  readonly revision: number;
}

/** Everything that speaks about one day; one object for all days, filled anew for each: a history has 180,000 of them. */
interface DayCase {
  readonly sayings: Saying[];
  standing: Current | null;
  after: Neighbour | null;
  held: Held | null;
}

/** Judges every day that a document or a held figure speaks about; results go to `tally`. */
export function walkSeries(
  known: KnownRates,
  series: SeriesCase,
  today: Day,
  command: HeldCommand | null,
  tally: Tally,
): void {
  const { rows, said, held } = series;
  const walk: Walk = { series, today, tally, before: null, chain: [], saidAt: 0 };
  const dateOf = (row: Row | undefined) =>
    row === undefined ? Infinity : (known.observations.date[row] as Day);
  const standingOf = (row: Row | undefined) => (row === undefined ? null : standingAt(known, row));
  const here: DayCase = { sayings: [], standing: null, after: null, held: null };
  let [rowAt, heldAt] = [0, 0];

  while (walk.saidAt < said.length || heldAt < held.length) {
    const day = Math.min(said[walk.saidAt]?.key.date ?? Infinity, held[heldAt]?.date ?? Infinity);
    for (; dateOf(rows[rowAt]) < day; rowAt++) believeFrom(walk, standingOf(rows[rowAt]));
    here.standing = dateOf(rows[rowAt]) === day ? standingOf(rows[rowAt++]) : null;
    here.sayings.length = 0;
    while (said[walk.saidAt]?.key.date === day) here.sayings.push(said[walk.saidAt++] as Saying);
    here.held = held[heldAt]?.date === day ? (held[heldAt] as Held) : null;
    while (held[heldAt]?.date === day) heldAt++;
    here.after = standingOf(rows[rowAt]);
    believeFrom(walk, judgeDay(walk, day, here, command));
  }
}

function believeFrom(walk: Walk, stands: Neighbour | null): void {
  if (stands === null) return;
  walk.before = stands;
  walk.chain = [];
}

function standingAt({ observations, publishedAt }: KnownRates, row: Row): Current {
  const units = observations.units[row] as number;
  const scale = observations.scale[row] as number;
  const published = publishedAt[row] as number;
  return {
    day: observations.date[row] as Day,
    value: units / 10 ** scale,
    units,
    scale,
    publishedAt: Number.isNaN(published) ? null : published,
    revision: observations.revision[row] as number,
  };
}

/** Returns what stands for the day afterwards, or null. */
function judgeDay(
  walk: Walk,
  day: Day,
  { sayings, standing, after, held: heldBefore }: DayCase,
  command: HeldCommand | null,
): Current | null {
  const { series, tally } = walk;
  // A revision that is not above the standing one was written by a commit that never finished: it is not past.
  const past = (series.past.get(day) ?? []).filter(
    (old) => standing === null || old.revision < standing.revision,
  );
  let current = standing;
  let nextRevision = Math.max(current?.revision ?? 0, past.at(-1)?.revision ?? 0) + 1;
  let heldNow = heldBefore;
  let judged = false;
  const events = current === null && past.length === 0 && sayings.length === 1 ? null : sayings.map(eventOf);
  const news = events === null ? sayings : newSayings(sayings, events, current, past);
  tally.unchanged += sayings.length - news.length;
  if (events !== null && current !== null && news.length === 0) {
    completePublication(walk, events, current);
    // The document repeats what stands: whatever was held for the day, the authority no longer says it.
    if (events.at(-1)?.value === canonicalValue(current)) heldNow = null;
  }

  for (const { figure, key, provenance } of news) {
    if (figure === null) {
      if (current !== null) {
        const withdrawal = { ...keyOf(key), publishedAt: key.publishedAt };
        tally.withdrawn.push({ ...provenance, ...withdrawal, revision: current.revision });
      }
      current = null;
      heldNow = null;
      continue;
    }
    const printed = readPrinted(figure.printed);
    const { documentSha256 } = provenance;
    const setting = { replaced: current, after, documentSha256, mayLookAhead: true };
    const objection = objectTo(walk, figure, printed, setting);
    if (objection !== null) {
      heldNow = sameHeld(heldNow, figure) ?? heldOf(series, figure, provenance, objection);
      judged = true;
      continue;
    }
    current = believe(walk, figure, provenance, printed as Printed, nextRevision++);
    heldNow = null;
  }

  if (heldNow === null) return current;
  const ordered = command !== null && isAbout(command, heldNow);
  if (ordered && command.action === "discard") return current;
  const overruled = ordered && RELEASABLE_RULES.has(heldNow.rule);
  // Only a move can become believable by what came later; a wrong date or digit needs a document that says it again.
  if (
    overruled ||
    (!judged && MOVE_RULES.has(heldNow.rule) && isBelievableNow(walk, heldNow, current, after))
  ) {
    tally.released.push(heldNow);
    return believe(walk, heldNow, heldNow, readPrinted(heldNow.printed) as Printed, nextRevision);
  }
  tally.held.push(heldNow);
  if (heldNow !== heldBefore) tally.newlyHeld.push(heldNow);
  if (current === null) walk.chain = heldNow.rule === "implausible_jump" ? [...walk.chain, heldNow] : [];
  return current;
}

/** Takes the figure down as an observation; returns what stands then. */
function believe(
  { series, tally }: Walk,
  figure: Figure,
  provenance: Provenance,
  { units, scale, value }: Printed,
  revision: number,
): Current {
  const observation = observationOf(series, figure, provenance, revision);
  tally.accepted.push(observation);
  if (revision > 1) tally.revised.push(observation);
  return { day: figure.date, value, units, scale, publishedAt: figure.publishedAt, revision };
}

/** Whether a figure that was held before goes with what is known now. */
function isBelievableNow(walk: Walk, held: Held, replaced: Current | null, after: Neighbour | null): boolean {
  const { documentSha256 } = held;
  const setting = { replaced, after, documentSha256, mayLookAhead: false };
  return objectTo(walk, held, readPrinted(held.printed), setting) === null;
}

function newSayings(
  sayings: readonly Saying[],
  events: readonly VersionEvent[],
  current: Current | null,
  past: readonly SupersededObservation[],
): readonly Saying[] {
  const standing =
    current === null ? null : { value: canonicalValue(current), publishedAt: current.publishedAt };
  const news = newEvents(events, standing, past, (old) => canonicalPrinted(old.printed));
  return news.map((event) => sayings[events.indexOf(event)] as Saying);
}

/** Same value, but the document knows when it was published: the row is completed, its revision stays. */
function completePublication(
  { series, tally }: Walk,
  events: readonly VersionEvent[],
  current: Current,
): void {
  if (current.publishedAt !== null) return;
  const value = canonicalValue(current);
  const dated = events.findLast((event) => event.publishedAt !== null && event.value === value);
  if (dated?.figure == null) return;
  tally.accepted.push(observationOf(series, dated.figure, dated, current.revision));
  tally.completed += 1;
}

/** Made only where it is compared: most figures are the first of their day. */
function canonicalValue({ units, scale }: Current): string {
  return canonicalOf(units, scale);
}

function sameHeld(held: Held | null, figure: Figure): Held | null {
  return held !== null && canonicalPrinted(held.printed) === canonicalPrinted(figure.printed) ? held : null;
}
