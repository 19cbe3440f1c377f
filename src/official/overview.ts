/** The tables with their hours: when each was last published, and when it is due next. */

import type { TableState } from "#domain/official/answers.ts";
import type { Day, Instant } from "#domain/time/day.ts";
import type { OfferedTable, OfficialDeps } from "./deps.ts";
import { officialTables } from "./tables.ts";

/** When the next publication is due: from an instant on, by a day, or about a day; null where it is not known. */
export type Due = { readonly from: Instant } | { readonly by: Day } | { readonly about: Day } | null;

const DAYS_OF_WEEK = 7;

export interface TableOverview extends TableState {
  /** What the operator has to do to have it collected; null where it is collected. */
  readonly missing: string | null;
  readonly hours: { readonly opens: string; readonly closes: string } | null;
  readonly due: Due;
}

/** In the order of `deps.tables`. Failure `service_unavailable`. */
export async function officialOverview(deps: OfficialDeps): Promise<readonly TableOverview[]> {
  const { tables } = await officialTables(deps);
  return deps.tables.flatMap((offered, index) => {
    const state = tables[index];
    if (state === undefined) return [];
    const { missing, hours = null } = offered;
    return [{ ...state, missing, hours, due: dueOf(offered, state) }];
  });
}

/**
 * A daily table is due at its next opening after the newest one was read; one with a last day, by the day after it; a weekly one
 * about a week after its first day, since holidays move it.
 */
function dueOf({ table, missing, hours = null }: OfferedTable, { newest }: TableState): Due {
  if (newest === null || missing !== null) return null;
  if (table.cadence === "daily" && hours !== null) return { from: hours.next(newest.retrievedAt) };
  if (newest.validTo !== null) return { by: newest.validTo + 1 };
  return table.cadence === "weekly" ? { about: newest.validFrom + DAYS_OF_WEEK } : null;
}
