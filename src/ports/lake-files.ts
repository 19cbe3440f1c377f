/** The lake as files, types only: what is sent to readers as it lies on disk. */

/** One data file, which never changes; it stays on disk for a day at the least after it was replaced. */
export interface LakeFile {
  readonly bytes: number;
  /** Lower-case hex SHA-256 of the whole file, checked against its content. */
  readonly sha256: string;
  /** Absolute. */
  readonly path: string;
}

export type ManifestName = "daily" | "intraday" | "official";

/** The lake as files, for readers who take them as they are. */
export interface LakeFiles {
  /** A manifest's text and its lower-case hex SHA-256. Rejects with service_unavailable. */
  manifest(of?: ManifestName): Promise<{ readonly text: string; readonly sha256: string }>;
  /**
   * The file under a path exactly as a manifest writes it, or under its fixed name below `current/`; else null. Rejects
   * with data_unavailable when it is damaged.
   */
  open(path: string): Promise<LakeFile | null>;
}
