/**
 * When content is a new version of a publication and what it changed; which readings are held back; and which corrections are not
 * believed.
 */

import { createHash } from "node:crypto";
import { BrokenDocument } from "#domain/faults/upstream.ts";
import { formatShortest, isDecimalSlip, parseDecimal } from "#domain/number/decimal.ts";
import { exchanges } from "#domain/number/exchange.ts";
import { type Day, formatDay, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { OfficialReading, OfficialRow, OfficialTable, PublicationVersion } from "./publication.ts";

/** Raised when the canonical text changes. */
const FORM = 1;

/** The content that makes a version. */
type Content = Pick<OfficialReading, "rows" | "validFrom" | "validTo">;

/**
 * SHA-256 over rows and validity, 64 hex digits. White space, the order of rows, zeros at the end of a rate and the instant of
 * publication are no correction.
 */
export function fingerprintOf({ rows, validFrom, validTo }: Content): string {
  const lines = orderedRows(rows).map((row) => `${rowKey(row)} ${row.unit} ${canonicalRate(row.rate)}`);
  const validity = `${formatDay(validFrom)} ${validTo === null ? "-" : formatDay(validTo)}`;
  return createHash("sha256")
    .update([`${FORM}`, validity, ...lines].join("\n"))
    .digest("hex");
}

/**
 * The number of the reading's version: 1 for the first, one more for other content, null when nothing has changed. A return to
 * earlier content is a new version.
 */
export function nextVersion(
  newest: Pick<PublicationVersion, "version" | "fingerprint"> | null,
  reading: Content,
): number | null {
  if (newest === null) return 1;
  return newest.fingerprint === fingerprintOf(reading) ? null : newest.version + 1;
}

/**
 * The rows by base, quote and kind. A repeated row with an equal rate counts once; different rates or units, or no row at all,
 * throw BrokenDocument.
 */
export function orderedRows(rows: readonly OfficialRow[]): readonly OfficialRow[] {
  if (rows.length === 0) throw new BrokenDocument("a publication without rates");
  const byKey = new Map<string, OfficialRow>();
  for (const row of rows) {
    const key = rowKey(row);
    const first = byKey.get(key);
    if (first === undefined) {
      byKey.set(key, row);
    } else if (first.unit !== row.unit || canonicalRate(first.rate) !== canonicalRate(row.rate)) {
      throw new BrokenDocument(
        `${key} is there twice, as ${first.rate} for ${first.unit} and as ${row.rate} for ${row.unit}`,
      );
    }
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** Identifies a row in every publication of a table. */
function rowKey({ base, quote, kind }: OfficialRow): string {
  return `${base} ${quote} ${kind}`;
}

/** Digits without zeros that change nothing: "04.10" → "4.1". Throws BrokenDocument when they are no number. */
export function canonicalRate(rate: string): string {
  const value = parseDecimal(rate);
  if (value === null) throw new BrokenDocument(`not a rate: ${JSON.stringify(rate.slice(0, 40))}`);
  return formatShortest(value.units, value.scale);
}

const LONGEST = 64;
/** Begins with a letter or digit: "." and ".." mean something else in a URL. */
const FIT = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
/** The address `…/publications/latest` is taken. */
const RESERVED = "latest";

/**
 * An authority's name with hyphens for slashes: `041/A/NBP/2026` is `041-A-NBP-2026`. Letters, digits, `.`, `_` and `-`, at most 64
 * characters. BrokenDocument for any other name: with more replacements two names could become one.
 */
export function publicationId(text: string): string {
  const id = text.replaceAll("/", "-");
  if (id.length <= LONGEST && FIT.test(id) && id !== RESERVED) return id;
  throw new BrokenDocument(`not a name for a publication: ${JSON.stringify(text.slice(0, 80))}`);
}

export type Differences = ReturnType<typeof differencesOf>;

/** Zeros at the end of a rate are no difference. */
export function differencesOf(before: Content, after: Content) {
  const old = new Map(before.rows.map((row) => [rowKey(row), row]));
  const kept = new Set(after.rows.map(rowKey));
  const { validFrom, validTo } = before;
  return {
    added: after.rows.filter((row) => !old.has(rowKey(row))),
    removed: before.rows.filter((row) => !kept.has(rowKey(row))),
    /** Another rate or unit, in the order of the later version. */
    changed: after.rows.flatMap((row) => {
      const earlier = old.get(rowKey(row));
      return earlier === undefined || isSame(earlier, row) ? [] : [{ before: earlier, after: row }];
    }),
    /** The validity before; null where it is unchanged. */
    validityBefore:
      validFrom === after.validFrom && validTo === after.validTo ? null : { validFrom, validTo },
  };
}

function isSame(a: OfficialRow, b: OfficialRow): boolean {
  return a.unit === b.unit && canonicalRate(a.rate) === canonicalRate(b.rate);
}

/**
 * decimal_slip: the value moved by about ×10, ÷10, ×100 …. miscounted: the inverse of the value before, or a slip by another unit.
 * exchanged: two currencies have each other's values, or buying and selling. repeated: all rates of a long table are those of an earlier
 * publication. unlike: most of a long table is not near the publication before, or is, but for the decimal point.
 */
type OfficialDoubtRule = "decimal_slip" | "miscounted" | "exchanged" | "repeated" | "unlike";
/** Why a publication may be held: a doubt about a row, or a fault of its document. */
export type OfficialHoldRule = OfficialDoubtRule | CorrectionFaultRule;

/** Why a publication is not what its authority means: the rule, and a sentence with the numbers. */
export interface OfficialDoubt {
  readonly rule: OfficialDoubtRule;
  readonly detail: string;
}

/** A rate that moved further may be the inverse of the one before. A move alone is no doubt: the peso fell by 22 % on 1994-12-22. */
const LARGEST_MOVE = 0.2;
/** In a table of so many rates, less than a quarter stay the same from one day to the next. */
const LEAST_REPEATED = 10;
/**
 * Within this many days, two thirds of a long table's rates move together: their changes differ by less than this share. This held in 27
 * years of the ECB's rates, quoted in each of eleven currencies; narrowly in October 2008. It finds 97 % of daily tables that are dated
 * a year too late.
 */
const NEAR = {
  daily: { days: 5, apart: 0.03 },
  weekly: { days: 10, apart: 0.06 },
  monthly: { days: 45, apart: 0.12 },
  quarterly: { days: 100, apart: 0.25 },
} as const;
const LEAST_NEAR = 2 / 3;
/** A rate that moved far, and is this close to the inverse of the one before, counts as inverted. */
const NEAR_INVERSE = 0.05;
/** A new long table is compared with as many earlier publications: a year of a daily table. A copy of an older one is found as `unlike`. */
export const MOST_COMPARED = 250;
/** A correction, and each publication of a history, which has thousands, is compared with fewer. */
export const FEW_COMPARED = 14;
/** Doubts about what no authority publishes: repetition confirms nothing, so an operator decides. */
const NEVER_REAL: readonly OfficialDoubtRule[] = ["miscounted", "exchanged", "repeated", "unlike"];

/**
 * Everything doubtful in a reading, row by row against the publication `before` it by validity, and as a whole against the `older` ones,
 * too. For a correction too: the version that it corrects may be wrong. Where `before` is null, only what is impossible by itself.
 */
export function doubtsOf(
  reading: Pick<OfficialReading, "rows">,
  before: Pick<OfficialReading, "rows"> | null,
  older: readonly Pick<OfficialReading, "rows" | "publication">[] = [],
  { cadence }: Pick<OfficialTable, "cadence"> = { cadence: "daily" },
): readonly OfficialDoubt[] {
  const doubts = boughtDearer(reading.rows);
  if (before === null) return doubts;
  const earlier = new Map(before.rows.map((row) => [rowKey(row), row]));
  const exchanged = exchangesIn(reading.rows, earlier, NEAR[cadence].apart);
  for (const row of reading.rows) {
    const previous = earlier.get(rowKey(row));
    const doubt = previous === undefined ? null : (exchanged.get(row) ?? doubtAbout(row, previous));
    if (doubt !== null) doubts.push(doubt);
  }
  const { length } = reading.rows;
  if (length < LEAST_REPEATED) return doubts;
  const rates = ratesOf(reading.rows);
  const copied = older.find(({ rows }) => ratesOf(rows) === rates);
  if (rates === ratesOf(before.rows))
    doubts.push({ rule: "repeated", detail: `all ${length} rates are those before` });
  else if (copied !== undefined)
    doubts.push({ rule: "repeated", detail: `all ${length} rates are those of ${copied.publication}` });
  return doubts;
}

/** The doubt about a table of another time, another table, or only a part of the table; null where `before` is no measure. */
export function unlikenessOf(
  { cadence }: Pick<OfficialTable, "cadence">,
  reading: OfficialReading,
  before: OfficialReading | null,
): OfficialDoubt | null {
  if (before === null || before.rows.length < LEAST_REPEATED) return null;
  const { days, apart } = NEAR[cadence];
  if (reading.validFrom - before.validFrom > days) return null;
  const earlier = new Map(before.rows.map((row) => [rowKey(row), row]));
  const ratios = reading.rows.flatMap((row) => {
    const before = earlier.get(rowKey(row));
    return before === undefined ? [] : [valueOfOne(row) / valueOfOne(before)];
  });
  // The median change is that of the table's own currency against all others.
  const common = ratios.toSorted((a, b) => a - b)[ratios.length >> 1] ?? 1;
  const near = ratios.filter((ratio) => Math.abs(ratio / common - 1) <= apart).length;
  // All rates slip together where a document loses its decimal point, and it does so at every reading.
  const hasSlipped = isDecimalSlip(common);
  if (near >= LEAST_NEAR * before.rows.length && !hasSlipped) return null;
  const times = hasSlipped ? `${common.toPrecision(4)} times ` : "";
  const detail = `${near} of ${before.rows.length} rates are near ${times}those of ${before.publication}`;
  return { rule: "unlike", detail };
}

function doubtAbout(row: OfficialRow, before: OfficialRow): OfficialDoubt | null {
  const ratio = valueOfOne(row) / valueOfOne(before);
  const comparison = `${rowKey(row)} is ${row.rate} for ${row.unit} after ${before.rate} for ${before.unit}`;
  const doubt = (rule: OfficialDoubtRule, why: string) => ({ rule, detail: `${comparison}: ${why}` });
  const times = ratio.toPrecision(4);
  const hasMoved = ratio > 1 + LARGEST_MOVE || ratio < 1 / (1 + LARGEST_MOVE);
  if (hasMoved && Math.abs(valueOfOne(row) * valueOfOne(before) - 1) <= NEAR_INVERSE)
    return doubt("miscounted", "close to the inverse");
  if (isDecimalSlip(ratio)) {
    const rule = row.unit === before.unit ? "decimal_slip" : "miscounted";
    return doubt(rule, `${times} times the value, close to a power of ten`);
  }
  return null;
}

/** Buying rates above the selling rates of their currencies: the two columns are exchanged. */
function boughtDearer(rows: readonly OfficialRow[]): OfficialDoubt[] {
  return rows.flatMap((row) => {
    const sell = rows.find(
      ({ base, quote, kind }) => kind === "sell" && base === row.base && quote === row.quote,
    );
    if (row.kind !== "buy" || sell === undefined || valueOfOne(row) <= valueOfOne(sell)) return [];
    return [{ rule: "exchanged", detail: `${rowKey(row)} is ${row.rate}, above ${sell.rate} for selling` }];
  });
}

function exchangesIn(
  rows: readonly OfficialRow[],
  earlier: ReadonlyMap<string, OfficialRow>,
  apart: number,
): ReadonlyMap<OfficialRow, OfficialDoubt> {
  const moves = rows.flatMap((row) => {
    const before = earlier.get(rowKey(row));
    if (before === undefined) return [];
    return [{ row, kind: row.kind, value: valueOfOne(row), before: valueOfOne(before) }];
  });
  const doubt = ({ row }: (typeof moves)[number], other: OfficialRow): OfficialDoubt => ({
    rule: "exchanged",
    detail: `${rowKey(row)} is ${row.rate} for ${row.unit}, near what ${rowKey(other)} was before, and that one near what this was`,
  });
  return new Map([...exchanges(moves, apart)].map(([one, other]) => [one.row, doubt(one, other.row)]));
}

/** A double is exact enough to compare with a bound of a fifth. */
function valueOfOne({ rate, unit }: OfficialRow): number {
  return Number(rate) / unit;
}

// ── Holding back ─────────────────────────────────────────────────────────────────────────────────

/** A reading that was held back: its content, when it was first read, and why. */
export interface HeldReading {
  readonly fingerprint: string;
  readonly firstReadAt: Instant;
  /** The version number that the reading would get. */
  readonly version: number;
  readonly validFrom: Day;
  readonly rule: OfficialHoldRule;
  readonly reason: string;
}

export interface HeldPublication extends HeldReading {
  readonly table: string;
  readonly publication: string;
}

export interface HeldDecision {
  readonly fingerprint: string;
  readonly verdict: "release" | "discard";
}

/** A second reading this much later confirms the first; an earlier one may be the same mistake from a cache. */
const CONFIRMED_AFTER_MILLISECONDS = 60 * 60_000;
/** A publication that has been valid for longer than this is not held: a history may be loading. */
export const SETTLED_AFTER_DAYS = 7;

/** Whether the same content was read before, long enough ago. */
export function isReadAgain(reading: OfficialReading, held: HeldReading | null, readAt: Instant): boolean {
  return (
    held !== null &&
    held.fingerprint === fingerprintOf(reading) &&
    readAt - held.firstReadAt >= CONFIRMED_AFTER_MILLISECONDS
  );
}

/**
 * Whether a reading is held for its own rates, not published now. A decimal slip is held: a rate that is wrong by ten does harm, and
 * a real move of that size is a redenomination, which can wait. The same content read again an hour later is published. Other doubts
 * hold it until an operator decides. A publication that has been valid for more than a week is not held (a history being loaded),
 * unless it `isNews`, a correction or newer than all known ones: its age may then be a clock's mistake.
 */
export function holdsBack(
  reading: OfficialReading,
  doubts: readonly OfficialDoubt[],
  held: HeldReading | null,
  readAt: Instant,
  isNews = false,
): boolean {
  const rule = holdingRule(doubts);
  if (rule === null) return false;
  if (!isNews && readAt / MILLISECONDS_PER_DAY - reading.validFrom > SETTLED_AFTER_DAYS) return false;
  return rule !== "decimal_slip" || !isReadAgain(reading, held, readAt);
}

/** The doubt that holds a publication, or null. */
export function holdingRule(doubts: readonly OfficialDoubt[]): OfficialDoubtRule | null {
  const holding = [...NEVER_REAL, "decimal_slip"] as const;
  return holding.find((rule) => doubts.some((doubt) => doubt.rule === rule)) ?? null;
}

/**
 * many_corrections: the collection changes more publications than any authority corrects at once. old_copy: the content is that of an
 * earlier version. shifted: the rates are those of the publication before or after. contradicted: another route of the authority
 * states something else. unconfirmed: no other route states the correction, and it was not read a second time.
 */
export type CorrectionFaultRule =
  | "many_corrections"
  | "old_copy"
  | "shifted"
  | "contradicted"
  | "unconfirmed";

export interface CorrectionFault {
  readonly rule: CorrectionFaultRule;
  readonly reason: string;
}

/** An authority corrects at most so many publications at once; a document with more is wrong. */
export const MOST_CORRECTIONS = 3;

/** A reading that differs from the newest version of its publication. */
export interface Correction {
  readonly reading: OfficialReading;
  readonly newest: PublicationVersion;
  readonly earlier: readonly PublicationVersion[];
  /** The publications before and after it, in their newest versions. */
  readonly neighbours: readonly PublicationVersion[];
}

/** Null for a correction that may be right. */
export function faultOf({ reading, newest, earlier, neighbours }: Correction): CorrectionFault | null {
  const { publication } = reading;
  const fingerprint = fingerprintOf(reading);
  const old = earlier.find((version) => version.fingerprint === fingerprint);
  if (old !== undefined) {
    const reason = `${publication} is as version ${old.version} had it; version ${newest.version} corrected that`;
    return { rule: "old_copy", reason };
  }
  const rates = ratesOf(reading.rows);
  const twin =
    rates === ratesOf(newest.rows) ? undefined : neighbours.find(({ rows }) => ratesOf(rows) === rates);
  if (twin !== undefined) {
    return { rule: "shifted", reason: `${publication} has the rates of ${twin.publication}` };
  }
  return null;
}

/** The first row that differs between both, or null. A route with fewer rows, or without the last day of validity, contradicts nothing. */
export function contradictionOf(
  reading: OfficialReading,
  other: OfficialReading,
  route: string,
): CorrectionFault | null {
  const [first] = differencesOf(other, reading).changed;
  if (first === undefined) return null;
  const { before, after } = first;
  const reason = `${reading.publication} has ${after.rate} for ${after.unit} ${rowKey(after)}, and ${route} states ${before.rate} for ${before.unit}`;
  return { rule: "contradicted", reason };
}

function ratesOf(rows: readonly OfficialRow[]): string {
  return rows.map((row) => `${rowKey(row)} ${row.unit} ${canonicalRate(row.rate)}`).join("\n");
}
