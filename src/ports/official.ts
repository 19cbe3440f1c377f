/** Official publications, types only: where they are read, and where every version of them is stored. */

import type { OfficialReading, OfficialTable, PublicationVersion } from "#domain/official/publication.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";

/** Which publications are wanted, by the day from which they are valid; both days inclusive. */
export interface OfficialWindow {
  /** history: everything that the route has. recent: those of the last weeks, for corrections. latest: the newest. */
  readonly reach: "history" | "recent" | "latest";
  readonly from: Day;
  readonly to: Day;
}

/** The content of one intact document. One that is not intact is thrown as BrokenDocument instead. */
export type OfficialParsed =
  /** By validity and name, each once. */
  | {
      readonly outcome: "publications";
      readonly publications: readonly OfficialReading[];
      readonly note?: string;
    }
  /** Intact, and nothing was published in the window. */
  | { readonly outcome: "empty"; readonly reason: string };

export interface OfficialRoute {
  readonly name: string;
  /** All of these documents together cover the window; each is read separately. */
  readonly requests: readonly UpstreamRequest[];
  /**
   * Documents are there for the days of publication only: one that is not found means that nothing was published. None
   * at all is a fault nevertheless, because no window is as short as an authority's longest pause.
   */
  readonly mayBeAbsent?: true;
  /** Throws BrokenDocument, or UpstreamFault for the authority's own error message. Pure: no clock, no IO. */
  parse(document: UpstreamDocument, window: OfficialWindow): OfficialParsed;
}

/** When an authority publishes a table on a weekday, on the wall clock of the table's zone. */
export interface PublicationHours {
  /** "11:45". */
  readonly opens: string;
  /** When it is no longer looked for closely: "13:00". */
  readonly closes: string;
  /** The next opening after an instant. */
  next(after: Instant): Instant;
}

/** One table of an authority: identity as data, routes as functions, tried in order until one reads. */
export interface OfficialAdapter extends OfficialTable {
  routes(window: OfficialWindow): readonly OfficialRoute[];
  /** How many years one window of a history has; 1 unless the same document has more of them. */
  readonly historyYears?: number;
  /** The whole history is a handful of documents, so that a start reads all of it where it would read the last weeks. */
  readonly historyAtStart?: true;
}

/** The last collection of a table by any process. Published by /status. */
export interface OfficialState {
  readonly table: string;
  /** publications: the document was intact and held some, new or known. empty: intact, and nothing was published. */
  readonly outcome: "never" | "publications" | "empty" | "failed";
  readonly lastAttemptAt: Instant | null;
  /** The last attempt that read an intact document. */
  readonly lastSuccessAt: Instant | null;
  /** Why the last attempt failed or was empty, or what of it could not be read; null when there is nothing to report. */
  readonly detail: string | null;
  /** Publications held back: until a second reading confirms them, the authority changes them, or an operator decides. */
  readonly held: readonly string[];
}

/** The same with the newest publication of the table, by validity. */
export interface OfficialTableStatus extends OfficialState {
  readonly newest: Pick<PublicationVersion, "publication" | "validFrom"> | null;
}

export interface OfficialCollector {
  /**
   * Collects one table; never rejects for an upstream's or the ledger's fault, which becomes the state. One run per
   * table at a time. `progress` is called with the documents read.
   */
  collect(
    table: string,
    reach: OfficialWindow["reach"],
    progress?: (done: number, total: number) => void,
  ): Promise<OfficialState>;
  /** Of every table, from the ledger: also what another process collected. Rejects with LedgerUnavailable. */
  states(): Promise<readonly OfficialState[]>;
}

/** A place in the order of commits: what was committed later has a higher one. */
export interface ChangesPlace {
  readonly position: number;
}

export interface PublicationQuery {
  readonly table: string;
  /** By `validFrom`, inclusive; null leaves the end open. */
  readonly from: Day | null;
  readonly to: Day | null;
  /** Newest validity first, after this one (`validFrom`, then publication id). */
  readonly after: { readonly validFrom: Day; readonly publication: string } | null;
  readonly limit: number;
}

/** Every version ever collected. Rejects with LedgerUnavailable as the ledger does. */
export interface Publications {
  /** The newest version of one publication, or a certain one; null where there is none. */
  find(table: string, publication: string, version: number | null): Promise<PublicationVersion | null>;
  /** Of each publication its newest version. */
  list(query: PublicationQuery): Promise<readonly PublicationVersion[]>;
  /** The publication valid on a day, newest version: the one with the latest `validFrom` up to it. Null before the first. */
  validOn(table: string, day: Day): Promise<PublicationVersion | null>;
  /** The latest instant at which any version of a table was retrieved; null before the first. */
  newestRetrieval(table: string): Promise<Instant | null>;
  /** Versions of a publication, ascending. */
  versions(
    table: string,
    publication: string,
  ): Promise<readonly { readonly version: number; readonly retrievedAt: Instant }[]>;
}

/** A version's name within its table. */
export type VersionName = Pick<PublicationVersion, "publication" | "version">;

/** The identity of a version, without its rates; values that are not checked yet are text as stored. */
export interface VersionKey extends VersionName {
  readonly validFrom: string;
  /** Differs between two versions of the same name that two ledgers collected. */
  readonly identity: string;
}

/** Everything that was ever collected, for a copy that misses nothing. Versions are only ever added. */
export interface PublicationHistory {
  /** How many versions there are of each table that has any; every addition raises it. A cheap read. */
  counts(): Promise<ReadonlyMap<string, number>>;
  /** Versions of a table, in an order of the ledger's own, after one of them. */
  keys(table: string, after: VersionName | null, limit: number): Promise<readonly VersionKey[]>;
  /** Whole versions by name, in no order; one that is not there is left out, one that is damaged is named. */
  read(
    table: string,
    names: readonly VersionName[],
  ): Promise<{
    readonly versions: readonly PublicationVersion[];
    readonly damaged: readonly DamagedVersion[];
  }>;
}

/** A version that does not read as it was stored. */
export interface DamagedVersion extends VersionName {
  readonly detail: string;
}

/** The ledger that the lake's table of publications is a copy of. */
export interface CopiedLedger {
  /** Of the installation: another ledger has another one. */
  readonly id: string;
  /** Tables to copy; what the lake has of others is left as it is. */
  readonly tables: readonly Pick<OfficialTable, "id" | "country" | "authority">[];
  readonly history: PublicationHistory;
}

/** What one run of copying did. */
export interface CopyReport {
  /** Versions that were new to the lake. */
  readonly added: number;
  /** Versions that the ledger does not have, and the lake no longer has either. */
  readonly dropped: number;
  /** Tables that were skipped because their file in the lake is damaged, and versions that are damaged in the ledger. */
  readonly lacking: number;
}

/** Publications as a table of the lake: complete up to its newest commit, never ahead of the ledger. */
export interface OfficialCopy {
  /**
   * Brings the table up to what the ledger has, in one commit, or none when nothing is new; safe to repeat and to end at
   * any moment. Rejects as the ledger does, with LakeBusy, WrongMode, LakeDamaged when the table's log is damaged.
   */
  follow(ledger: CopiedLedger, signal?: AbortSignal): Promise<CopyReport>;
}
