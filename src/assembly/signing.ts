/** The signed history of a process that opens the lake: who may add to it, and what requests read of it. */

import type { Config } from "#config.ts";
import type { SignedHistory } from "#ports/chain.ts";
import type { Clock } from "#ports.ts";
import { type Chain, openChain } from "#store/chain/chain.ts";
import { openSignedHistory } from "#store/chain/history.ts";
import type { OpenedLake } from "#store/lake/lake.ts";
import { datasetVersion, tableVersionOf } from "#store/lake/state.ts";
import type { Emit } from "#telemetry.ts";

interface Process {
  readonly lakeDirectory: string;
  readonly simulated: boolean;
  readonly clock: Clock;
  readonly emit: Emit;
  /** False for a server that only answers. */
  readonly writes: boolean;
}

export function chainOf(config: Config, process: Process): Chain {
  const { lakeDirectory: directory, simulated, clock, emit, writes } = process;
  const { dataDir, lakeSigningKeys: given, storage } = config;
  // Of a lake in a bucket the directory is a copy, one of several: nothing is signed there.
  const keys = writes && storage === null ? { dataDir, given } : null;
  return openChain({ directory, keys, mode: simulated ? "simulated" : "real", now: clock.now, emit });
}

export function signedHistoryOf(chain: Chain, { tables }: Pick<OpenedLake, "tables">): SignedHistory {
  return openSignedHistory(chain, {
    table: tables.daily,
    nameOf: (snapshot) => datasetVersion({ daily: snapshot }),
    versionOf: tableVersionOf,
  });
}
