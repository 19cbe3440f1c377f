/** What an operator is told of the copy: damage on either side, each once, and versions that were taken out. */

import type { CopyReport } from "#ports/official.ts";
import { sentenceOf } from "#store/delta/damage.ts";
import type { Snapshot } from "#store/delta/snapshot.ts";
import type { Happening, Tell } from "#telemetry.ts";
import { nameOf } from "./compare.ts";
import type { Copied } from "./copy.ts";

export interface CopyTold {
  damage(id: string, copied: Copied): void;
  /** `other`: the ledger that the table was a copy of before, where that is another one. */
  takenOut(before: Snapshot, after: Snapshot, report: CopyReport, other: string | null): void;
}

export function openCopyTold(tell: Tell | undefined, retentionDays: number): CopyTold {
  const told = new Set<string>();
  const once = (name: string, happening: Happening) => {
    if (!told.has(name)) tell?.(happening);
    told.add(name);
  };
  return {
    damage: (id, { refused, damaged }) => {
      if (refused !== null) {
        const detail = `${sentenceOf(refused)}; nothing is written over it: crossrate repair says how to go on`;
        once(refused.path, { kind: "lake_damaged", detail });
      }
      for (const { publication, version, detail } of damaged) {
        const name = `${id} ${nameOf({ publication, version })}`;
        once(name, { kind: "publication_damaged", table: id, publication, version, detail });
      }
    },
    takenOut: (before, after, { dropped }, other) => {
      if (dropped === 0 && other === null) return;
      const copyOf = other === null ? "" : `it was a copy of another ledger (${other}); `;
      const kept =
        dropped === 0
          ? "everything in it is in this one"
          : `${dropped} versions that the ledger does not have were taken out by version ${after.version} of the table; version ${before.version} has them, and is kept for ${retentionDays} days`;
      tell?.({ kind: "lake_repaired", detail: `official: ${copyOf}${kept}` });
    },
  };
}
