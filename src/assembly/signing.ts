/** The signed history of a process that opens the lake: who may add to it, and what requests read of it. */

import type { Config } from "#config.ts";
import type { SignedHistory } from "#ports/chain.ts";
import type { Clock } from "#ports.ts";
import { type Chain, openChain } from "#store/chain/chain.ts";
import { openSignedHistory } from "#store/chain/history.ts";
import type { LakeStorage } from "#store/delta/storage.ts";
import type { OpenedLake } from "#store/lake/lake.ts";
import { datasetVersion, tableVersionOf } from "#store/lake/state.ts";
import type { Emit } from "#telemetry.ts";

interface Process {
  readonly lakeDirectory: string;
  /** Null where that directory is the lake itself. */
  readonly storage: LakeStorage | null;
  readonly simulated: boolean;
  readonly clock: Clock;
  readonly emit: Emit;
  /** False for a server that only answers. */
  readonly writes: boolean;
}

export function chainOf(config: Config, process: Process): Chain {
  const { lakeDirectory: directory, storage, simulated, clock, emit, writes } = process;
  const { dataDir, lakeSigningKeys: given } = config;
  const keys = writes ? { dataDir, given } : null;
  const mode = simulated ? "simulated" : "real";
  return openChain({ directory, storage, keys, mode, now: clock.now, emit });
}

export function signedHistoryOf(chain: Chain, { tables }: Pick<OpenedLake, "tables">): SignedHistory {
  return openSignedHistory(chain, {
    table: tables.daily,
    nameOf: (snapshot) => datasetVersion({ daily: snapshot }),
    versionOf: tableVersionOf,
  });
}
