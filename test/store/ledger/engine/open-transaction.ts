/** A transaction of the test's own that stays open: what another process looks like in the middle of its work. */

import { join } from "node:path";
import { type Bench, statement } from "#test/store/ledger/ledgers.ts";
import { until } from "#test/support/until.ts";

export async function openTransaction({ place }: Pick<Bench, "place">) {
  const sql =
    "url" in place
      ? new Bun.SQL({ adapter: "postgres", url: place.url, max: 1 })
      : new Bun.SQL({ adapter: "sqlite", filename: join(place.directory, "ledger.sqlite") });
  await sql.unsafe("url" in place ? "BEGIN" : "BEGIN IMMEDIATE");
  return {
    run: (text: string) => sql.unsafe(text),
    /** Resolves when another session waits for it; on SQLite, where waiting is not visible from outside, at once. */
    hasAnotherWaiting: async () => {
      if (!("url" in place)) return;
      await until("another transaction waits for this one", async () => {
        const waiting = await statement(
          place,
          "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
        );
        return waiting.length > 0;
      });
    },
    commit: async () => {
      await sql.unsafe("COMMIT");
      await sql.close();
    },
  };
}
