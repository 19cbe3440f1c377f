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

/** SQL of a row's line, by table; `read_parquet` with hive partitioning gives the columns. */
export const LINES: Readonly<Record<"daily" | "revisions" | "held" | "intraday", string>> = {
  daily: "concat_ws(' ', source, date, base, quote, printed, revision, epoch_ms(retrieved_at))",
  revisions:
    "concat_ws(' ', source, date, base, quote, printed, revision, epoch_ms(retrieved_at), epoch_ms(superseded_at), why)",
  held: "concat_ws(' ', source, date, base, quote, printed, rule)",
  intraday:
    "concat_ws(' ', feed, base, quote, epoch_ms(observed_at), epoch_ms(retrieved_at), round(mid * 1e6)::BIGINT)",
};
