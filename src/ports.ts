/** The outside world on one page: types only. Adapters live in store/, sources/ and gateways/; compose.ts joins them. */

import type { SupersededObservation } from "#domain/acceptance/judgement.ts";
import type { Retrieval, Statement } from "#domain/acceptance/statements.ts";
import type { Entry, SignedCommit } from "#domain/chain/entry.ts";
import type { ProvenFile } from "#domain/chain/proof.ts";
import type { ChainState } from "#domain/chain/state.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { FigureDocument } from "#domain/explain/explanation.ts";
import type { DamagedFigures } from "#domain/history/damage.ts";
import type { ObservationColumns } from "#domain/history/history.ts";
import type { Observation, Provenance } from "#domain/history/observation.ts";
import type { Bar, BarQuery } from "#domain/history/periods.ts";
import type { ExportRequest, FinishedExport } from "#domain/history/rate-columns.ts";
import type { CollectionState, Coverage, HeldFigure, Window, Withdrawal } from "#domain/intake/reading.ts";
import type { Book, HotBookState } from "#domain/live/book.ts";
import type { ArchivedQuote, FeedId, FeedOutcome, FeedReading, LiveQuote } from "#domain/live/live-quote.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";

export interface Clock {
  now(): Instant;
}

// ── Lake ─────────────────────────────────────────────────────────────────────────────────────────

export interface LakeSnapshot {
  /** Changes whenever any observation does; short, URL-safe, never reused. */
  readonly version: string;
  readonly observations: ObservationColumns;
  readonly held: readonly HeldFigure[];
  readonly coverage: readonly Coverage[];
}

/** The snapshot, and what judgements about revisions and answers as of a past instant need. */
export interface LakeRecord extends LakeSnapshot {
  /** Publication instants beside `observations`; NaN where unknown. */
  readonly publishedAt: Float64Array;
  /** Everything that was replaced or withdrawn, ordered by source, date, base, quote, revision. */
  readonly superseded: readonly SupersededObservation[];
  /** What routes stated where it differs from the current figures, and the days that they covered, ordered by source, route, base, quote, first day. */
  readonly statements: readonly Statement[];
  /** One a route that was read to the end. */
  readonly retrievals: readonly Retrieval[];
  /** Files that do not match the log: their figures are missing above. */
  readonly damaged: readonly DamagedFigures[];
}

/** One atomic step, safe to repeat: applying the same change twice equals applying it once. */
export interface LakeChange {
  /**
   * New keys, and new revisions of existing keys (the previous row moves to the superseded table first).
   * The row of a known revision that is named again stays; only a missing publication instant is filled in.
   */
  readonly accepted: readonly Observation[];
  /** Revisions taken back: the row moves to the superseded table. */
  readonly withdrawn: readonly (Withdrawal & Provenance & { readonly revision: number })[];
  /** The complete list of held figures after this change. */
  readonly held: readonly HeldFigure[];
  readonly coverage: readonly Coverage[];
  /** The complete list after this change; absent: as it was. */
  readonly statements?: readonly Statement[];
  /** The same for the retrievals. */
  readonly retrievals?: readonly Retrieval[];
}

export interface Lake {
  /** Version on disk right now; a cheap read, to notice another process's commit. */
  version(): Promise<string>;
  /** Every current observation, ordered by source, date, base, quote, and everything that was replaced or withdrawn. */
  read(): Promise<LakeRecord>;
  /** The record of an older version; null when it is older than the retention, or was never one. */
  at(version: string): Promise<LakeRecord | null>;
  /**
   * Runs `decide` on the newest snapshot under the lake's single-writer lock and makes its change durable
   * before resolving. `decide` returning null changes nothing. Resolves with the version then current.
   * `progress` is called with how many of the partitions to write are durable.
   */
  commit(
    decide: (current: LakeRecord) => LakeChange | null,
    progress?: (written: number, total: number) => void,
  ): Promise<string>;
  /** Reads every file again, and resolves with those that do not match the log. */
  audit(): Promise<readonly DamagedFigures[]>;
  /** Makes checkpoints, and removes what only versions older than the retention need. */
  upkeep(): Promise<void>;
  close(): Promise<void>;
}

/** A current figure of a version of the lake. */
export interface FigureName {
  readonly source: DailySource;
  readonly date: Day;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  readonly revision: number;
}

/** Where figures were read: the addresses are in the lake's files alone, and are read when they are asked for. */
export interface FigureDocuments {
  /** In the order of the question. Null for a figure whose file is damaged, or gone with the retention. */
  of(version: string, figures: readonly FigureName[]): Promise<readonly (FigureDocument | null)[]>;
}

/** A version of the daily figures and what proves it. */
export interface ProvenVersion {
  /** Of the figures, as manifests have it. */
  readonly version: string;
  readonly entry: SignedCommit;
  /** The text whose SHA-256 is `entry.files`: a line a data file of `daily` in this version. */
  readonly files: string;
  /** By source and year, below `/v1/lake/`. */
  fileOf(source: string, year: number): ProvenFile | null;
}

/** The signed history of the lake, as requests see it. */
export interface SignedHistory {
  /** The newest entry and all keys; null before the first commit was signed. Throws Failure `data_unavailable`. */
  state(): ChainState | null;
  /** At most so many entries from a sequence on. */
  entries(from: number, most: number): readonly Entry[];
  /** A version of the daily figures by its name in manifests; null where it is not retained or was never signed. */
  proven(version: string): ProvenVersion | null;
}

// ── Live feeds ───────────────────────────────────────────────────────────────────────────────────

/** One request to a feed, and the currencies whose quotes its answer should hold. */
export interface FeedPoll {
  readonly request: UpstreamRequest;
  readonly requested: readonly CurrencyCode[];
}

