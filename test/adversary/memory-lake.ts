/** A lake in memory, because a year of commits to files takes minutes. It keeps what a change names, as the lake's port describes. */

import type { SupersededObservation } from "#domain/acceptance/judgement.ts";
import { readPrinted } from "#domain/acceptance/printed.ts";
import { currencyIndex } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { emptyObservations } from "#domain/history/history.ts";
import type { Observation } from "#domain/history/observation.ts";
import type { Lake, LakeChange, LakeRecord } from "#ports.ts";

export function openMemoryLake(): Lake {
  const current = new Map<string, Stored>();
  const superseded: SupersededObservation[] = [];
  let commits = 0;
  let record: LakeRecord = {
    ...columnsOf([]),
    ...{ version: "0", superseded, held: [], coverage: [], statements: [], retrievals: [], damaged: [] },
  };

  const end = (
    old: Observation,
    why: "revised" | "withdrawn",
    { retrievedAt, document }: Pick<Observation, "retrievedAt" | "document">,
  ) => {
    superseded.push({ ...old, supersededAt: retrievedAt, why, supersededBy: document });
  };

  const apply = ({ accepted, withdrawn, ...lists }: LakeChange) => {
    for (const row of accepted) {
      const old = current.get(keyOf(row))?.row;
      const isKnown = old?.revision === row.revision;
      if (old !== undefined && !isKnown) end(old, "revised", row);
      current.set(
        keyOf(row),
        storedOf(isKnown ? { ...old, publishedAt: old.publishedAt ?? row.publishedAt } : row),
      );
    }
    for (const gone of withdrawn) {
      const old = current.get(keyOf(gone))?.row;
      const past = superseded.findIndex(
        (row) => keyOf(row) === keyOf(gone) && row.revision === gone.revision,
      );
      if (past >= 0) superseded[past] = { ...(superseded[past] as SupersededObservation), why: "withdrawn" };
      else if (old?.revision === gone.revision) {
        current.delete(keyOf(gone));
        end(old, "withdrawn", gone);
      }
    }
    const isNew = accepted.length + withdrawn.length > 0;
    if (isNew) commits += 1;
    record = {
      ...record,
      ...lists,
      ...(isNew && {
        ...columnsOf([...current.values()]),
        version: String(commits),
        superseded: [...superseded],
      }),
    };
  };

  return {
    version: async () => record.version,
    read: async () => record,
    at: async (version) => (version === record.version ? record : null),
    async commit(decide) {
      const change = decide(record);
      if (change !== null) apply(change);
      return record.version;
    },
    audit: async () => [],
    upkeep: async () => {},
    close: async () => {},
  };
}

const keyOf = ({ source, date, base, quote }: Pick<Observation, "source" | "date" | "base" | "quote">) =>
  `${source} ${date} ${base} ${quote}`;

/** A row beside its columns: a year of commits would make them again each time. */
interface Stored {
  readonly row: Observation;
  readonly units: number;
  readonly scale: number;
  readonly place: readonly [source: number, base: number, quote: number];
}

function storedOf(row: Observation): Stored {
  const printed = readPrinted(row.printed);
  if ("rule" in printed) throw new Error(printed.reason);
  const place = [
    DAILY_SOURCES.indexOf(row.source),
    currencyIndex(row.base),
    currencyIndex(row.quote),
  ] as const;
  return { row, units: printed.units, scale: printed.scale, place };
}

function inOrder(a: Stored, b: Stored): number {
  return (
    a.place[0] - b.place[0] ||
    a.row.date - b.row.date ||
    Number(a.row.base > b.row.base) - Number(a.row.base < b.row.base) ||
    Number(a.row.quote > b.row.quote) - Number(a.row.quote < b.row.quote)
  );
}

function columnsOf(stored: Stored[]): Pick<LakeRecord, "observations" | "publishedAt"> {
  stored.sort(inOrder);
  const observations = emptyObservations(stored.length);
  const publishedAt = new Float64Array(stored.length);
  stored.forEach(({ row, units, scale, place }, at) => {
    [observations.source[at], observations.base[at], observations.quote[at]] = place;
    observations.date[at] = row.date;
    observations.units[at] = units;
    observations.scale[at] = scale;
    observations.decimals[at] = row.decimals;
    observations.observedAt[at] = row.observedAt;
    observations.retrievedAt[at] = row.retrievedAt;
    observations.revision[at] = row.revision;
    publishedAt[at] = row.publishedAt ?? Number.NaN;
  });
  return { observations, publishedAt };
}
