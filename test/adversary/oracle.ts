/**
 * Holds what the lake serves against what the authorities published and what each document said. It knows nothing of the rules by which
 * the product believes a figure.
 */

import { contradictionsOf as contradictionsIn } from "#domain/acceptance/unsettled.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { History } from "#domain/history/history.ts";
import type { CollectionState } from "#domain/intake/reading.ts";
import { type Day, dayAt, formatDay, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { LakeRecord } from "#ports.ts";
import type { Fault } from "./faults.ts";
import { HOUR, type Kind, type Truth, type Version } from "./truth.ts";
import type { Delivered } from "./wire.ts";

export type Rule =
  | "a false figure that two kinds refute"
  | "a false revision"
  | "a figure lost"
  | "back to an older value"
  | "a correction not served"
  | "not as published although all is healthy"
  | "a contradiction not reported"
  | "a contradiction reported although all is healthy";

export interface Violation {
  readonly rule: Rule;
  readonly at: Instant;
  readonly source: DailySource;
  readonly fault: Fault | null;
  readonly text: string;
}

type Figures = ReadonlyMap<string, number>;

/** With one kind of route alone so many false changes may pass in a document. */
const MOST_FALSE = 3;
/** After so long without a fault every route was read, the weekly history too, and all of it is as published. */
const SETTLED_AFTER = 8 * MILLISECONDS_PER_DAY;
/** An SDMX document with an older version than the one in force may be an old copy for so long: it states nothing. */
const OLD_COPY_FOR = 24 * HOUR;
/** A new day is collected within so long. */
const NEW_DAY_AFTER = 48 * HOUR;

/** What is reported about contradictory routes of a source, one line a figure or document: held figures, contradictions, and the state's detail. */
export function contradictionsOf(
  source: DailySource,
  { held, statements }: LakeRecord,
  history: () => History,
  { detail }: Pick<CollectionState, "detail">,
): readonly string[] {
  const figures = held.filter((figure) => figure.source === source);
  const isContradicted = held.length > 0 || statements.some(({ since }) => since !== null);
  const contradictions = isContradicted ? contradictionsIn(statements, held, history()) : [];
  return [
    ...figures.map(({ date, base, quote, reason }) => `${formatDay(date)} ${base}/${quote}: ${reason}`),
    ...contradictions
      .filter((one) => one.source === source)
      .map(({ count, example }) => `${count}: ${example}`),
    ...(detail === null ? [] : [detail]),
  ];
}

export function newOracle(
  truth: Truth,
  faults: readonly Fault[],
  kindsOf: Readonly<Record<DailySource, readonly Kind[]>>,
) {
  const violations: Violation[] = [];
  /** The last statement of each kind, by `kind source currency day`. */
  const statements = new Map<
    string,
    { readonly value: number | null; readonly isHealthy: boolean; readonly at: Instant }
  >();
  /** Values that were never published, by `kind source currency day value`. */
  const inventions = new Set<string>();
  /** The newest version that was served, by figure. */
  const newestServed = new Map<string, number>();
  const complaints = new Set<string>();
  let figures: Figures = new Map();
  let collection: Delivered[] = [];
  let falseChanges = 0;
  /**
   * False values that one kind alone stated and nothing contradicted yet: first figures, and versions that SDMX dates later. With the
   * instant from which on SDMX can refute them.
   */
  const unrefuted = new Map<string, Instant>();
  /** Since when something is reported without a break and without a fault. */
  const reportedSince: Record<DailySource, Instant | null> = { ecb_daily: null, fred_daily: null };
  /** The last day on which everything was compared. */
  const settledOn: Record<DailySource, Day> = { ecb_daily: 0, fred_daily: 0 };

  const versionsAt = (figure: string, now: Instant) =>
    (truth.figures.get(figure) ?? []).filter(({ at }) => at <= now);
  const corrections = [...truth.figures]
    .filter(([, versions]) => versions.length > 1)
    .map(([figure]) => figure);
  const numberIn = (printed: string | null | undefined) => (printed == null ? undefined : Number(printed));
  const violate = (rule: Rule, now: Instant, figure: string, text: string) => {
    const source = figure.split(" ")[0] as DailySource;
    const fault = faults.findLast((one) => one.source === source && one.from <= now) ?? null;
    violations.push({ rule, at: now, source, fault, text: `${readable(figure)}: ${text}` });
  };

  const note = (document: Delivered, now: Instant) => {
    const isHealthy = document.fault === null;
    for (const [figure, value] of document.statements) {
      statements.set(`${document.kind} ${figure}`, { value, isHealthy, at: now });
      if (isHealthy || value === null) continue;
      if (!versionsAt(figure, now).some(({ printed }) => numberIn(printed) === value))
        inventions.add(`${document.kind} ${figure} ${value}`);
    }
  };

  /** One figure that is served otherwise than before. */
  const judgeChange = (figure: string, old: number | undefined, value: number | undefined, now: Instant) => {
    const kinds = kindsOf[figure.split(" ")[0] as DailySource];
    const versions = versionsAt(figure, now);
    const version = versions.findLastIndex(({ printed }) => numberIn(printed) === value);
    const isBack = version >= 0 && version < (newestServed.get(figure) ?? -1);
    if (version >= 0 && !isBack) {
      newestServed.set(figure, version);
      return;
    }
    if (value === undefined && versions.length === 0) return;
    const agreeing = kinds.filter((kind) =>
      value === undefined
        ? statements.get(`${kind} ${figure}`)?.value === null
        : inventions.has(`${kind} ${figure} ${value}`),
    );
    if (!isBack && agreeing.length > 1) return;
    const isDatedLater = collection.some(
      ({ fault, kind, statements: stated }) =>
        // A wrong value in the place of a real correction has the date of that.
        kind === "sdmx" &&
        (fault?.isDated === true || versions.length > 1) &&
        (stated.get(figure) ?? undefined) === value,
    );
    if (value !== undefined && (old === undefined || isDatedLater)) {
      unrefuted.set(figure, isDatedLater ? now + OLD_COPY_FOR : 0);
      return;
    }
    falseChanges += 1;
    if (kinds.length === 1 && falseChanges <= MOST_FALSE * collection.length) return;
    const rule =
      value === undefined ? "a figure lost" : isBack ? "back to an older value" : "a false revision";
    const published = versions.map(({ printed }) => printed ?? "withdrawn").join(", then ") || "nothing";
    violate(rule, now, figure, `${old ?? "nothing"} → ${value ?? "nothing"}, published was ${published}`);
  };

  /** What is false is not served any more once two kinds of routes state what was published. */
  const expectRefuted = (now: Instant, figure: string, sdmxFrom: Instant) => {
    const served = figures.get(figure);
    const published = numberIn(versionsAt(figure, now).at(-1)?.printed);
    if (served === published || served === undefined) {
      unrefuted.delete(figure);
      return;
    }
    const kinds = kindsOf[figure.split(" ")[0] as DailySource];
    const isRefuted = kinds.every((kind) => {
      const said = statements.get(`${kind} ${figure}`);
      return said?.value === (published ?? null) && (kind !== "sdmx" || said.at >= sdmxFrom);
    });
    if (kinds.length < 2 || !isRefuted) return;
    unrefuted.delete(figure);
    violate(
      "a false figure that two kinds refute",
      now,
      figure,
      `${served} although all state ${published ?? "nothing"}`,
    );
  };

  const expectCorrection = (now: Instant, figure: string, isWaiting: boolean) => {
    const versions = versionsAt(figure, now);
    const value = numberIn(versions.at(-1)?.printed);
    if (versions.length < 2 || figures.get(figure) === value) return;
    const isCarried = kindsOf[figure.split(" ")[0] as DailySource].every((kind) => {
      const said = statements.get(`${kind} ${figure}`);
      return said?.isHealthy === true && said.value === (value ?? null);
    });
    const key = `${figure} ${versions.length}`;
    // With one kind of route alone, more changes than pass wait for an operator.
    if (isWaiting) return;
    if (!isCarried || complaints.has(key)) return;
    complaints.add(key);
    const has = figures.get(figure) ?? "nothing";
    violate("a correction not served", now, figure, `${has} although all state ${value ?? "nothing"}`);
  };

  const expectPublished = (now: Instant, figure: string, versions: readonly Version[]) => {
    const isDue = versions.every(({ at }, nth) => at < now - (nth === 0 ? NEW_DAY_AFTER : SETTLED_AFTER));
    const value = numberIn(versions.at(-1)?.printed);
    if (!isDue || figures.get(figure) === value || complaints.has(figure)) return;
    complaints.add(figure);
    const text = `${figures.get(figure) ?? "nothing"} where ${value ?? "nothing"} is published`;
    violate("not as published although all is healthy", now, figure, text);
  };

  /** A figure of a faulty document of this collection that is served otherwise. A copy that lags is no such. */
  const contradictionIn = (now: Instant) => {
    const isPublished = (figure: string, one: number) =>
      versionsAt(figure, now).some((it) => numberIn(it.printed) === one);
    for (const { fault, kind, statements: stated } of collection) {
      if (fault === null) continue;
      for (const [figure, other] of stated) {
        const value = figures.get(figure);
        if (value === undefined || other === null || other === value) continue;
        // A later document of the same kind has settled it.
        if (statements.get(`${kind} ${figure}`)?.value === value) continue;
        if (!isPublished(figure, other) || !isPublished(figure, value)) return figure;
      }
    }
    return undefined;
  };

  return {
    violations,
    /** To be called with each version of the lake, and the documents delivered before it. */
    served(now: Instant, current: Figures, delivered: readonly Delivered[]) {
      for (const document of delivered) note(document, now);
      collection.push(...delivered);
      if (current === figures) return;
      for (const [figure, value] of current) {
        const old = figures.get(figure);
        if (old !== value) judgeChange(figure, old, value, now);
      }
      for (const [figure, old] of figures) if (!current.has(figure)) judgeChange(figure, old, undefined, now);
      figures = current;
    },
    /** To be called after each collection, with what is reported then. */
    collected(now: Instant, source: DailySource, reported: readonly string[]) {
      const contradiction = contradictionIn(now);
      if (contradiction !== undefined && reported.length === 0)
        violate(
          "a contradiction not reported",
          now,
          contradiction,
          `${figures.get(contradiction)} is served, and nothing is reported`,
        );
      for (const [figure, sdmxFrom] of unrefuted)
        if (figure.startsWith(source)) expectRefuted(now, figure, sdmxFrom);
      const isWaiting = kindsOf[source].length === 1 && reported.length > 0;
      for (const figure of corrections)
        if (figure.startsWith(source)) expectCorrection(now, figure, isWaiting);
      reportedSince[source] = reported.length === 0 ? null : (reportedSince[source] ?? now);
      if (faults.some((one) => one.source === source && one.from <= now && now < one.until + SETTLED_AFTER)) {
        reportedSince[source] = null;
      } else {
        if (dayAt(now) !== settledOn[source])
          for (const [figure, versions] of truth.figures)
            if (figure.startsWith(source) && !isWaiting) expectPublished(now, figure, versions);
        settledOn[source] = dayAt(now);
        const since = isWaiting ? null : reportedSince[source];
        if (since !== null && now - since > NEW_DAY_AFTER)
          violate("a contradiction reported although all is healthy", now, source, reported[0] as string);
      }
      collection = [];
      falseChanges = 0;
    },
  };
}

function readable(figure: string): string {
  const [source, currency, day] = figure.split(" ");
  if (currency === undefined) return figure;
  return `${source} ${currency} of ${formatDay(Number(day))}`;
}
