/** The signed history as requests read it: its newest entry, pages of entries, and what proves a version of the daily figures. */

import { type Entry, filesText } from "#domain/chain/entry.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { ProvenVersion, SignedHistory } from "#ports.ts";
import { LakeDamaged } from "#store/delta/damage.ts";
import { filesOfPartition, type Snapshot } from "#store/delta/snapshot.ts";
import type { Table } from "#store/delta/table.ts";
import type { Chain } from "./chain.ts";
import { HistoryDiffers, listedIn } from "./pending.ts";
import { ChainUnreadable } from "./segments.ts";

interface Daily {
  readonly table: Table;
  /** The name of a version of the figures, by the snapshot that has it. */
  readonly nameOf: (snapshot: Snapshot) => string;
  /** The table's version that a name belongs to; null for what is no name. */
  readonly versionOf: (name: string) => number | null;
}

/** Nothing is read before the first call. */
export function openSignedHistory(chain: Chain, { table, nameOf, versionOf }: Daily): SignedHistory {
  const proven = (name: string): ProvenVersion | null => {
    const newest = table.latest();
    if (newest === null) return null;
    const signedAs = (snapshot: Snapshot | null) =>
      snapshot === null || nameOf(snapshot) !== name
        ? null
        : chain.entryOf(table.definition.name, snapshot.version);
    // Commits without new figures keep the name; of these the newest is signed wherever any is.
    const number = versionOf(name);
    const older = number === null || number === newest.version ? null : table.at(number);
    const snapshot = signedAs(newest) !== null ? newest : older;
    const signed = signedAs(snapshot);
    if (snapshot === null || signed === null) return null;
    return {
      version: name,
      entry: signed,
      files: filesText(listedIn(snapshot)),
      fileOf: (source, year) => {
        const [add] = filesOfPartition(snapshot, { source, year: String(year) });
        if (add === undefined) return null;
        return { path: `${table.definition.name}/${add.path}`, bytes: add.size, sha256: add.tags.sha256 };
      },
    };
  };
  return {
    state: asRefusal(() => chain.state()),
    entries: asRefusal((from, most) => {
      const entries: Entry[] = [];
      for (const { entry } of chain.segments.linesFrom(from)) {
        if (entries.length >= most) break;
        entries.push(entry);
      }
      return entries;
    }),
    proven: asRefusal(proven),
  };
}

/** The operator finds the fault with `crossrate verify`; the caller gets `data_unavailable`, without paths. */
function asRefusal<A extends unknown[], T>(work: (...args: A) => T): (...args: A) => T {
  return (...args) => {
    try {
      return work(...args);
    } catch (fault) {
      const isFault =
        fault instanceof HistoryDiffers || fault instanceof ChainUnreadable || fault instanceof LakeDamaged;
      if (!isFault) throw fault;
      throw new Failure(
        "data_unavailable",
        { reason: "the signed history of this server is damaged" },
        fault,
      );
    }
  };
}
