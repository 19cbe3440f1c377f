/** The outside world on one page: types only. Adapters live in store/, sources/ and gateways/; wiring.ts joins them. */

import type { CurrencyCode } from "#domain/currency.ts";
import type { Day, Instant } from "#domain/day.ts";
import type { ObservationColumns } from "#domain/history.ts";
import type { LiveQuote } from "#domain/live-quote.ts";
import type { Figure, Observation, Provenance } from "#domain/observation.ts";
import type { SupersededObservation } from "#domain/revision.ts";
import type { DailySource } from "#domain/source.ts";

export interface Clock {
  now(): Instant;
}

// ── Upstreams ────────────────────────────────────────────────────────────────────────────────────

/** One bounded GET of an upstream document. */
export interface UpstreamRequest {
  /** Public address, before UPSTREAM_BASE remaps it and without credentials: it is stored as provenance. */
  readonly url: string;
  /** Credentials and the like, added to the query just before sending and never logged or stored. */
  readonly secretQuery?: Readonly<Record<string, string>>;
  readonly accept: string;
  readonly maxBytes: number;
  readonly timeoutSeconds: number;
}

export interface UpstreamDocument {
  /** `UpstreamRequest.url` of the request that was answered. */
  readonly url: string;
  readonly bytes: Uint8Array;
  /** Lower-case hex SHA-256 of `bytes`. */
  readonly sha256: string;
  readonly retrievedAt: Instant;
  readonly contentType: string;
}

/** The one polite client. Rejects with UpstreamFault; "unchanged" when a validator matched (304). */
export interface Upstream {
  get(request: UpstreamRequest): Promise<UpstreamDocument | "unchanged">;
  /** Called once a document's content is durable: only then may the next request be conditional on it. */
  remember(document: UpstreamDocument): void;
}

/** Which part of an upstream's history is wanted; both days inclusive. */
export interface Window {
  /** history: everything since coverage start. recent: the last 90 days, for corrections. latest: the newest figures. */
  readonly reach: "history" | "recent" | "latest";
  readonly from: Day;
  readonly to: Day;
}

/** A figure the authority took back without a replacement. */
export interface Withdrawal {
  readonly date: Day;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  readonly publishedAt: Instant | null;
}

/** What one intact document says. A document that is not intact is thrown as BrokenDocument instead. */
export type Reading =
  | {
      readonly outcome: "figures";
      /** Ascending by date; several versions of one figure stand in order of publication, newest last. */
      readonly figures: readonly Figure[];
      readonly withdrawals: readonly Withdrawal[];
      /** The document speaks for every day up to this one, including days without a figure. */
      readonly coveredThrough: Day;
      /** What an operator should know about the document although it was read, one clause. */
      readonly note?: string;
    }
  /** Intact, and no figure is due in the window: the authority was closed. */
  | { readonly outcome: "holiday"; readonly coveredThrough: Day | null }
  /** Intact, no figure although one was due: not yet published, or not published. */
  | { readonly outcome: "empty"; readonly reason: string };

/** An upstream's way of delivering one window: several routes may exist, tried in order until one reads. */
export interface Route {
  readonly name: string;
  /** All of these documents together cover the window. */
  readonly requests: readonly UpstreamRequest[];
  /** Throws BrokenDocument when the bytes are not the documented format. Pure: no clock, no IO. */
  parse(document: UpstreamDocument, window: Window): Reading;
}

/** One daily reference source: identity as data, routes as functions. */
export interface DailyAdapter {
  readonly id: DailySource;
  readonly authority: string;
  readonly homepage: string;
  /** Attribution and terms, one or two sentences, shown to users. */
  readonly terms: string;
  /** Currencies quoted against the source's pivot. */
  readonly currencies: readonly CurrencyCode[];
  routes(window: Window): readonly Route[];
}

// ── Lake ─────────────────────────────────────────────────────────────────────────────────────────

/** A figure that acceptance held back: visible, never served, until released or confirmed. */
export interface HeldFigure extends Figure, Provenance {
  /** Name of the rule that held it, e.g. "implausible_jump". */
  readonly rule: string;
  /** One sentence with the numbers that made the rule fire. */
  readonly reason: string;
}

/** How far a source's documents have spoken, and when that was last seen. */
export interface Coverage {
  readonly source: DailySource;
  readonly coveredThrough: Day;
  readonly retrievedAt: Instant;
}

export interface LakeSnapshot {
  /** Changes whenever any observation does; short, URL-safe, never reused. */
  readonly version: string;
  readonly observations: ObservationColumns;
  readonly held: readonly HeldFigure[];
  readonly coverage: readonly Coverage[];
}