/** One live feed: identity as data, request and parse as functions. Every quote is against the dollar, either way round. */
export interface Feed {
  readonly id: FeedId;
  readonly authority: string;
  readonly homepage: string;
  /** Attribution and terms, one or two sentences, published to users. */
  readonly terms: string;
  readonly needsKey: boolean;
  /** Whether a price comes with its own time; without, the time of the answer counts. */
  readonly timesEachPrice: boolean;
  /** What the feed can quote against the dollar. */
  readonly currencies: readonly CurrencyCode[];
  /**
   * The requests for the wanted currencies, one a poll, in turn: all of them together cover what the feed quotes of the
   * wanted ones. Empty when that is nothing. Most feeds need one request for everything.
   */
  polls(wanted: readonly CurrencyCode[]): readonly FeedPoll[];
  /** The plan's limit: seconds from one poll to the next at the least, in the long run. */
  leastPollSeconds(wanted: readonly CurrencyCode[]): number;
  /** Seconds to pause the feed after it reported `detail`, an exhausted quota, without a time. */
  quotaPauseSeconds(detail: string, now: Instant): number;
  /**
   * The content of an intact document for the requested currencies. Throws BrokenDocument when it is not the documented
   * format, and UpstreamFault when it is the feed's own error message. Pure: no clock, no IO.
   */
  parse(document: UpstreamDocument, requested: readonly CurrencyCode[]): FeedReading;
}

/** Polls a feed once. Never rejects for the feed's fault, which becomes the outcome. */
export type PollFeed = (feed: Feed, poll: FeedPoll) => Promise<FeedOutcome>;

// ── Hot book ─────────────────────────────────────────────────────────────────────────────────────

/** The newest accepted quotes, shared by all processes of an installation. */
export interface HotBook {
  /** From this process's memory; never waits. */
  read(): Book;
  /** One atomic write; resolves with the merged book. A lost shared store delays it a little and fails it never. */
  publish(quotes: readonly LiveQuote[]): Promise<Book>;
  /** Calls with every newer book from now on, in order of version; the returned function ends that. */
  subscribe(listener: (book: Book) => void): () => void;
  state(): HotBookState;
  /** After this, publishing rejects. */
  close(): Promise<void>;
}

// ── Intraday archive ─────────────────────────────────────────────────────────────────────────────

/** `version` changes whenever one of the files does; `dates` are the first and last that have one, inclusive. */
export interface ArchiveState {
  readonly version: string;
  readonly quotes: number;
  readonly dates: { readonly first: Day; readonly last: Day } | null;
}

/** The archive of every accepted live quote: journal first, Parquet by date soon after. */
export interface QuoteArchive {
  /** Resolves when the quotes are durable; rejects when they are not, and then none of them is stored. */
  append(quotes: readonly LiveQuote[]): Promise<void>;
  /** Brings what is only in the journal into the Parquet files; resolves with how many quotes that were. */
  flush(): Promise<number>;
  /** Bars of a pair that is quoted directly, inverted, or through USD; quotes not yet flushed are in them. */
  bars(query: BarQuery): Promise<readonly Bar[]>;
  /** Each quote of [from, to) once, as accepted, flushed or not, by observation, currency, retrieval; newest: each currency's last. */
  quotes(from: Instant, to: Instant): Promise<readonly LiveQuote[]>;
  newest(from: Instant, to: Instant): Promise<readonly LiveQuote[]>;
  /** Whether the Parquet files have a quote that was served: not while only the journal has it. */
  isStored(quote: ArchivedQuote): boolean;
  /** What the Parquet files hold of the dates from `from` up to, not including, `to`. Failure `data_unavailable` when one is damaged. */
  state(from: Instant, to: Instant): Promise<ArchiveState>;
  close(): Promise<void>;
}

// ── Exports ──────────────────────────────────────────────────────────────────────────────────────

export interface Exports {
  /** The finished file of an identity, if it is still cached. */
  finished(identity: string): FinishedExport | null;
  /**
   * Resolves when the export has a turn, with the bytes as they are made; one that is under way already is shared.
   * Failure `service_unavailable` when too many wait. Cancelling the stream, or the signal, ends the work within
   * milliseconds when no other caller reads it. A fault after the first byte breaks the stream off: never a short file.
   */
  open(request: ExportRequest, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** As `open`, but resolves with the complete file. */
  finish(request: ExportRequest, signal: AbortSignal): Promise<FinishedExport>;
  close(): Promise<void>;
}

// ── Collection ───────────────────────────────────────────────────────────────────────────────────

export interface Collector {
  /** Collects one source; never rejects for an upstream's fault, which becomes the state. One run per source at a time. */
  collect(source: DailySource, reach: Window["reach"]): Promise<CollectionState>;
  states(): readonly CollectionState[];
}

/** One data file, which never changes; it stays on disk for a day at the least after it was replaced. */
export interface LakeFile {
  readonly bytes: number;
  /** Lower-case hex SHA-256 of the whole file, checked against its content. */
  readonly sha256: string;
  /** Absolute. */
  readonly path: string;
}

export type ManifestName = "daily" | "intraday" | "official";

/** The lake as files, for readers who take them as they are. */
export interface LakeFiles {
  /** A manifest's text and its lower-case hex SHA-256. Rejects with service_unavailable. */
  manifest(of?: ManifestName): Promise<{ readonly text: string; readonly sha256: string }>;
  /**
   * The file under a path exactly as a manifest writes it, or under its fixed name below `current/`; else null. Rejects
   * with data_unavailable when it is damaged.
   */
  open(path: string): Promise<LakeFile | null>;
}
