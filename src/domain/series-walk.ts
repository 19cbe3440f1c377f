/** One series' judgement, day by day: the walk that acceptance makes over each (source, base, quote). */

import type { Held, HeldCommand, KnownRates, Saying, SeriesCase, Tally } from "./acceptance.ts";
import type { Day } from "./day.ts";
import type { Figure, Observation, Provenance } from "./observation.ts";
import {
  type Neighbour,
  type Objection,
  objectToKey,
  objectToMove,
  type Printed,
  readPrinted,
} from "./plausibility.ts";
import { newEvents, type SupersededObservation, type VersionEvent } from "./revision.ts";

const MOVE_RULES: ReadonlySet<string> = new Set(["decimal_slip", "implausible_jump"]);
/** What an operator may overrule; the other rules guard what the history index can hold. */
export const RELEASABLE_RULES: ReadonlySet<string> = new Set([...MOVE_RULES, "weekend_date"]);

/** What stands for the day being judged, as the walk goes through a document's versions. */
interface Current extends Neighbour {
  readonly canonical: string;
  readonly publishedAt: number | null;
  readonly revision: number;
}

/** Judges every day that a document or a held figure speaks about; results go to `tally`. */
export function walkSeries(
  known: KnownRates,
  series: SeriesCase,
  today: Day,
  command: HeldCommand | null,
  tally: Tally,
): void {
  const { observations, publishedAt } = known;
  const { rows, said } = series;
  const held = [...series.held];
  /** Last believed value before the day being judged. */
  let before: Neighbour | null = null;
  /** Held jumps since `before`, oldest first: a later figure may confirm them. */
  let chain: Held[] = [];
  let [rowAt, saidAt, heldAt] = [0, 0, 0];

  while (saidAt < said.length || heldAt < held.length) {
    const day = Math.min(said[saidAt]?.key.date ?? Infinity, held[heldAt]?.date ?? Infinity);
    for (; rowAt < rows.length && dateOf(rows[rowAt]) < day; rowAt++) {
      before = standingAt(rows[rowAt] as number);
      chain = [];
    }
    const current =
      rowAt < rows.length && dateOf(rows[rowAt]) === day ? standingAt(rows[rowAt++] as number) : null;
    const after = rowAt < rows.length ? standingAt(rows[rowAt] as number) : null;
    const sayings: Saying[] = [];
    while (saidAt < said.length && said[saidAt]?.key.date === day) sayings.push(said[saidAt++] as Saying);
    const heldHere = held[heldAt]?.date === day ? (held[heldAt] as Held) : null;
    while (held[heldAt]?.date === day) heldAt++;
    const stands = judgeDay(day, sayings, current, after, heldHere);
    if (stands !== null) {
      before = stands;
      chain = [];
    }
  }

  function dateOf(row: number | undefined): Day {
    return observations.date[row as number] as Day;
  }

  function standingAt(row: number): Current {
    const units = observations.units[row] as number;
    const scale = observations.scale[row] as number;
    const published = publishedAt[row] as number;
    return {
      day: observations.date[row] as Day,
      value: units / 10 ** scale,
      canonical: canonicalOf(units, scale),
      publishedAt: Number.isNaN(published) ? null : published,
      revision: observations.revision[row] as number,
    };
  }

  /** Returns what stands for the day afterwards, or null. */
  function judgeDay(
    day: Day,
    sayings: readonly Saying[],
    standing: Current | null,
    after: Neighbour | null,
    heldBefore: Held | null,
  ): Current | null {
    // A revision that is not above the standing one was written by a commit that never finished: it is not past.
    const past = (series.past.get(day) ?? []).filter(
      (old) => standing === null || old.revision < standing.revision,
    );
    let current = standing;
    let nextRevision = Math.max(current?.revision ?? 0, past.at(-1)?.revision ?? 0) + 1;
    let heldNow = heldBefore;
    let judged = false;
    const events =
      current === null && past.length === 0 && sayings.length === 1 ? null : sayings.map(eventOf);
    const news = events === null ? sayings : newSayings(sayings, events, current, past);
    tally.unchanged += sayings.length - news.length;
    if (events !== null && current !== null && news.length === 0) completePublication(events, current);
    // The document repeats what stands: whatever was held for the day, the authority no longer says it.
    if (news.length === 0 && events?.at(-1)?.value === current?.canonical && current !== null) heldNow = null;

    for (const { figure, key, provenance } of news) {
      if (figure === null) {
        if (current !== null) {
          tally.withdrawn.push({
            ...provenance,
            ...keyOf(key),
            publishedAt: key.publishedAt,
            revision: current.revision,
          });
        }
        current = null;
        heldNow = null;
        continue;
      }
      const printed = readPrinted(figure.printed);
      const objection = objectTo(figure, printed, current, after, provenance.documentSha256, true);
      if (objection !== null) {
        heldNow = sameHeld(heldNow, figure) ?? holdBack(figure, provenance, objection);
        judged = true;
        continue;
      }
      current = believe(figure, provenance, printed as Printed);
      heldNow = null;
    }

    if (heldNow !== null) {
      if (command?.action === "discard" && isKey(command, heldNow)) return current;
      const printed = readPrinted(heldNow.printed);
      // Only a move can become believable by what came later; a wrong date or digit needs a document that says it again.
      const ordered = command !== null && isKey(command, heldNow);
      const believable =
        !judged &&
        MOVE_RULES.has(heldNow.rule) &&
        objectTo(heldNow, printed, current, after, heldNow.documentSha256, false) === null;
      if (believable || (ordered && RELEASABLE_RULES.has(heldNow.rule))) {
        tally.released.push(heldNow);
        return believe(heldNow, heldNow, printed as Printed);
      }
      tally.held.push(heldNow);
      if (heldNow !== heldBefore) tally.newlyHeld.push(heldNow);
      if (heldNow.rule === "implausible_jump" && current === null) chain.push(heldNow);
      else if (current === null) chain = [];
    }
    return current;

    function believe(figure: Figure, provenance: Provenance, printed: Printed): Current {
      const observation = observationOf(series, figure, provenance, nextRevision++);
      tally.accepted.push(observation);
      if (observation.revision > 1) tally.revised.push(observation);
      return {
        day,
        value: printed.value,
        canonical: canonicalOf(printed.units, printed.scale),
        publishedAt: figure.publishedAt,
        revision: observation.revision,
      };
    }
  }

  /** The objection against a figure, or null; a jump that confirms earlier held ones releases them. */
  function objectTo(
    figure: Figure,
    printed: Printed | Objection,
    replaced: Current | null,
    after: Neighbour | null,
    sha256: string,
    mayCompareAhead: boolean,
  ): Objection | null {
    if ("rule" in printed) return printed;
    const byKey = objectToKey(series.source, figure, today);
    if (byKey !== null) return byKey;
    if (series.reversed) {
      return {
        rule: "direction_changed",
        reason: `${figure.base}/${figure.quote} was always quoted as ${figure.quote}/${figure.base}`,
      };
    }
    const candidate = { day: figure.date, value: printed.value };
    const neighbour = before ?? after ?? replaced;
    if (neighbour === null) return mayCompareAhead ? objectToFirst(candidate) : null;
    const objection = objectToMove(
      candidate,
      neighbour,
      before !== null ? "the last accepted value" : "the known value",
    );
    if (objection === null) return null;
    if (replaced !== null && objectToMove(candidate, replaced) === null) return null;
    if (objection.rule !== "implausible_jump") return objection;
    if (after !== null && objectToMove(candidate, after) === null) return null;
    return confirmChain(candidate, sha256) ? null : objection;
  }

  /** The first figure of a series has nothing behind it: two following ones that agree with each other outvote it. */
  function objectToFirst(candidate: Neighbour): Objection | null {
    const following: Neighbour[] = [];
    for (let at = saidAt; at < said.length && following.length < 2; at++) {
      const figure = said[at]?.figure ?? null;
      if (figure === null) continue;
      const printed = readPrinted(figure.printed);
      if (!("rule" in printed)) following.push({ day: figure.date, value: printed.value });
    }
    const [next, second] = following;
    if (next === undefined || second === undefined || objectToMove(next, second) !== null) return null;
    return objectToMove(candidate, second) === null
      ? null
      : objectToMove(candidate, next, "the following value");
  }

  /** True when the newest held jump of another document agrees: it and those before it that agree in turn are released. */
  function confirmChain(candidate: Neighbour, sha256: string): boolean {
    const newest = chain.at(-1);
    if (newest === undefined || newest.documentSha256 === sha256) return false;
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
      tally.accepted.push(observationOf(series, figure, figure, revision));
      tally.released.push(figure);
    }
    chain = [];
    return confirmed.length > 0;
  }

  function holdBack(figure: Figure, provenance: Provenance, { rule, reason }: Objection): Held {
    return { ...figure, ...provenanceOf(series, provenance), rule, reason };
  }

  /** Same value, but the document knows when it was published: the row is completed, its revision stays. */
  function completePublication(events: readonly VersionEvent[], current: Current): void {
    if (current.publishedAt !== null) return;
    const dated = events.findLast((event) => event.publishedAt !== null && event.value === current.canonical);
    if (dated?.figure == null) return;
    tally.accepted.push(observationOf(series, dated.figure, dated, current.revision));
  }
}

