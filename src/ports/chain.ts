/** The signed history of the lake, as requests see it. */

import type { Entry } from "#domain/chain/entry.ts";
import type { ProvenFile, SignedCommit } from "#domain/chain/proof.ts";
import type { ChainState } from "#domain/chain/state.ts";

/** A version of the daily figures and what proves it. */
export interface ProvenVersion {
  /** Of the figures, as manifests have it. */
  readonly version: string;
  readonly entry: SignedCommit;
  /** The text whose SHA-256 is `entry.files`: a line a data file of `daily` in this version. */
  readonly files: string;
  /** By source and year, below `/v1/lake/`. */
  fileOf(source: string, year: number): ProvenFile | null;
}

export interface SignedHistory {
  /** The newest entry and all keys; null before the first commit was signed. Throws Failure `data_unavailable`. */
  state(): ChainState | null;
  /** At most so many entries from a sequence on. */
  entries(from: number, most: number): readonly Entry[];
  /** A version of the daily figures by its name in manifests; null where it is not retained or was never signed. */
  proven(version: string): ProvenVersion | null;
}
