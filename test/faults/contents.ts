/** The rows of a table without their order, as a count and a digest: the same in the model, in DuckDB and in Python. */

export interface Contents {
  readonly rows: number;
  /** SHA-256 of the sorted lines, one a row, joined by line ends. */
  readonly digest: string;
}

export function contentsOf(lines: readonly string[]): Contents {
  const text = lines.toSorted().join("\n");
  return { rows: lines.length, digest: new Bun.CryptoHasher("sha256").update(text).digest("hex") };
}
