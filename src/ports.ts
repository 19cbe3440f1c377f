/** The outside world on one page: types only. Adapters live in store/, sources/ and gateways/; compose.ts joins them. */

import type { KnownRates, Verdict } from "#domain/acceptance/judgement.ts";
import type { HeldEvidence, Retrieval, Statement } from "#domain/acceptance/statements.ts";
import type { Contradictions } from "#domain/acceptance/unsettled.ts";
import type { Entry, SignedCommit } from "#domain/chain/entry.ts";
import type { ChainState, ProvenFile } from "#domain/chain/state.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { FigureDocuments } from "#domain/dataset/dataset.ts";
import type { DamagedFigures } from "#domain/history/damage.ts";
import type { Observation, Provenance } from "#domain/history/observation.ts";
import type { Bar, BarQuery } from "#domain/history/periods.ts";
import type { ExportRequest, FinishedExport } from "#domain/history/rate-columns.ts";
import type { CollectionState, Coverage, HeldFigure, Withdrawal } from "#domain/intake/reading.ts";
import type { Book, HotBookState } from "#domain/live/book.ts";
import type { RefusedQuote } from "#domain/live/feed-choice.ts";
import type {
  ArchivedQuote,
  FeedId,
  FeedOutcome,
  FeedReading,
  LiveQuote,
  QuoteRelease,
  Reference,
} from "#domain/live/live-quote.ts";
import type { QuoteImport } from "#domain/live/quote-file.ts";
import type { HeldPublication } from "#domain/official/doubts.ts";
import type { Workbook } from "#domain/text/workbook.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { UpstreamDocument, UpstreamRequest } from "#ports/upstream.ts";

export interface Clock {
  now(): Instant;
}

// ── Lake ─────────────────────────────────────────────────────────────────────────────────────────

/** Superseded figures are ordered by source, date, base, quote, revision; statements by source, route, base, quote, first day. */
export interface LakeRecord extends KnownRates {
  /** Changes with every observation; short, URL-safe, never reused. */
  readonly version: string;
  readonly coverage: readonly Coverage[];
  readonly documents: FigureDocuments;
  /** Files that do not match the log: their figures are missing above. */
  readonly damaged: readonly DamagedFigures[];
  /** Years that a repair has taken figures out of: they are not whole until the history has been collected again. */
  readonly repaired?: readonly DamagedFigures[];
}

/** One atomic step, safe to repeat. */
export interface LakeChange {
  /**
   * New keys, and new revisions (the previous row moves to the superseded table first). A known revision that is named again only
   * gets its missing publication instant.
   */
  readonly accepted: readonly Observation[];
  /** The row moves to the superseded table. */
  readonly withdrawn: readonly (Withdrawal & Provenance & { readonly revision: number })[];
  /** The complete list after this change. */
  readonly held: readonly HeldFigure[];
  readonly coverage: readonly Coverage[];
  /** The complete list; absent: unchanged. */
  readonly statements?: readonly Statement[];
  readonly retrievals?: readonly Retrieval[];
}

export interface Lake {
  /** The version on disk now: a cheap read that notices another process's commit. */
  version(): Promise<string>;
  /** Current observations are ordered by source, date, base, quote. */
  read(): Promise<LakeRecord>;
  /** Null for a version that is older than the retention, or that never existed. */
  at(version: string): Promise<LakeRecord | null>;
  /**
   * Runs `decide` on the newest record under the lake's single-writer lock, and makes its change durable; null changes nothing.
   * Resolves with the current version.
   */
  commit(decide: (current: LakeRecord) => LakeChange | null): Promise<string>;
  /** Reads every file again; resolves with those that do not match the log. */
  audit(): Promise<readonly DamagedFigures[]>;
  /** Makes checkpoints, and removes what only versions older than the retention need. */
  upkeep(): Promise<void>;
  close(): Promise<void>;
}

export interface ProvenVersion {
  readonly version: string;
  readonly entry: SignedCommit;
  /** The text with `entry.files` as its SHA-256: a line for each data file of `daily`. */
  readonly files: string;
  /** The path is below `/v1/lake/`. */
  fileOf(source: string, year: number): ProvenFile | null;
}

