/** What the status page is made of. */

import type { ServiceStatus } from "#domain/rates/status.ts";
import type { Instant } from "#domain/time/day.ts";
import type { Site } from "#web/shared/page.tsx";

export interface StatusPageProps {
  readonly site: Site;
  readonly report: ServiceStatus;
  readonly now: Instant;
  readonly startedAt: Instant;
  /** When each daily source is expected to publish next. */
  readonly next: Readonly<Record<string, Instant>>;
  /** Titles of the official tables by their ids. */
  readonly titles: Readonly<Record<string, string>>;
  readonly incidents: readonly {
    readonly fault: string;
    readonly since: Instant;
    readonly until: Instant | null;
  }[];
}
