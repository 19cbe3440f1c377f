/** The messages to the process of damage-child.ts, and its answers. */

import type { Damage } from "./damage-kinds.ts";
import type { SentRequest } from "./damage-requests.ts";

export interface Order {
  readonly directory: string;
  readonly requests: readonly SentRequest[];
  readonly withBodies: boolean;
  /** Null leaves it intact. */
  readonly damage: { readonly seed: number; readonly whileRunning: boolean } | null;
}

export interface Answered {
  /** Why it did not start; null when it did. */
  readonly refusal: string | null;
  readonly answers: readonly Answer[];
  /** Everything that it logged, and the body of /status. */
  readonly reported: string;
  /** What `crossrate verify` reports of the damage. */
  readonly verified: string;
  readonly damage: Damage | null;
  /** Files that were changed or removed, see `changedFiles`. */
  readonly changed: readonly string[];
}

export interface Answer {
  readonly status: number;
  /** Of an error envelope. */
  readonly code: string | null;
  readonly digest: string;
  /** The text, when `withBody` is set. */
  readonly body?: string;
}