/** The signed history of the lake, as requests see it. */
export interface SignedHistory {
  /** Null before the first signed commit. Throws Failure `data_unavailable`. */
  state(): ChainState | null;
  entries(from: number, most: number): readonly Entry[];
  /** `version` is the name in manifests. Null if it is not retained or was never signed. */
  proven(version: string): ProvenVersion | null;
}

// ── Live feeds ───────────────────────────────────────────────────────────────────────────────────

/** `requested` are the currencies that the answer should have. */
export interface FeedPoll {
  readonly request: UpstreamRequest;
  readonly requested: readonly CurrencyCode[];
}

/** Identity as data, request and parse as functions. Every quote is against the dollar, either way round. */
export interface Feed {
  readonly id: FeedId;
  readonly authority: string;
  /** Attribution and terms, one or two sentences, published to users. */
  readonly terms: string;
  /** Whether a price comes with its own time; else the time of the first answer with the same prices counts. */
  readonly timesEachPrice: boolean;
  /** The requests for the wanted currencies, one for each poll in turn. Together they cover what the feed quotes; most feeds need one. */
  polls(currencies: readonly CurrencyCode[]): readonly FeedPoll[];
  /** Least seconds between two polls by the feed's plan. */
  leastPollSeconds(currencies: readonly CurrencyCode[]): number;
  /** Seconds to pause after an exhausted quota that `detail` reports without a time. */
  quotaPauseSeconds(detail: string, now: Instant): number;
  /** Throws BrokenDocument when it is not the documented format, UpstreamFault when it is the feed's own error message. Pure. */
  parse(document: UpstreamDocument, requested: readonly CurrencyCode[]): FeedReading;
}

/** Never rejects for the feed's fault, which becomes the outcome. */
export type PollFeed = (feed: Feed, poll: FeedPoll) => Promise<FeedOutcome>;

// ── Hot book ─────────────────────────────────────────────────────────────────────────────────────

/** The newest accepted quotes, shared by all processes. */
export interface HotBook {
  /** Reads this process's memory: never waits. */
  read(): Book;
  /** One atomic write; resolves with the merged book. A lost shared store only delays it. */
  publish(quotes: readonly LiveQuote[]): Promise<Book>;
  /** Calls with every newer book, in order of version; the returned function ends that. */
  subscribe(listener: (book: Book) => void): () => void;
  state(): HotBookState;
  /** After this, publishing rejects. */
  close(): Promise<void>;
}

// ── Intraday archive ─────────────────────────────────────────────────────────────────────────────

/** `version` changes with the files; `dates` are the first and last, inclusive. */
export interface ArchiveState {
  readonly version: string;
  readonly quotes: number;
  readonly dates: { readonly first: Day; readonly last: Day } | null;
}

/** Every accepted live quote: journal first, Parquet by date soon after. */
export interface QuoteArchive {
  /** Resolves when all quotes are durable; else rejects, and stores nothing. */
  append(quotes: readonly LiveQuote[]): Promise<void>;
  /** Moves the journal into the Parquet files; resolves with the number of quotes. */
  flush(): Promise<number>;
  /** Bars of direct, inverted and USD-crossed quotes, also of quotes in the journal. */
  bars(query: BarQuery): Promise<readonly Bar[]>;
  /** Each quote of [from, to) once, ordered by observation, currency, retrieval. */
  quotes(from: Instant, to: Instant): Promise<readonly LiveQuote[]>;
  newest(from: Instant, to: Instant): Promise<readonly LiveQuote[]>;
  /** Whether the Parquet files have a quote that was served. */
  isStored(quote: ArchivedQuote): boolean;
  /** The contents of the Parquet files for the dates [from, to). Failure `data_unavailable` when a file is damaged. */
  state(from: Instant, to: Instant): Promise<ArchiveState>;
  /** Imported files with an observation in [from, to), ordered by their first one. */
  imports(from: Instant, to: Instant): readonly QuoteImport[];
  close(): Promise<void>;
}

// ── Exports ──────────────────────────────────────────────────────────────────────────────────────

