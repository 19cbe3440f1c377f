/** Operators' decisions on held figures, and the effects of a release. */

import { accept } from "#domain/acceptance/acceptance.ts";
import type { HeldCommand, Verdict } from "#domain/acceptance/judgement.ts";
import { RELEASABLE_RULES } from "#domain/acceptance/printed.ts";
import { type DailySource, PIVOT } from "#domain/currency/source.ts";
import { figureText, type Observation } from "#domain/history/observation.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { formatDay, type Instant } from "#domain/time/day.ts";
import type { HeldKey, LakeRecord } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { windowAt } from "./coverage.ts";
import type { IngestDeps } from "./gather.ts";

type DecideDeps = Pick<IngestDeps, "lake" | "clock" | "emit" | "onCommitted">;

/** The figure breaks a rule that cannot be overruled: it could not be stored as a rate. */
class CannotRelease extends Error {
  constructor({ source, date, currency }: HeldKey, { rule, reason }: HeldFigure) {
    super(`${source} ${formatDay(date)} ${currency} can only be discarded: ${rule}: ${reason}`);
    this.name = "CannotRelease";
  }
}

/**
 * Decides on a held figure; resolves when the decision is durable, with true when such a figure was held.
 * Rejects with CannotRelease, or with the lake's own fault.
 */
export async function decideHeld(deps: DecideDeps, key: HeldKey, action: Verdict): Promise<boolean> {
  const done = await decide(deps, key.source, ({ held }) => {
    const figure = held.find((one) => isAbout(key, one));
    if (figure === undefined) return null;
    if (action === "release" && !RELEASABLE_RULES.has(figure.rule)) throw new CannotRelease(key, figure);
    const { date, base, quote } = figure;
    return { date, base, quote, action };
  });
  if (done === null) return false;
  for (const figure of done.released) {
    const by = isAbout(key, figure) ? "command" : "the released figure";
    emitReleased(deps.emit, key.source, [figure], by);
  }
  if (done.isNew) await deps.onCommitted(done.version);
  return true;
}

/**
 * Releases or discards the held figures of a document, given by its SHA-256. A release believes those that only lack a witness and are
 * plausible; the others stay held. Resolves when it is durable, with the numbers of decided and of remaining figures; null if the
 * document has no held figure. Rejects with the lake's own fault.
 */
export async function decideHeldDocument(
  deps: DecideDeps,
  document: string,
  action: Verdict,
): Promise<{ readonly decided: number; readonly remaining: number } | null> {
  const isOfDocument = ({ documentSha256 }: HeldFigure) => documentSha256 === document;
  const { held } = await deps.lake.read();
  const source = held.find(isOfDocument)?.source;
  if (source === undefined) return null;
  const done = await decide(deps, source, () => ({ action, document }));
  if (done === null) return null;
  emitReleased(deps.emit, source, done.released, "command");
  if (done.isNew) await deps.onCommitted(done.version);
  const remaining = done.after.filter(isOfDocument).length;
  return { decided: done.before.held.filter(isOfDocument).length - remaining, remaining };
}

/** Commits a command on held figures; resolves with the figures held before and after, or null without a command. */
async function decide(
  { lake, clock }: Pick<IngestDeps, "lake" | "clock">,
  source: DailySource,
  commandOf: (current: LakeRecord) => HeldCommand | null,
) {
  const today = windowAt(clock.now(), source, "latest").to;
  let decision: Decision | null = null;
  const version = await lake.commit((current) => {
    decision = null;
    const command = commandOf(current);
    if (command === null) return null;
    const acceptance = accept(current, source, [], today, { command });
    const { withdrawn, held, released, statements } = acceptance;
    decision = { before: current, after: held, released };
    const accepted = countFromRelease(acceptance.accepted, released, clock.now());
    return { accepted, withdrawn, held, coverage: current.coverage, statements };
  });
  const done = decision as Decision | null;
  return done === null ? null : { ...done, version, isNew: version !== done.before.version };
}

interface Decision {
  readonly before: LakeRecord;
  readonly after: readonly HeldFigure[];
  readonly released: readonly HeldFigure[];
}

function isAbout({ source, date, currency }: HeldKey, figure: HeldFigure): boolean {
  if (figure.source !== source || figure.date !== date) return false;
  return (figure.base === PIVOT[source] ? figure.quote : figure.base) === currency;
}

/**
 * The accepted observations; released ones get the instant of their release as their retrieval. Copies that sync by that instant then
 * get them, and no past state shows them before they were served.
 */
export function countFromRelease(
  accepted: readonly Observation[],
  released: readonly HeldFigure[],
  at: Instant,
): readonly Observation[] {
  if (released.length === 0) return accepted;
  const keyOf = ({ date, base, quote, documentSha256 }: HeldFigure | Observation) =>
    `${date} ${base} ${quote} ${documentSha256}`;
  const keys = new Set(released.map(keyOf));
  return accepted.map((observation) =>
    keys.has(keyOf(observation))
      ? { ...observation, retrievedAt: Math.max(observation.retrievedAt, at) }
      : observation,
  );
}

/** More figures held or released at once make a single event. */
const MOST_EVENTS = 20;

/** One entry for each figure with count 1, or the first figure with the count of all. */
export function forEvents<Figure>(
  figures: readonly Figure[],
): readonly { readonly figure: Figure; readonly count: number }[] {
  if (figures.length <= MOST_EVENTS) return figures.map((figure) => ({ figure, count: 1 }));
  return figures.slice(0, 1).map((figure) => ({ figure, count: figures.length }));
}

export function emitReleased(
  emit: Emit,
  source: DailySource,
  released: readonly HeldFigure[],
  by: string,
): void {
  for (const { figure, count } of forEvents(released))
    emit({ kind: "figure_released", source, figure: figureText(figure), by, count });
}
