/** What the compatible routes need, and how long caches may keep their answers. */

import type { FailureDeps } from "#http/failures.ts";
import type { BarsDeps } from "#rates/bars.ts";
import type { RangeDeps } from "#rates/range.ts";

export type FrankfurterDeps = RangeDeps & FailureDeps;
export type OxrDeps = FrankfurterDeps & BarsDeps;

/** Newer observations can come in at any minute. */
export const LATEST_SECONDS = 60;
/** Past days change only by corrections. */
export const PAST_SECONDS = 300;
export const CATALOG_SECONDS = 3600;
