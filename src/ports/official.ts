/** Official publications, types only: where they are read, and where every version of them is stored. */

import type { Window } from "#domain/intake/reading.ts";
import type { OfficialReading, OfficialTable, PublicationVersion } from "#domain/official/publication.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { Route } from "#ports/upstream.ts";

/** The content of one intact document. One that is not intact is thrown as BrokenDocument instead. */
export type OfficialParsed =
  /** Ordered by validity and name, each once. */
  | {
      readonly outcome: "publications";
      readonly publications: readonly OfficialReading[];
      readonly note?: string;
    }
  | { readonly outcome: "empty"; readonly reason: string };

/** When an authority publishes a table on a weekday, on the wall clock of the table's zone. */
export interface PublicationHours {
  readonly opens: string;
  /** When frequent polling ends: "13:00". */
  readonly closes: string;
  next(after: Instant): Instant;
}

/** One table of an authority: identity as data, routes as functions, tried in order until one reads. */
export interface OfficialAdapter extends OfficialTable {
  /** Routes for publications that are valid from a day of the window. */
  routes(window: Window): readonly Route<OfficialParsed>[];
  /** How many years one window of a history has; 1 unless the same document has more of them. */
  readonly historyYears?: number;
  /** The whole history is a handful of documents: a start reads all of it. */
  readonly historyAtStart?: true;
}

export interface PublicationQuery {
  readonly table: string;
  /** Bounds of `validFrom`, both inclusive; null: no bound. */
  readonly from: Day | null;
  readonly to: Day | null;
  /** Newest validity first, after this one (`validFrom`, then publication id). */
  readonly after: { readonly validFrom: Day; readonly publication: string } | null;
  readonly limit: number;
}

/** Every version ever collected. Rejects with LedgerUnavailable as the ledger does. */
export interface Publications {
  /** A version, by default (`version` null) the newest; null if it does not exist. */
  find(table: string, publication: string, version: number | null): Promise<PublicationVersion | null>;
  /** The newest version of each publication. */
  list(query: PublicationQuery): Promise<readonly PublicationVersion[]>;
  /** Newest version of the publication with the latest `validFrom` up to the day. Null before the first. */
  validOn(table: string, day: Day): Promise<PublicationVersion | null>;
  /** The publication with the earliest `validFrom`; null before the first. */
  first(table: string): Promise<Pick<PublicationVersion, "publication" | "validFrom"> | null>;
  /** Null before the first. */
  newestRetrieval(table: string): Promise<Instant | null>;
  versions(
    table: string,
    publication: string,
  ): Promise<readonly { readonly version: number; readonly retrievedAt: Instant }[]>;
}

export type VersionName = Pick<PublicationVersion, "publication" | "version">;

/** Distinguishes a version from another one of the same name. */
export type VersionMark = Pick<PublicationVersion, "publication" | "version" | "retrievedAt" | "fingerprint">;

/** Everything ever collected. Versions are only ever added. */
export interface PublicationHistory {
  /** Versions of each table that has any. A cheap read. */
  counts(): Promise<ReadonlyMap<string, number>>;
  /** Marks of all versions of a table, in the ledger's own order. */
  marks(table: string): Promise<readonly VersionMark[]>;
  /** Reads versions of a table after a given one, in the ledger's own order. Rejects with PublicationDamaged. */
  page(table: string, after: VersionName | null, limit: number): Promise<VersionPage>;
}

export interface VersionPage {
  readonly versions: readonly PublicationVersion[];
  /** The last version of the page; null when no version is left. */
  readonly next: VersionName | null;
}

export interface CopiedLedger {
  /** Id of the installation. */
  readonly id: string;
  /** Tables to copy; others of the lake stay as they are. */
  readonly tables: readonly Pick<OfficialTable, "id" | "country" | "authority">[];
  readonly history: PublicationHistory;
}
