/** What is known to be damaged in the lake: for /status, and logged once when it is found. */

import { dirname } from "node:path";
import { LakeDamaged, sentenceOf } from "#store/delta/damage.ts";
import type { Table } from "#store/delta/table.ts";
import type { Emit } from "#telemetry.ts";

export type LakeDamage = ReturnType<typeof watchLakeDamage>;

export function watchLakeDamage(tables: readonly Table[], emit: Emit) {
  const reported = new Set<string>();
  /** One sentence a file of the newest versions that was found damaged and not intact since, or a log that cannot be read. */
  const list = (): readonly string[] =>
    tables.flatMap((table) => {
      const known = table.verifier.known();
      let files: ReadonlyMap<string, unknown> | undefined;
      try {
        files = table.latest()?.files;
      } catch (fault) {
        if (fault instanceof LakeDamaged) return [fault.what.replace(`${dirname(table.directory)}/`, "")];
        throw fault;
      }
      return known.filter(({ path }) => files?.has(path) === true).map(sentenceOf);
    });
  return {
    list,
    /** Logs what was not logged before. */
    report: (): void => {
      for (const sentence of list()) {
        if (reported.has(sentence)) continue;
        reported.add(sentence);
        emit({
          kind: "lake_damaged",
          detail: `${sentence}; answers that depend on it are refused. crossrate repair says how to go on`,
        });
      }
    },
  };
}
