/** One reader of the stream: told at once while it reads, and told everything at once when it reads again. */

import type { Instant } from "#domain/time/day.ts";
import type { Content } from "./event.ts";

/** Where the bytes of one reader go. */
export interface Outlet {
  /** False while what was written before has not been taken. `drained` of the subscription is called when it has. */
  ready(): boolean;
  write(bytes: Uint8Array): void;
  /** Ends the answer; what was written is still delivered to a reader that takes it. */
  end(): void;
}

export interface Member {
  readonly outlet: Outlet;
  /** What the reader was told, all in all. */
  held: Content;
  wroteAt: Instant;
  /** Since when something has been waiting that it does not take; null while it reads. */
  blockedSince: Instant | null;
}
