/** What is asked of the process of damage-child.ts, and what it says. */

import type { Damage } from "./damage-kinds.ts";
import type { Asked } from "./damage-requests.ts";

export interface Order {
  readonly directory: string;
  readonly asked: readonly Asked[];
  readonly withBodies: boolean;
  /** Null leaves it intact. */
  readonly damage: { readonly seed: number; readonly whileRunning: boolean } | null;
}

export interface Answered {
  /** Why it did not start; null when it did. */
  readonly refusal: string | null;
  readonly answers: readonly Answer[];
  /** Everything that it told, and the body of /status. */
  readonly told: string;
  /** What `crossrate verify` says of the damage. */
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
  /** Given where it was asked for. */
  readonly body?: string;
}
