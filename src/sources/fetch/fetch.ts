/** Upstream documents, step one: the HTTP client. It is bounded and polite, retries, and remembers the validators of stored documents. */

import { UpstreamFault } from "#domain/faults/upstream.ts";
import type { Upstream, UpstreamDocument } from "#ports/upstream.ts";
import type { Clock } from "#ports.ts";
import { askOnce, type Validators } from "./attempt.ts";
import type { ClockWatch } from "./clock-watch.ts";

export interface UpstreamOptions {
  /** Sets `retrievedAt` and reads the dates of Retry-After; deadlines run on real time. */
  readonly clock: Clock;
  /** UPSTREAM_BASE without a slash at its end: https://host/path is then fetched from `${base}/host/path`. */
  readonly base: string | null;
  readonly userAgent: string;
  readonly sleep?: (milliseconds: number) => Promise<void>;
  /** A number in [0, 1): spreads the retries of many installations. */
  readonly random?: () => number;
  /** Notes what time the hosts have. While it says that this machine's clock is wrong, no document is had: all collections fail. */
  readonly watch?: ClockWatch;
  /** How often a document is requested before the fault is final; 3 by default. */
  readonly attempts?: number;
}

const FIRST_BACKOFF_MILLISECONDS = 500;
const LONGEST_BACKOFF_MILLISECONDS = 10_000;
/** No retry where the upstream wants a longer pause: the next scheduled collection comes soon enough. */
const LONGEST_RETRY_AFTER_SECONDS = 60;
/** Addresses with a date in their query never come back, so the oldest validators are let go. */
const REMEMBERED_ADDRESSES = 256;

/**
 * The client behind the port `Upstream`. `timeoutSeconds` bounds one attempt from connecting to the last byte,
 * redirects included; the time between attempts comes on top. Connection errors, timeouts, 5xx and 429 are tried
 * again, everything else is final. Rejects with UpstreamFault, whose text never holds `secretQuery`.
 */
export function openUpstream(options: UpstreamOptions): Upstream {
  const { attempts = 3, sleep = Bun.sleep, random = Math.random } = options;
  const validatorsOfDocument = new WeakMap<UpstreamDocument, Validators>();
  const remembered = new Map<string, Validators>();

  return {
    async get(request) {
      for (let attempt = 1; ; attempt++) {
        // The address of a POST does not name its document: two requests to it are two documents.
        const isNamed = request.post === undefined;
        const known = isNamed ? (remembered.get(request.url) ?? null) : null;
        const answer = await askOnce(options, request, known);
        const clock = options.watch?.verdict();
        if (clock?.status === "wrong") throw new UpstreamFault("clock", clock.detail ?? "");
        if ("unchanged" in answer) return "unchanged";
        if ("document" in answer) {
          if (answer.validators !== null && isNamed) {
            validatorsOfDocument.set(answer.document, answer.validators);
          }
          return answer.document;
        }
        const { fault } = answer;
        const pause = pauseBefore(attempt + 1, fault, random());
        if (!answer.worthRetrying || pause === null || attempt >= attempts) throw final(fault, attempt);
        await sleep(pause);
      }
    },

    remember(document) {
      const validators = validatorsOfDocument.get(document);
      // Without validators the next request must be unconditional: older ones would describe other content.
      remembered.delete(document.url);
      if (validators === undefined) return;
      remembered.set(document.url, validators);
      const oldest = remembered.keys().next().value;
      if (remembered.size > REMEMBERED_ADDRESSES && oldest !== undefined) remembered.delete(oldest);
    },
  };
}

/** Milliseconds to wait before the given attempt: exponential with jitter, or what the upstream wants; null: too long to wait. */
function pauseBefore(attempt: number, fault: UpstreamFault, random: number): number | null {
  const doubled = FIRST_BACKOFF_MILLISECONDS * 2 ** (attempt - 2);
  const backoff = Math.min(doubled, LONGEST_BACKOFF_MILLISECONDS) * (0.5 + random / 2);
  if (fault.retryAfterSeconds === null) return backoff;
  if (fault.retryAfterSeconds > LONGEST_RETRY_AFTER_SECONDS) return null;
  return Math.max(backoff, fault.retryAfterSeconds * 1000);
}

function final(fault: UpstreamFault, attempts: number): UpstreamFault {
  if (attempts === 1) return fault;
  return new UpstreamFault(fault.kind, `${fault.message} (attempt ${attempts})`, fault.retryAfterSeconds);
}
