/** Reads the rows of a SELECT in chunks, and checks that all of them arrived. */

import type { DuckDBConnection, DuckDBDataChunk } from "@duckdb/node-api";

/** A SELECT broke off: DuckDB ends a streamed answer without an error when reading a file fails half-way. */
export class ReadBrokeOff extends Error {
  constructor(rows: number) {
    super(`reading broke off after ${rows} rows: a file that is read is damaged`);
    this.name = "ReadBrokeOff";
  }
}

interface Rows {
  readonly chunk: DuckDBDataChunk;
  /** Rows of the chunk that are of the answer: from 0 up to, not including, this. */
  readonly count: number;
}

export interface RowStream {
  readonly columnNames: readonly string[];
  readonly columnTypes: ReturnType<Awaited<ReturnType<DuckDBConnection["stream"]>>["columnTypes"]>;
  /** The next rows, or null after the last. Rejects with ReadBrokeOff, or with DuckDB's fault. */
  next(): Promise<Rows | null>;
}

/**
 * Runs a SELECT and gives its rows in its order. One row more than the SELECT has comes last and is marked; an answer
 * without it is not complete.
 */
export async function streamRows(connection: DuckDBConnection, select: string): Promise<RowStream> {
  const result = await connection.stream(
    `SELECT *, false AS is_end FROM (${withoutEnd(select)}) UNION ALL BY NAME SELECT true AS is_end`,
  );
  const mark = result.columnCount - 1;
  let rows = 0;
  let ended = false;
  return {
    columnNames: result.columnNames().slice(0, mark),
    columnTypes: result.columnTypes().slice(0, mark),
    next: async () => {
      while (!ended) {
        const chunk = await result.fetchChunk();
        if (chunk === null || chunk.rowCount === 0) throw new ReadBrokeOff(rows);
        ended = chunk.getColumnVector(mark).getItem(chunk.rowCount - 1) === true;
        const count = chunk.rowCount - (ended ? 1 : 0);
        rows += count;
        if (count > 0) return { chunk, count };
      }
      return null;
    },
  };
}

/** A statement of a `.sql` file may end with a line comment or a semicolon. */
function withoutEnd(select: string): string {
  return `${select.trimEnd().replace(/;$/, "")}\n`;
}
