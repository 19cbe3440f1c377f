/** The proof that a day's rate was in a version of the lake: its figures, their files, and the signed entry that covers the files. */

import type { CurrencyCode, CurrencyIndex } from "#domain/currency/currency.ts";
import type { DailySource } from "#domain/currency/source.ts";
import type { Day } from "#domain/time/day.ts";
import type { SignedCommit } from "./entry.ts";
import type { Head } from "./state.ts";

export interface ProvenFile {
  /** Below `/v1/lake/`. */
  readonly path: string;
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** A figure as it is in a row of its file. */
export interface ProvenLeg {
  readonly multiplies: boolean;
  readonly source: DailySource;
  readonly date: Day;
  readonly base: CurrencyCode;
  readonly quote: CurrencyCode;
  readonly printed: string;
  readonly revision: number;
  readonly file: ProvenFile;
}

export interface Proof {
  readonly from: CurrencyIndex;
  readonly to: CurrencyIndex;
  readonly day: Day;
  /** Of the daily figures, as manifests name it. */
  readonly version: string;
  /** Decimal digits, as on the JSON pages. */
  readonly rate: string;
  readonly derived: boolean;
  readonly legs: readonly ProvenLeg[];
  /** The text whose SHA-256 the entry has as `files`. */
  readonly files: string;
  readonly entry: SignedCommit;
  readonly head: Head;
}
