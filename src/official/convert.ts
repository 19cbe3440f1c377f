/** Converts an amount by an official table: by the publication of a day, as the rule of the caller's law chooses it. */

import { simulatedMark } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Decimal } from "#domain/number/decimal.ts";
import { convertOfficially, type DayRule } from "#domain/official/conversion.ts";
import {
  LONGEST_STEP_DAYS,
  OFFICIAL_KINDS,
  type OfficialKind,
  type OfficialRow,
  type OfficialTable,
  type PublicationVersion,
} from "#domain/official/publication.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import { fromLedger, newestOf, type OfferedTable, type OfficialDeps } from "./deps.ts";
import { heldBack, inForceOn, lastUpTo, nearestTo, notFound, versionAsOf } from "./publications.ts";

export interface OfficialConvertQuery {
  readonly offered: OfferedTable;
  readonly type: string;
  /** Upper case; also of currencies outside the catalog. */
  readonly from: string;
  readonly to: string;
  readonly amount: Decimal;
  /** A day of the table's zone; null: today. */
  readonly on: Day | null;
  readonly rule: DayRule;
  /** Null: `mid`, or the only kind that the publication has. */
  readonly kind: OfficialKind | null;
  readonly asOf: Instant | null;
}

/**
 * Converts by one publication. Conversions with the same `read` read the publication of a table and day once. Failures `not_found` without
 * a publication of the day, or a rate between the two currencies; `invalid_request` when a kind has to be chosen; `source_unavailable`,
 * `service_unavailable`.
 */
export async function officialConvert(
  deps: OfficialDeps,
  query: OfficialConvertQuery,
  read = new Map<string, ReturnType<typeof publicationOf>>(),
) {
  const { offered, from, to, amount, rule, asOf } = query;
  const { table } = offered;
  if (from === to)
    throw new Failure("invalid_request", { reason: `from and to are both ${from}: choose two currencies` });
  const today = todayOf(deps, table, asOf);
  const on = query.on ?? today;
  const name = [table.id, on, rule, asOf].join(" ");
  const reading = read.get(name) ?? fromLedger(() => publicationOf(deps, query, on));
  read.set(name, reading);
  const { publication, unread } = await reading;
  const kind = query.kind ?? onlyKind(publication);
  const rows = publication.rows.filter((row) => row.kind === kind);
  const conversion = convertOfficially(rows, { from, to, amount });
  if (conversion === null)
    throw notFound(
      `publication ${publication.publication} of ${table.id} has no ${kind} rate from ${from} to ${to}: see its rows`,
    );
  const citation = citationOf(deps, table, publication, conversion.rows, unread);
  return { ...query, ...conversion, on, kind, publication, citation, simulated: deps.simulated };
}

export type ConvertedOfficially = Awaited<ReturnType<typeof officialConvert>>;

async function publicationOf(deps: OfficialDeps, { offered, rule, asOf }: OfficialConvertQuery, on: Day) {
  if (rule !== "published_on") return await inForceOn(deps, offered, rule === "in_force" ? on : on - 1, asOf);
  await newestOf(deps, offered);
  return { publication: await publishedOn(deps, offered.table, on, asOf), unread: null };
}

/** The day of the table's zone, now or at `asOf`. Failure `invalid_request` for an `asOf` after now: future days would count as valid. */
export function todayOf({ clock }: OfficialDeps, { zone }: OfficialTable, asOf: Instant | null): Day {
  if (asOf !== null && asOf > clock.now())
    throw new Failure("invalid_request", { reason: `as_of ${formatInstant(asOf)} is after now` });
  return dayInZone(zone, asOf ?? clock.now());
}

/** The publication published on the day itself: by its stated instant of publication, else by its first day of validity. */
async function publishedOn(
  deps: OfficialDeps,
  offered: OfficialTable,
  on: Day,
  asOf: Instant | null,
): Promise<PublicationVersion> {
  const { publications } = deps;
  const { id: table, cadence, zone } = offered;
  const step = LONGEST_STEP_DAYS[cadence];
  // An authority may publish a table ahead of its validity, by about one step.
  const around = { table, from: on - step, to: on + step, after: null, limit: 2 * step + 1 };
  for (const newest of await publications.list(around)) {
    const first = newest.version === 1 ? newest : await publications.find(table, newest.publication, 1);
    if (first === null) continue;
    const day = first.publishedAt === null ? first.validFrom : dayInZone(zone, first.publishedAt);
    if (day !== on) continue;
    const then = asOf === null ? newest : await versionAsOf({ publications }, newest, asOf);
    if (then !== null) return then;
  }
  const { publication: last, held } = await lastUpTo(deps, offered, on, asOf);
  if (held?.validFrom === on) throw heldBack(held, last);
  const before = await nearestTo({ publications }, table, last);
  throw notFound(`no publication of ${table} is known to be published on ${formatDay(on)}${before}`);
}

/** `mid`, or the only kind of the publication. Buying and selling rates differ: neither is chosen for the caller. */
function onlyKind({ rows, publication }: PublicationVersion): OfficialKind {
  const kinds = OFFICIAL_KINDS.filter((kind) => rows.some((row) => row.kind === kind));
  const [first = "mid"] = kinds;
  if (first === "mid" || kinds.length === 1) return first;
  throw new Failure("invalid_request", {
    reason: `publication ${publication} has rates of the kinds ${kinds.join(", ")}: choose one with kind`,
  });
}

/** "HMRC: Monthly exchange rates, 2026-11, version 1, 1 GBP = 1.2937 USD, retrieved 2026-10-22T04:00:00Z, https://…"; the demo's begins with its mark. `unread` comes last. */
export function citationOf(
  { simulated }: Pick<OfficialDeps, "simulated">,
  { authority, title }: OfficialTable,
  { publication, version, retrievedAt, sourceUrl }: PublicationVersion,
  rows: readonly OfficialRow[],
  unread: string | null = null,
): string {
  const rates = rows.map(
    ({ unit, base, rate, quote, kind }) =>
      `${unit} ${base} = ${rate} ${quote}${kind === "mid" ? "" : ` (${kind})`}`,
  );
  const retrieved = formatInstant(Math.floor(retrievedAt / 1000) * 1000);
  return `${simulatedMark(simulated)}${authority}: ${title}, ${publication}, version ${version}, ${rates.join(", ")}, retrieved ${retrieved}, ${sourceUrl}${unread === null ? "" : ` (${unread})`}`;
}
