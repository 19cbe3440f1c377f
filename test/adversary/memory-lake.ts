/** A lake in memory, because a year of commits to files takes minutes. */

import type { Lake, LakeRecord } from "#ports.ts";
import { KnownInMemory } from "#test/domain/acceptance/known-in-memory.ts";

export function openMemoryLake(): Lake {
  const rates = new KnownInMemory();
  let commits = 0;
  const documents = { list: [], places: new Int32Array(0) };
  let record: LakeRecord = { ...rates.known, documents, version: "0", coverage: [], damaged: [] };
  return {
    version: async () => record.version,
    read: async () => record,
    at: async (version) => (version === record.version ? record : null),
    async commit(decide) {
      const change = decide(record);
      if (change !== null) {
        if (change.accepted.length + change.withdrawn.length > 0) commits += 1;
        rates.apply(change);
        record = { ...record, ...rates.known, version: String(commits), coverage: change.coverage };
      }
      return record.version;
    },
    audit: async () => [],
    upkeep: async () => {},
    close: async () => {},
  };
}
