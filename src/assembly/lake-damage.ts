/** What is known to be damaged in the lake: for /status, and logged once when it is found. */

import { sentenceOf } from "#store/delta/damage.ts";
import type { Table } from "#store/delta/table.ts";
import type { Tell } from "#telemetry.ts";

export interface LakeDamage {
  /** One sentence a file of the newest versions that was found damaged and not intact since. */
  readonly list: () => readonly string[];
  /** Logs what was not logged before. */
  readonly report: () => void;
}

export function watchLakeDamage(tables: readonly Table[], tell: Tell): LakeDamage {
  const reported = new Set<string>();
  const list = () =>
    tables.flatMap((table) => {
      const known = table.verifier.known();
      if (known.length === 0) return [];
      const files = table.latest()?.files;
      return known.filter(({ path }) => files?.has(path) === true).map(sentenceOf);
    });
  return {
    list,
    report: () => {
      for (const sentence of list()) {
        if (reported.has(sentence)) continue;
        reported.add(sentence);
        tell({
          kind: "lake_damaged",
          detail: `${sentence}; answers that depend on it are refused. crossrate repair says how to go on`,
        });
      }
    },
  };
}
