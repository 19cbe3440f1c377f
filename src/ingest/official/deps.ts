/** The dependencies of collecting official tables, and how a collection is stopped early. */

import type { Window } from "#domain/intake/reading.ts";
import type { CorrectionFault } from "#domain/official/doubts.ts";
import type { OfficialReading } from "#domain/official/publication.ts";
import type { Installation } from "#ports/ledger.ts";
import type { OfficialAdapter, Publications } from "#ports/official.ts";
import type { Upstream, UpstreamDocument } from "#ports/upstream.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { Clock } from "#ports.ts";
import type { Emit } from "#telemetry.ts";

export interface ReadPublication {
  readonly reading: OfficialReading;
  readonly document: Pick<UpstreamDocument, "url" | "sha256" | "retrievedAt">;
  readonly route: string;
  /** How another route of the same collection contradicts it; null where no route does. */
  readonly contradiction: CorrectionFault | null;
}

export interface OfficialIngestDeps {
  readonly tables: readonly OfficialAdapter[];
  /** A client for each reach, each with its own validators: a document without news for a window of days has much for a window of years. */
  readonly upstreamFor: (reach: Window["reach"]) => Upstream;
  /** Replaces the clients: each document is new to the next ones. */
  readonly forget: () => void;
  readonly publications: Publications;
  readonly outbox: Pick<Outbox, "publish">;
  /** Notes of a table's state and its held publications: a restart must not publish a held one early. */
  readonly notes: Pick<Installation, "read" | "write">;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Waits between two documents of a history. There may be thousands, and an authority has others to answer, too. */
  readonly pause: () => Promise<void>;
  /** Aborted with CollectionStopped when this process closes; checked before every document. */
  readonly closing: AbortSignal;
  /** Checked right before every write: false once another process does this work. */
  readonly mayPublish: () => Promise<boolean>;
}

/** Thrown when this process closes, or another one does the work now: the next collection publishes the rest. */
export class CollectionStopped extends Error {
  constructor() {
    super("the collection was stopped");
    this.name = "CollectionStopped";
  }
}

/** Receives how many of the documents of a collection were read. */
export type OfficialProgress = (done: number, total: number) => void;
