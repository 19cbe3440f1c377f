/** The results of the use cases of official publications, as values. src/api/official prints them. */

import type { Instant } from "#domain/time/day.ts";
import type { WebhookEvent } from "#domain/webhook/endpoint.ts";
import type { OfficialTable, PublicationVersion } from "./publication.ts";

/** A table that is offered, and what is newest of it. */
export interface TableState {
  readonly table: OfficialTable;
  /** False only where there is nothing and nothing will come. */
  readonly collected: boolean;
  /** Null before the first, and while it is damaged in the ledger. */
  readonly newest: PublicationVersion | null;
}

export interface TableList {
  readonly tables: readonly TableState[];
  /** True in the demo: rates are made up. */
  readonly simulated: boolean;
}

export interface PublicationPage {
  readonly table: OfficialTable;
  /** The type that was requested. */
  readonly type: string;
  readonly publications: readonly PublicationVersion[];
  readonly nextCursor: string | null;
  readonly simulated: boolean;
}

export interface FoundPublication {
  readonly table: OfficialTable;
  readonly type: string;
  readonly publication: PublicationVersion;
  /** Every version there is, ascending. */
  readonly versions: readonly { readonly version: number; readonly retrievedAt: Instant }[];
  readonly simulated: boolean;
}

export interface ChangePage {
  /** Bodies of events as they were stored, the same that webhooks carry: JSON. */
  readonly events: readonly string[];
  readonly hasMore: boolean;
  /** Leads to what comes after the page. */
  readonly resumeCursor: string;
}

export interface ChangeFeed {
  /** Upper case; null: of every country. */
  readonly country: string | null;
  /** Lower case; null: of every type. */
  readonly type: string | null;
  /** The newest first. `table` is null where this server does not offer it any more. */
  readonly entries: readonly { readonly event: WebhookEvent; readonly table: OfficialTable | null }[];
  /** Where this page begins; null: at the newest. */
  readonly cursor: string | null;
  /** Leads to older entries; null on the last page. */
  readonly nextCursor: string | null;
  readonly simulated: boolean;
}
