/** Finished spans on their way to the collector: a bounded queue, batches, patience while the collector is away, and counts of what was lost. */

import type { Emit } from "#telemetry.ts";
import { exportBody, type Resource, rejectedIn, type Span } from "./otlp.ts";

export interface ExporterOptions {
  /** The whole address, with /v1/traces. */
  readonly url: string;
  /** Sent with every request; values may be secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Resource;
  readonly emit: Emit;
  /** Waits, then calls; the returned function calls it off. */
  readonly later: (milliseconds: number, run: () => void) => () => void;
}

/** Spans since the start, by what became of them. */
export interface SpanCounts {
  readonly exported: number;
  /** The collector was away for longer than the queue lasts, or until this process ended. */
  readonly dropped: number;
  /** The collector answered that it does not take them. */
  readonly refused: number;
}

export interface SpanExporter {
  /** Takes a span, or counts it as dropped. Never waits, never throws. */
  add(span: Span): void;
  counts(): SpanCounts;
  /** Sends what is there, once, and ends; resolves within seconds. */
  close(): Promise<void>;
}

/** About 1 MB. */
export const MOST_QUEUED = 2_048;
const BATCH = 512;
const DELAY_MILLISECONDS = 5_000;
const LONGEST_DELAY_MILLISECONDS = 60_000;
const TIMEOUT_MILLISECONDS = 10_000;
const CLOSE_MILLISECONDS = 3_000;
/** The statuses after which the protocol has a client try again. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

type Outcome =
  | { readonly kind: "taken"; readonly rejected: number }
  | { readonly kind: "refused" | "away"; readonly detail: string };

/** Nothing is sent before the first span. */
export function openExporter({ url, headers, resource, emit, later }: ExporterOptions): SpanExporter {
  let queue: Span[] = [];
  const counts = { exported: 0, dropped: 0, refused: 0 };
  const stop = new AbortController();
  let sending: Promise<void> | null = null;
  let isClosed = false;
  let isAway = false;
  let delay = DELAY_MILLISECONDS;
  let cancel: (() => void) | null = null;

  const plan = (milliseconds: number) => {
    if (isClosed || sending !== null || queue.length === 0) return;
    cancel?.();
    cancel = later(milliseconds, flush);
  };
  const post = async (batch: readonly Span[]): Promise<Outcome> => {
    try {
      const answer = await fetch(url, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: exportBody(batch, resource, Date.now() - performance.now()),
        redirect: "manual",
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(TIMEOUT_MILLISECONDS)]),
      });
      const text = await answer.text();
      if (answer.ok) return { kind: "taken", rejected: Math.min(rejectedIn(text), batch.length) };
      return {
        kind: RETRYABLE.has(answer.status) ? "away" : "refused",
        detail: `the collector answered ${answer.status}`,
      };
    } catch (fault) {
      return { kind: "away", detail: fault instanceof Error ? fault.message : String(fault) };
    }
  };
  /** Counts what became of a batch; false where it is to be sent again. */
  const settle = (batch: readonly Span[], outcome: Outcome): boolean => {
    if (outcome.kind === "taken") {
      counts.exported += batch.length - outcome.rejected;
      counts.refused += outcome.rejected;
      if (isAway) emit({ kind: "trace_collector_recovered" });
      isAway = false;
      delay = DELAY_MILLISECONDS;
      return true;
    }
    if (!isAway) emit({ kind: "trace_collector_unavailable", detail: outcome.detail });
    isAway = true;
    delay = Math.min(delay * 2, LONGEST_DELAY_MILLISECONDS);
    if (outcome.kind === "refused") counts.refused += batch.length;
    return outcome.kind === "refused";
  };
  /** What is being sent stays in the queue until it is settled: it may have to be sent again. */
  const sendBatch = async (): Promise<void> => {
    const batch = queue.slice(0, BATCH);
    if (settle(batch, await post(batch))) queue = queue.slice(batch.length);
  };
  const flush = (): void => {
    cancel = null;
    sending = sendBatch().finally(() => {
      sending = null;
      plan(!isAway && queue.length >= BATCH ? 0 : delay);
    });
  };

  return {
    add: (span) => {
      if (isClosed || queue.length >= MOST_QUEUED) {
        counts.dropped += 1;
        return;
      }
      queue.push(span);
      if (queue.length === 1) plan(delay);
      else if (queue.length === BATCH && !isAway) plan(0);
    },
    counts: () => counts,
    close: async () => {
      isClosed = true;
      cancel?.();
      const end = setTimeout(() => stop.abort(), CLOSE_MILLISECONDS);
      await sending;
      while (queue.length > 0 && !isAway) await sendBatch();
      clearTimeout(end);
      counts.dropped += queue.length;
      queue = [];
    },
  };
}
