/** The outside world of collection: documents of upstreams, routes that deliver them, and one daily source. Types only. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Reading, Window } from "#domain/intake/reading.ts";
import type { Day, Instant } from "#domain/time/day.ts";

type Texts = Readonly<Record<string, string>>;

/** One bounded request for an upstream document: a GET, or the POST of a question. */
export interface UpstreamRequest {
  /** Public address, before UPSTREAM_BASE remaps it and without credentials: it is stored as provenance. */
  readonly url: string;
  /** Absent: a GET. A POST changes nothing and is retried. It is never conditional: its address does not name its document. */
  readonly post?: { readonly contentType: string; readonly headers?: Texts; readonly body: string };
  /** The upstream has no TLS, and `url` begins with `http://`. Never with credentials. Absent: https only. */
  readonly withoutTls?: true;
  /** Credentials and the like, added to the query just before sending and never logged or stored. */
  readonly secretQuery?: Texts;
  /** Credentials sent as headers to this address only, never after a redirect, and never logged or stored. */
  readonly secretHeaders?: Texts;
  /** A part of `url` that is never logged or shown, such as the number of an account. */
  readonly secretPart?: string;
  /** Statuses with a document that the parser understands, such as "nothing published". It is never remembered. */
  readonly alsoReads?: readonly number[];
  readonly accept: string;
  readonly maxBytes: number;
  readonly timeoutSeconds: number;
}

export interface UpstreamDocument {
  readonly url: string;
  readonly bytes: Uint8Array;
  /** Lower-case hex SHA-256 of `bytes`. */
  readonly sha256: string;
  readonly retrievedAt: Instant;
  /** When the origin made this answer, by its Date and Age headers; absent where it does not state it. */
  readonly servedAt?: Instant;
  /** The document's Last-Modified; absent if that is missing, unreadable, or later than `retrievedAt`. */
  readonly modifiedAt?: Instant;
}

/** The one polite client. Rejects with UpstreamFault; "unchanged" when a validator matched (304). */
export interface Upstream {
  get(request: UpstreamRequest): Promise<UpstreamDocument | "unchanged">;
  /** Called once a document's content is durable: only then may the next request be conditional on it. */
  remember(document: UpstreamDocument): void;
}

/** An upstream's way of delivering one window: several routes may exist, tried in order until one reads. */
export interface Route<Content = Reading> {
  readonly name: string;
  /**
   * The publication behind its documents; absent: the route's name. Routes that deliver one document in pieces share a voice. Voices that
   * are equal before a slash, such as "files/daily XML" and "files/zip", cannot confirm each other.
   */
  readonly voice?: string;
  /** All of these documents together cover the window. */
  readonly requests: readonly UpstreamRequest[];
  /** There are documents for days of publication only: a missing one means that nothing was published. If all are missing, that is a fault. */
  readonly mayBeAbsent?: true;
  /**
   * Throws BrokenDocument when the bytes are not the documented format, UpstreamFault for the authority's own error message. Pure: no
   * clock, no IO.
   */
  parse(document: UpstreamDocument, window: Window): Content;
}

/** One daily reference source: identity as data, routes as functions. */
export interface DailyAdapter {
  readonly id: DailySource;
  readonly authority: string;
  /** Attribution and terms, one or two sentences, published to users. */
  readonly terms: string;
  /** Currencies quoted against the source's pivot. */
  readonly currencies: readonly CurrencyCode[];
  routes(window: Window): readonly Route[];
  /**
   * Routes that deliver a few days' figures a second time, with small requests, the surest first: they confirm or refute a held
   * figure. Absent: those of a `recent` window of these days.
   */
  secondRoutes?(days: FigureDays): readonly Route[];
}

/** Which figures are requested a second time; `today` is the newest day that documents may have. */
export interface FigureDays {
  readonly from: Day;
  readonly to: Day;
  readonly today: Day;
  readonly currencies: readonly CurrencyCode[];
}

/** A document that comes with the program: what a source had published when the program was packaged. */
export interface Snapshot {
  readonly source: DailySource;
  readonly route: Route;
  readonly newestDay: Day;
  readonly retrievedAt: Instant;
  /** Rejects when the file is missing or is not the one that was packaged. */
  read(): Promise<UpstreamDocument>;
}
