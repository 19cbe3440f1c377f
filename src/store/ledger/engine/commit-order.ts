/** Places in the order of commits: given under one lock that is held until the commit, so that no later commit fills a gap. */

import type { Transaction } from "./engine.ts";
import { integer, type Row } from "./rows.ts";

/**
 * The last place given, locked for the rest of the transaction. A sequence would not do on Postgres: it gives 1 and 2 to
 * two transactions of which the second may commit first, and whoever has read up to 2 by then never sees 1. Here the
 * second waits for the first, whose commit is visible before its lock is let go. On SQLite one writer has it all anyway.
 *
 * It is the first lock of every transaction that takes it: those that publish, and those that take an endpoint away, which
 * therefore never leave a delivery to an endpoint that is gone. Those that take an organization away need it not: its row
 * is referred to, and a publisher that meets them begins anew.
 */
export async function lockCommitOrder(transaction: Transaction): Promise<number> {
  const [row] = await transaction.rows(
    `SELECT position FROM commit_order WHERE id = 1${transaction.forUpdate}`,
  );
  return integer(row as Row, "position");
}

/** By the transaction that holds the lock: up to here places are given. */
export async function moveCommitOrder(transaction: Transaction, position: number): Promise<void> {
  await transaction.run("UPDATE commit_order SET position = $1 WHERE id = 1", position);
}
