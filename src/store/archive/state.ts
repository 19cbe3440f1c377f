/** What the archive's files hold of a window, by the log: enough to name an export of it and to tell its size. */

import { Failure } from "#domain/faults/errors.ts";
import { dayAt, type Instant } from "#domain/time/day.ts";
import type { ArchiveState } from "#ports.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import { datesIn, filesByDate, rowsOf } from "./table.ts";

/** Whole dates: the first and last may hold quotes outside of the window. */
export function windowState(snapshot: Snapshot, from: Instant, to: Instant): ArchiveState {
  const files = filesByDate(snapshot);
  const dates = datesIn(snapshot, dayAt(from), dayAt(to - 1));
  const digest = new Bun.CryptoHasher("sha256");
  let quotes = 0;
  for (const date of dates) {
    const add = files.get(date);
    if (add === undefined) continue;
    digest.update(`${add.path} ${add.tags.sha256}\n`);
    quotes += rowsOf(add);
  }
  const [first, last] = [dates[0], dates.at(-1)];
  return {
    version: digest.digest("hex").slice(0, 16),
    quotes,
    dates: first === undefined || last === undefined ? null : { first, last },
  };
}

/** What a damaged file keeps from being answered is refused, never answered without it. */
export async function asFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    if (!(fault instanceof LakeDamaged)) throw fault;
    throw new Failure("data_unavailable", { reason: DAMAGED }, fault);
  }
}

const DAMAGED = "quotes of this window are damaged on this server's disk, and its operator has been told";
