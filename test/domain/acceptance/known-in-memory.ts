/** What a lake knows, in memory: it takes in what a judgement changes, as the lake's port describes. */

import type { KnownRates, SupersededObservation } from "#domain/acceptance/judgement.ts";
import { NO_OBSERVATIONS } from "#domain/history/history.ts";
import type { Observation } from "#domain/history/observation.ts";
import type { LakeChange } from "#ports.ts";
import { knownOf } from "#test/domain/history/columns.ts";

export const NOTHING: KnownRates = {
  observations: NO_OBSERVATIONS,
  publishedAt: new Float64Array(0),
  superseded: [],
  held: [],
  statements: [],
  retrievals: [],
};

export class KnownInMemory {
  readonly #current = new Map<string, Observation>();
  #superseded: SupersededObservation[] = [];
  known: KnownRates = NOTHING;

  /** Those in force, in the order in which their figures came. */
  get current(): readonly Observation[] {
    return [...this.#current.values()];
  }

  get superseded(): readonly SupersededObservation[] {
    return this.#superseded;
  }

  apply({ accepted, withdrawn, held, statements, retrievals }: Omit<LakeChange, "coverage">): void {
    for (const row of accepted) {
      const old = this.#current.get(keyOf(row));
      const isKnown = old?.revision === row.revision;
      if (old !== undefined && !isKnown) this.#end(old, "revised", row);
      const completed = isKnown ? { ...old, publishedAt: old.publishedAt ?? row.publishedAt } : row;
      this.#current.set(keyOf(row), completed);
    }
    for (const gone of withdrawn) {
      const old = this.#current.get(keyOf(gone));
      const isGone = (row: Observation) => keyOf(row) === keyOf(gone) && row.revision === gone.revision;
      if (old?.revision === gone.revision) {
        this.#current.delete(keyOf(gone));
        this.#end(old, "withdrawn", gone);
      } else
        this.#superseded = this.#superseded.map((row) => (isGone(row) ? { ...row, why: "withdrawn" } : row));
    }
    this.known = {
      ...this.known,
      ...(accepted.length + withdrawn.length > 0 && knownOf(this.current)),
      superseded: [...this.#superseded],
      held,
      statements: statements ?? this.known.statements,
      retrievals: retrievals ?? this.known.retrievals,
    };
  }

  #end(old: Observation, why: "revised" | "withdrawn", by: Pick<Observation, "retrievedAt" | "document">) {
    this.#superseded.push({ ...old, supersededAt: by.retrievedAt, why, supersededBy: by.document });
  }
}

function keyOf({ source, date, base, quote }: Pick<Observation, "source" | "date" | "base" | "quote">) {
  return `${source} ${date} ${base} ${quote}`;
}
