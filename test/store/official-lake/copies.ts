/** Copies of a real ledger in a lake of the test's own, and what an analyst reads in them. */

import { join } from "node:path";
import type { OfficialRow, OfficialTable } from "#domain/official/publication.ts";
import { formatDay } from "#domain/time/day.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { CopiedLedger } from "#ports/official.ts";
import { type OfficialLake, openOfficialLake } from "#store/official-lake/official-lake.ts";
import type { TelemetryEvent } from "#telemetry.ts";
import { CUSTOMS, DOF, FIX, NOW } from "#test/official/collected.ts";
import { query } from "#test/store/lake/sample.ts";
import { atEnd } from "#test/support/at-end.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

const TABLES: readonly OfficialTable[] = [FIX, DOF, CUSTOMS];

export interface Copy extends OfficialLake {
  readonly directory: string;
  readonly emitted: readonly TelemetryEvent[];
}

/** Another process is another copy on the same directory. */
export function openCopy(directory: string = temporaryDirectory(), now: () => number = () => NOW): Copy {
  const emitted: TelemetryEvent[] = [];
  const emit = (event: TelemetryEvent) => void emitted.push(event);
  const lake = openOfficialLake({ directory, simulated: false, emit, now });
  atEnd(() => lake.close());
  return { ...lake, directory, emitted };
}

export function from(ledger: Pick<Ledger, "history">, id = "ins_1"): CopiedLedger {
  return { id, tables: TABLES, history: ledger.history };
}

/** Counts the queries of a ledger, and may break them off. */
export function watched(ledger: CopiedLedger, onRead: () => void): CopiedLedger {
  const { history } = ledger;
  const page: typeof history.page = (...what) => {
    onRead();
    return history.page(...what);
  };
  return { ...ledger, history: { ...history, page } };
}

/** Each row as a line, table by table and in the order of the file, of what a reader of `current/` finds. */
export async function stored(directory: string): Promise<readonly string[]> {
  const files = join(directory, "current/official/*/publications.parquet");
  if (!Array.from(new Bun.Glob("current/official/*/*.parquet").scanSync(directory)).length) return [];
  const rows = await query(
    `SELECT table_id, publication, version, valid_from::VARCHAR AS valid_from, valid_to::VARCHAR AS valid_to,
       epoch_ms(published_at)::DOUBLE AS published, epoch_ms(retrieved_at)::DOUBLE AS retrieved, country, authority,
       base, quote, rate, printed, unit, kind, source_url, document_sha256
     FROM read_parquet('${files}', hive_partitioning = true, filename = true, file_row_number = true)
     ORDER BY filename, file_row_number`,
  );
  return rows.map((row) => Object.values(row).join(" "));
}

export async function expected(
  ledger: Pick<Ledger, "history">,
  tables: CopiedLedger["tables"] = TABLES,
): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const { id, country, authority } of [...tables].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const { versions } = await ledger.history.page(id, null, 100_000);
    const ordered = versions.flatMap((version) => version.rows.map((row) => ({ ...version, row })));
    const keyOf = ({ validFrom, publication, version, row }: (typeof ordered)[number]) => {
      const name = `${formatDay(validFrom)} ${publication} ${String(version).padStart(6, "0")}`;
      return `${name} ${row.base} ${row.quote} ${row.kind}`;
    };
    ordered.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    for (const { row, ...of } of ordered) {
      const validTo = of.validTo === null ? null : formatDay(of.validTo);
      const { publication, version, publishedAt, retrievedAt } = of;
      const facts = [id, publication, version, formatDay(of.validFrom), validTo, publishedAt, retrievedAt];
      const rest = [row.base, row.quote, Number(row.rate), row.rate, row.unit, row.kind];
      lines.push([...facts, country, authority, ...rest, of.sourceUrl, of.documentSha256].join(" "));
    }
  }
  return lines;
}

/** Rows of a table of many currencies, in their order. */
export function rowsOf(seed: number, currencies = 3): readonly OfficialRow[] {
  const bases = ["AUD", "CHF", "EUR", "GBP", "JPY", "USD", "XDR"].slice(0, currencies);
  return bases.map((base, nth) => ({
    base,
    quote: "MXN",
    rate: `${1 + ((seed * 7 + nth * 13) % 90)}.${String((seed * 31 + nth) % 10_000).padStart(4, "0")}`,
    unit: base === "JPY" ? 100 : 1,
    kind: nth % 2 === 0 ? "mid" : "sell",
  }));
}

/** Paths of all files of the table but its log and its lock. */
export function filesBesideLog(directory: string): readonly string[] {
  const all = new Bun.Glob("official/**").scanSync({ cwd: directory, dot: true });
  return Array.from(all).filter((path) => !/\/(_delta_log|\.writer)/.test(path));
}
