/** The lake as files, types only: what is sent to readers as it lies on disk. */

/** One version of a data file, held open: what is read from it belongs together. */
export interface LakeFile {
  readonly bytes: number;
  /** Lower-case hex SHA-256 of the whole file. */
  readonly sha256: string;
  /** Large files: a name under which this very version, and no other, can be opened for the next minute. */
  readonly path?: string;
  /** The bytes from `start` up to, not including, `end`. */
  read(start: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
}

/** The lake as files, for readers who take them as they are. */
export interface LakeFiles {
  /**
   * The text of a manifest file as it stands, and its lower-case hex SHA-256: that of the daily figures, or that of the
   * intraday quotes. Rejects with service_unavailable.
   */
  manifest(of?: "daily" | "intraday"): Promise<{ readonly text: string; readonly sha256: string }>;
  /** The file under a path exactly as its manifest writes it, else null. The caller closes it. */
  open(path: string): Promise<LakeFile | null>;
}
