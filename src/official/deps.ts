/** The dependencies of reading official publications: the offered tables, and the ledger. Its faults become refusals with a code. */

import { LedgerUnavailable, PublicationDamaged } from "#domain/account/ledger.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { HeldPublication } from "#domain/official/doubts.ts";
import type { OfficialTable, PublicationVersion } from "#domain/official/publication.ts";
import { dayInZone } from "#domain/time/calendar.ts";
import { type Day, formatInstant, type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { PublicationHours, Publications } from "#ports/official.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";

export interface OfferedTable {
  readonly table: OfficialTable;
  /** The operator's step to have it collected, such as "set BANXICO_TOKEN"; null if it is collected. */
  readonly missing: string | null;
  /** Absent where the authority has no hour, or it is unknown. */
  readonly hours?: PublicationHours | null;
}

export interface OfficialDeps {
  /** The order of the list. */
  readonly tables: readonly OfferedTable[];
  readonly publications: Omit<Publications, "newestRetrieval">;
  readonly outbox: Pick<Outbox, "changes" | "newestChanges">;
  /** Held readings of a table that no operator has decided on. */
  readonly held: (table: string) => Promise<readonly HeldPublication[]>;
  /** When a document of the table was last read; null if never. */
  readonly lastReadAt: (table: string) => Promise<Instant | null>;
  readonly clock: Clock;
  readonly cursorSecret: string;
  /** The demo: rates are made up, and every answer states it. */
  readonly simulated: boolean;
}

// ── Reads of the ledger ──────────────────────────────────────────────────────────────────────────

/** The result of `read`. Failure `service_unavailable` when the ledger is unavailable, or the publication is damaged. */
export async function fromLedger<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    if (!(thrown instanceof LedgerUnavailable)) throw thrown;
    throw new Failure("service_unavailable", { reason: reasonOf(thrown) }, thrown);
  }
}

/** The damaged publication is named: the caller can leave it out. */
function reasonOf(fault: LedgerUnavailable): string {
  if (!(fault instanceof PublicationDamaged))
    return "official publications cannot be read at the moment; try again";
  const { table, publication, version } = fault;
  return `version ${version} of publication ${publication} of ${table} is damaged in this server's store and is not served; its operator has to restore it`;
}

/** Failure `source_unavailable` for a table without any publication: why, and what would help. */
export function nothingCollected(name: string, { missing }: OfferedTable, advice: string): Failure {
  const why =
    missing === null
      ? `of ${name} nothing has been collected yet`
      : `${name} is not collected on this server: ${missing}`;
  return new Failure("source_unavailable", { reason: `${why}; ${advice}` });
}

/** The publication of the newest validity, which may be in the future; null before the first. */
export async function newestOrNull(
  { publications }: Pick<OfficialDeps, "publications">,
  table: string,
): Promise<PublicationVersion | null> {
  const [newest] = await publications.list({ table, from: null, to: null, after: null, limit: 1 });
  return newest ?? null;
}

/**
 * As newestOrNull. Failure `source_unavailable` before the first, and until a first reading of the table is complete: the newest
 * publication is an old one while a history loads.
 */
export async function newestOf(deps: OfficialDeps, offered: OfferedTable): Promise<PublicationVersion> {
  const newest = await newestOrNull(deps, offered.table.id);
  if (newest === null) throw nothingCollected(offered.table.id, offered, "see /v1/official");
  if ((await deps.lastReadAt(offered.table.id)) === null)
    throw new Failure("source_unavailable", {
      reason: `the first reading of ${offered.table.id} is not complete here: newer publications may be missing; ask again soon`,
    });
  return newest;
}

/** The last held first version that would be in force on `day` instead of `publication`, the last stored one up to then; or null. */
export async function heldInstead(
  deps: Pick<OfficialDeps, "held">,
  publication: PublicationVersion | null,
  { table, day, asOf }: { readonly table: string; readonly day: Day; readonly asOf: Instant | null },
): Promise<HeldPublication | null> {
  const isInstead = ({ version, validFrom, firstReadAt }: HeldPublication) =>
    version === 1 &&
    validFrom <= day &&
    (publication === null || validFrom > publication.validFrom) &&
    (asOf === null || firstReadAt <= asOf);
  const instead = (await deps.held(table)).filter(isInstead);
  return instead.toSorted((a, b) => b.validFrom - a.validFrom)[0] ?? null;
}

/** Says that a publication after `newest`, the last stored one, is held back; else null. */
export async function heldNote(
  deps: Pick<OfficialDeps, "held">,
  table: string,
  newest: PublicationVersion | null,
): Promise<string | null> {
  const held = await heldInstead(deps, newest, { table, day: Number.POSITIVE_INFINITY, asOf: null });
  return held && `${held.publication} is newer, and held back: this server does not believe its rates yet`;
}

/**
 * Says that later publications are missing here, if the last reading was over a day ago and not after `day`; else null. Tables
 * are read several times a day. `validTo` is the last day of the publication in force on `day`: nothing replaces it before.
 */
export async function unreadNote(
  { lastReadAt, clock }: Pick<OfficialDeps, "lastReadAt" | "clock">,
  { id, zone }: OfficialTable,
  day: Day,
  validTo: Day | null = null,
): Promise<string | null> {
  const at = await lastReadAt(id);
  if (at === null || (validTo !== null && validTo >= day)) return null;
  if (clock.now() - at <= MILLISECONDS_PER_DAY || dayInZone(zone, at) > day) return null;
  return `${id} was last read here on ${formatInstant(Math.floor(at / 1000) * 1000)}: what was published since is missing`;
}

/** First days of the table's held first versions. */
export async function heldDays(deps: Pick<OfficialDeps, "held">, table: string): Promise<readonly Day[]> {
  const firsts = (await deps.held(table)).filter(({ version }) => version === 1);
  return firsts.map(({ validFrom }) => validFrom);
}

/** A page of at most `limit` rows; `last` is its last row if others follow. Callers read one row more than the limit. */
export function pageOf<Row>(rows: readonly Row[], limit: number) {
  const page = rows.slice(0, limit);
  return { page, last: rows.length > limit ? page.at(-1) : undefined };
}
