/** Applies a decision on one held figure, or on those of a document: release or discard. */

import { accept } from "#domain/acceptance/acceptance.ts";
import type { Verdict } from "#domain/acceptance/judgement.ts";
import { RELEASABLE_RULES } from "#domain/acceptance/rules.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { type DailySource, PIVOT } from "#domain/currency/source.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { windowAt } from "./coverage.ts";
import type { IngestDeps } from "./deps.ts";
import { countFromRelease, emitReleased } from "./released.ts";

export interface HeldKey {
  readonly source: DailySource;
  readonly date: Day;
  /** The side that is not the source's pivot. */
  readonly currency: CurrencyCode;
}

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
export async function decideHeld(
  { lake, clock, emit, onCommitted }: Pick<IngestDeps, "lake" | "clock" | "emit" | "onCommitted">,
  key: HeldKey,
  verdict: Verdict,
): Promise<boolean> {
  const { source } = key;
  const today = windowAt(clock.now(), source, "latest").to;
  let found = false;
  let versionBefore = "";
  let released: readonly HeldFigure[] = [];
  const version = await lake.commit((current) => {
    versionBefore = current.version;
    const figure = current.held.find((held) => isAbout(key, held));
    if (figure === undefined) return null;
    if (verdict === "release" && !RELEASABLE_RULES.has(figure.rule)) throw new CannotRelease(key, figure);
    found = true;
    const { date, base, quote } = figure;
    const command = { date, base, quote, action: verdict };
    const acceptance = accept(current, source, [], today, { command });
    released = acceptance.released;
    const { withdrawn, held, statements } = acceptance;
    const accepted = countFromRelease(acceptance.accepted, released, clock.now());
    return { accepted, withdrawn, held, coverage: current.coverage, statements };
  });
  for (const figure of released) {
    const by = isAbout(key, figure) ? "command" : "the released figure";
    emitReleased(emit, source, [figure], by);
  }
  if (version !== versionBefore) await onCommitted(version);
  return found;
}

/**
 * Releases or discards the held figures of a document. A release believes those that only miss a witness and are plausible; the others
 * stay held. Resolves when it is durable, with what it released, how many it decided on, and the version after it; rejects with the
 * lake's own fault.
 */
async function decideDocument(
  { lake, clock }: Pick<IngestDeps, "lake" | "clock">,
  source: DailySource,
  document: string,
  action: Verdict,
): Promise<DocumentDecision> {
  const today = windowAt(clock.now(), source, "latest").to;
  let decision: Omit<DocumentDecision, "version" | "isNew"> = { released: [], decided: 0, remaining: 0 };
  let versionBefore = "";
  const version = await lake.commit((current) => {
    versionBefore = current.version;
    const acceptance = accept(current, source, [], today, { command: { action, document } });
    const { withdrawn, held, released, statements } = acceptance;
    const remaining = held.filter(({ documentSha256 }) => documentSha256 === document).length;
    const before = current.held.filter(({ documentSha256 }) => documentSha256 === document).length;
    decision = { released, decided: before - remaining, remaining };
    const accepted = countFromRelease(acceptance.accepted, released, clock.now());
    return { accepted, withdrawn, held, coverage: current.coverage, statements };
  });
  return { ...decision, version, isNew: version !== versionBefore };
}

export interface DocumentDecision {
  readonly released: readonly HeldFigure[];
  /** Figures of the document that are not held any more. */
  readonly decided: number;
  /** Figures of the document that are still held. */
  readonly remaining: number;
  readonly version: string;
  readonly isNew: boolean;
}

/** An operator's decision on the held figures of a document; null where there are none. Rejects with the lake's own fault. */
export async function decideHeldDocument(
  deps: Pick<IngestDeps, "lake" | "clock" | "emit" | "onCommitted">,
  document: string,
  verdict: Verdict,
): Promise<Pick<DocumentDecision, "decided" | "remaining"> | null> {
  const { held } = await deps.lake.read();
  const source = held.find(({ documentSha256 }) => documentSha256 === document)?.source;
  if (source === undefined) return null;
  const decision = await decideDocument(deps, source, document, verdict);
  emitReleased(deps.emit, source, decision.released, "command");
  if (decision.isNew) await deps.onCommitted(decision.version);
  return decision;
}

function isAbout({ source, date, currency }: HeldKey, held: HeldFigure): boolean {
  if (held.source !== source || held.date !== date) return false;
  return (held.base === PIVOT[source] ? held.quote : held.base) === currency;
}
