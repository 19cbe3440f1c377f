/** What reading official publications needs: the tables that this server knows, what was collected of them, and the order of changes. */

import type { OfficialTable } from "#domain/official/publication.ts";
import type { Publications } from "#ports/official.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";
import { type KeptReads, keptReads } from "./kept-reads.ts";

/** A table that can be asked for. */
export interface OfferedTable {
  readonly table: OfficialTable;
  /** What the operator has to do to have it collected, such as "set BANXICO_TOKEN"; null where it is collected. */
  readonly missing: string | null;
}

export interface OfficialPorts {
  /** In the order in which they are listed. */
  readonly tables: readonly OfferedTable[];
  readonly publications: Publications;
  readonly outbox: Pick<Outbox, "changes">;
  readonly clock: Clock;
  /** Signs cursors. */
  readonly cursorSecret: string;
  /** The demo: rates are made up, and everything says so. */
  readonly simulated: boolean;
}

export interface OfficialDeps extends OfficialPorts {
  /** What is asked for all the time, read every few seconds at most. */
  readonly kept: KeptReads;
}

/** How long a publication may be new without being seen in the list of tables and in the slugs. */
export const KEPT_MILLISECONDS = 3000;

/** Tables in the order given; nothing is read yet. */
export function openOfficial(ports: OfficialPorts): OfficialDeps {
  return { ...ports, kept: keptReads(ports.clock, KEPT_MILLISECONDS) };
}
