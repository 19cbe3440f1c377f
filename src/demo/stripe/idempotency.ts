/** Idempotency-Key: the first answer is repeated for the same request, another request under the same key is refused. */

import { StripeRefusal } from "./refusal.ts";

interface StoredAnswer {
  readonly status: number;
  readonly body: string;
}

interface Entry {
  readonly request: string;
  readonly since: number;
  answer: StoredAnswer | null;
}

const KEPT_SECONDS = 86_400;
const LONGEST_KEY = 255;

export class IdempotencyKeys {
  readonly #entries = new Map<string, Entry>();

  /** The answer to repeat, or null when the request is the first under its key. */
  begin(key: string, request: string, second: number): StoredAnswer | null {
    if (key.length > LONGEST_KEY)
      throw new StripeRefusal(400, "Idempotency keys may be at most 255 characters.", {
        type: "idempotency_error",
      });
    const known = this.#entries.get(key);
    if (known === undefined || second - known.since >= KEPT_SECONDS) {
      this.#entries.set(key, { request, since: second, answer: null });
      return null;
    }
    if (known.request !== request)
      throw new StripeRefusal(
        400,
        `Keys for idempotent requests can only be used with the same parameters they were first used with. ` +
          `Try using a key other than '${key}' if you meant to execute a different request.`,
        { type: "idempotency_error" },
      );
    if (known.answer !== null) return known.answer;
    throw new StripeRefusal(
      409,
      "There is currently another in-progress request using this Stripe-Idempotency-Key.",
      { type: "idempotency_error", code: "idempotency_key_in_use" },
    );
  }

  finish(key: string, answer: StoredAnswer): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) entry.answer = answer;
  }

  /** What never began, such as a request with wrong parameters, leaves its key free. */
  forget(key: string): void {
    this.#entries.delete(key);
  }
}
