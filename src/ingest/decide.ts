/** Applies an operator's decision on one held figure: release or discard. */

import { accept } from "#domain/acceptance/acceptance.ts";
import { RELEASABLE_RULES } from "#domain/acceptance/rules.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { type DailySource, PIVOT } from "#domain/currency/source.ts";
import { figureText } from "#domain/history/observation.ts";
import type { HeldFigure } from "#domain/intake/reading.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { windowAt } from "./coverage.ts";
import type { IngestDeps } from "./deps.ts";
import { countFromRelease } from "./released.ts";

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
  verdict: "release" | "discard",
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
    emit({ kind: "figure_released", source, figure: figureText(figure), by });
  }
  if (version !== versionBefore) await onCommitted(version);
  return found;
}

/**
 * Believes the claims of a document that only missed a witness, because a sample of them was confirmed by another kind of route.
 * Resolves with the released figures and the version after it; rejects with the lake's own fault.
 */
export async function releaseDocument(
  { lake, clock }: Pick<IngestDeps, "lake" | "clock">,
  source: DailySource,
  document: string,
): Promise<{ readonly released: readonly HeldFigure[]; readonly version: string }> {
  const today = windowAt(clock.now(), source, "latest").to;
  let released: readonly HeldFigure[] = [];
  const version = await lake.commit((current) => {
    const command = { action: "release", document } as const;
    const acceptance = accept(current, source, [], today, { command });
    released = acceptance.released;
    const { withdrawn, held, statements } = acceptance;
    const accepted = countFromRelease(acceptance.accepted, released, clock.now());
    return { accepted, withdrawn, held, coverage: current.coverage, statements };
  });
  return { released, version };
}

function isAbout({ source, date, currency }: HeldKey, held: HeldFigure): boolean {
  if (held.source !== source || held.date !== date) return false;
  return (held.base === PIVOT[source] ? held.quote : held.base) === currency;
}
