/** What /status says of official tables: an entry each. One that fails degrades nothing but itself. */

import { formatDay, formatInstant, type Instant } from "#domain/time/day.ts";
import type { OfficialStanding } from "#ports/official.ts";

export type OfficialStatus = "ok" | "failing" | "missing";

export interface OfficialStatusDeps {
  /** Never rejects: a ledger that cannot be read is a failure of each. Null where official tables are switched off. */
  readonly officialStandings: (() => Promise<readonly OfficialStanding[]>) | null;
}

/** By id of the table; no entry where they are switched off. */
export async function officialStatus({ officialStandings }: OfficialStatusDeps) {
  const standings = (await officialStandings?.()) ?? [];
  return Object.fromEntries(standings.map((standing) => [standing.table, tableCheck(standing)]));
}

/** ok, failing or missing: of a table that has something and whose last collection failed, the failure. */
export function officialVerdict({
  outcome,
  newest,
}: Pick<OfficialStanding, "outcome" | "newest">): OfficialStatus {
  if (outcome === "failed") return "failing";
  return newest === null ? "missing" : "ok";
}

function tableCheck(standing: OfficialStanding) {
  const { newest, outcome, lastAttemptAt, lastSuccessAt, detail, held } = standing;
  return {
    status: officialVerdict(standing),
    newest_publication: newest?.publication ?? null,
    newest_valid_from: newest === null ? null : formatDay(newest.validFrom),
    last_attempt_at: instantOrNull(lastAttemptAt),
    last_success_at: instantOrNull(lastSuccessAt),
    outcome,
    detail,
    held,
  };
}

function instantOrNull(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