function newSayings(
  sayings: readonly Saying[],
  events: readonly VersionEvent[],
  current: Current | null,
  past: readonly SupersededObservation[],
): readonly Saying[] {
  const standing = current === null ? null : { value: current.canonical, publishedAt: current.publishedAt };
  const news = newEvents(events, standing, past, (old) => canonicalPrinted(old.printed));
  return news.map((event) => sayings[events.indexOf(event)] as Saying);
}

function eventOf({ key, figure, provenance }: Saying): VersionEvent {
  const value = figure === null ? "" : canonicalPrinted(figure.printed);
  return { ...provenance, ...keyOf(key), figure, value, publishedAt: key.publishedAt };
}

function canonicalPrinted(printed: string): string {
  const read = readPrinted(printed);
  return "rule" in read ? printed : canonicalOf(read.units, read.scale);
}

/** The same text for 366.9 and 366.90. */
function canonicalOf(units: number, scale: number): string {
  let [shortUnits, shortScale] = [units, scale];
  while (shortScale > 0 && shortUnits % 10 === 0) {
    shortUnits /= 10;
    shortScale -= 1;
  }
  return `${shortUnits}e-${shortScale}`;
}

function sameHeld(held: Held | null, figure: Figure): Held | null {
  return held !== null && canonicalPrinted(held.printed) === canonicalPrinted(figure.printed) ? held : null;
}

function keyOf({ date, base, quote }: Saying["key"]) {
  return { date, base, quote };
}

function isKey(command: HeldCommand, held: Held): boolean {
  return command.date === held.date && command.base === held.base && command.quote === held.quote;
}

function provenanceOf(series: SeriesCase, { document, documentSha256, retrievedAt }: Provenance): Provenance {
  return { source: series.source, document, documentSha256, retrievedAt };
}

function observationOf(
  series: SeriesCase,
  figure: Figure,
  provenance: Provenance,
  revision: number,
): Observation {
  const { date, base, quote, printed, decimals, observedAt, publishedAt } = figure;
  return {
    date,
    base,
    quote,
    printed,
    decimals,
    observedAt,
    publishedAt,
    revision,
    ...provenanceOf(series, provenance),
  };
}