/** What `commit` decides on: the snapshot, and what only a judgement about revisions needs. */
export interface LakeRecord extends LakeSnapshot {
  /** Publication instants beside `observations`; NaN where unknown. */
  readonly publishedAt: Float64Array;
  /** Everything that no longer stands, ordered by source, date, base, quote, revision. */
  readonly superseded: readonly SupersededObservation[];
}

/** One atomic step per partition, safe to repeat: applying the same change twice equals applying it once. */
export interface LakeChange {
  /**
   * New keys, and new revisions of existing keys (the previous row moves to the superseded table first).
   * A known revision named again keeps its row; only a missing publication instant is filled in.
   */
  readonly accepted: readonly Observation[];
  /** Revisions taken back: the row moves to the superseded table. */
  readonly withdrawn: readonly (Withdrawal & Provenance & { readonly revision: number })[];
  /** The complete list of held figures after this change. */
  readonly held: readonly HeldFigure[];
  readonly coverage: readonly Coverage[];
}

export interface Lake {
  /** Version on disk right now; a cheap read, to notice another process's commit. */
  version(): Promise<string>;
  /** Every current observation, ordered by source, date, base, quote. */
  read(): Promise<LakeSnapshot>;
  /**
   * Runs `decide` on the newest snapshot under the lake's single-writer lock and makes its change durable
   * before resolving. `decide` returning null changes nothing. Resolves with the version then current.
   * `progress` hears how many of the partitions to write are durable.
   */
  commit(
    decide: (current: LakeRecord) => LakeChange | null,
    progress?: (written: number, total: number) => void,
  ): Promise<string>;
  close(): Promise<void>;
}

/** One version of a data file, held open: what is read from it belongs together. */
export interface LakeFile {
  readonly bytes: number;
  /** Lower-case hex SHA-256 of the whole file. */
  readonly sha256: string;
  /** The bytes from `start` up to, not including, `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** The lake as files, for readers who take them as they are. */
export interface LakeFiles {
  /** The text of the manifest file as it stands, and its lower-case hex SHA-256. Rejects with service_unavailable. */
  manifest(): Promise<{ readonly text: string; readonly sha256: string }>;
  /** The file under a path exactly as the manifest writes it, else null. The caller closes it. */
  open(path: string): Promise<LakeFile | null>;
}

// ── Intraday archive ─────────────────────────────────────────────────────────────────────────────

/** Open, high, low, close and mean of the mids of one pair in one interval of time. */
export interface Bar {
  /** First instant of the interval; intervals begin at multiples of their width since 1970-01-01T00:00Z. */
  readonly start: Instant;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Arithmetic mean of the mids. */
  readonly mean: number;
  readonly ticks: number;
}

export interface BarQuery {
  /** Bars are of units of `symbol` per one `base`. */
  readonly base: CurrencyCode;
  readonly symbol: CurrencyCode;
  /** Quotes observed from `from` up to, not including, `to`. */
  readonly from: Instant;
  readonly to: Instant;
  readonly widthSeconds: number;
  readonly order: "asc" | "desc";
  /** At most so many bars, from the beginning of the order. */
  readonly limit: number;
}

/** Every accepted live quote, for good: journal first, Parquet by date soon after. */
export interface QuoteArchive {
  /** Resolves when the quotes are durable; rejects when they are not, and then none of them is kept. */
  append(quotes: readonly LiveQuote[]): Promise<void>;
  /** Brings what is only in the journal into the Parquet files; resolves with how many quotes that were. */
  flush(): Promise<number>;
  /** Bars of a pair that is quoted directly, inverted, or through USD; quotes not yet flushed are in them. */
  bars(query: BarQuery): Promise<readonly Bar[]>;
  close(): Promise<void>;
}

// ── Collection ───────────────────────────────────────────────────────────────────────────────────

/** How the last collection of a source went; kept in memory, shown by /status. */
export interface CollectionState {
  readonly source: DailySource;
  readonly lastAttemptAt: Instant | null;
  /** Last attempt in which a route read an intact document, whether or not it held anything new. */
  readonly lastSuccessAt: Instant | null;
  readonly outcome: "never" | "figures" | "unchanged" | "holiday" | "empty" | "failed";
  /** Why the last attempt failed or was empty, one sentence; null when there is nothing to say. */
  readonly detail: string | null;
}

export interface Collector {
  /** Collects one source; never rejects for an upstream's fault, which becomes the state. One run per source at a time. */
  collect(source: DailySource, reach: Window["reach"]): Promise<CollectionState>;
  states(): readonly CollectionState[];
}
