/** A transaction of the test's own that stays open: what another process looks like in the middle of its work. */

import { type Bench, connectionTo, NOON, statement } from "#test/store/ledger/ledgers.ts";
import { until } from "#test/support/until.ts";

export async function openTransaction({ place }: Pick<Bench, "place">) {
  const sql = connectionTo(place);
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

/** A publisher in the middle of its work: its position is taken, and invisible to others. */
export async function openPublisher(bench: Pick<Bench, "place">, event: string) {
  const publisher = await openTransaction(bench);
  await publisher.run("UPDATE commit_order SET position = position + 1 WHERE id = 1");
  await publisher.run(
    `INSERT INTO webhook_events (position, id, type, table_id, created_at, body)
     VALUES (1, '${event}', 'official.published', 'mex_fix', ${NOON}, '{}')`,
  );
  return publisher;
}