export interface Exports {
  /** The cached file of an identity, or null. */
  finished(identity: string): FinishedExport | null;
  /**
   * Resolves with the bytes as they are made, once the export has its turn; equal exports share one run. Failure `service_unavailable` when
   * too many wait. Without readers the work ends. A fault after the first byte breaks the stream: a file is never silently short.
   */
  open(request: ExportRequest, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** As `open`, but resolves with the complete file. */
  finish(request: ExportRequest, signal: AbortSignal): Promise<FinishedExport>;
  /** A small table as an Excel workbook; equal ones are equal bytes. */
  workbook(table: Workbook): Promise<Uint8Array<ArrayBuffer>>;
  /** The CSV of official rates as Parquet, in a turn of the caller. Failure `service_unavailable` when too many wait. */
  officialParquet(csv: string, caller: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

// ── Collection ───────────────────────────────────────────────────────────────────────────────────

/** One data file, which never changes; it stays for a day after it was replaced. */
export type LakeFile = ProvenFile;

export type ManifestName = "daily" | "intraday" | "official";

export interface LakeFiles {
  /** Rejects with service_unavailable. */
  manifest(of?: ManifestName): Promise<{ readonly text: string; readonly sha256: string }>;
  /** Opens a manifest's path, or a fixed name below `current/`; null for another path. Rejects with data_unavailable for a damaged file. */
  open(path: string): Promise<LakeFile | null>;
}

/** `currency` is the one that is not the source's pivot. */
export interface HeldKey {
  readonly source: DailySource;
  readonly date: Day;
  readonly currency: CurrencyCode;
}

export interface FigureReview {
  /** Held publications of official tables; null where these are switched off. Each function rejects with LedgerUnavailable. */
  publications(): Promise<{
    list(): Promise<readonly HeldPublication[]>;
    /** The next collection applies the decision, if the authority still states the same. */
    decide(readings: readonly HeldPublication[], verdict: Verdict): Promise<void>;
  } | null>;
  held(): readonly HeldFigure[];
  evidence(figure: HeldFigure): HeldEvidence;
  /** Statements of routes that differ from the served figures, by source. */
  contradictions(): readonly Contradictions[];
  /** False when it is not held any more. Rejects with LakeBusy. */
  decide(key: HeldKey, verdict: Verdict): Promise<boolean>;
  /**
   * Releases the held figures of a document that only lack a witness and are plausible, or discards all. Null if it has no held figure.
   * Rejects with LakeBusy.
   */
  decideDocument(
    document: string,
    verdict: Verdict,
  ): Promise<{ readonly decided: number; readonly remaining: number } | null>;
  /** Quotes that the collecting server refused, as of `at`; null before any server has collected. */
  refused(): { readonly at: Instant; readonly refused: readonly RefusedQuote[] } | null;
  releases(): readonly QuoteRelease[];
  /** Accepts the feed's quotes near a price; returns the reference for which the release holds, or null. */
  release(feed: FeedId, currency: CurrencyCode, price: string): { readonly reference: Reference | null };
}

export interface RestRequest {
  readonly method: "GET" | "POST";
  /** Path and query: `/v1/rate/usd-jpy?dp=4`. */
  readonly path: string;
  readonly body?: string;
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as sent: numbers keep their digits. */
  readonly text: string;
}

/**
 * Sends a request as the caller, and resolves with the answer, whatever its status. Rejects when the server is out of reach or
 * `signal` was aborted.
 */
export type RestCall = (request: RestRequest, signal: AbortSignal) => Promise<RestAnswer>;

// ── Collections, as operators see and start them ──────────────────────────────────────────────────

export interface CollectionReport extends Omit<CollectionState, "source" | "outcome"> {
  /** Id of the daily source or the official table. */
  readonly id: string;
  readonly title: string;
  readonly outcome: string;
}

export interface CollectionReview {
  /** Rejects with LedgerUnavailable. */
  list(): Promise<readonly CollectionReport[]>;
  /** Starts a collection and does not wait for it. False where this process does not collect the source. */
  start(id: string): boolean;
}
