/** Rare SELECTs of a server in a process each, so that the server need not load DuckDB, whose memory would stay with it. */

import { fileURLToPath } from "node:url";
import { PROCESS_ENVIRONMENT, reported } from "./duckdb-process.ts";
import { withEngine } from "./engine.ts";

export interface RowsRequest {
  /** The only folder whose files are read. */
  readonly directory: string;
  readonly select: string;
}

/** Numbers, texts, booleans and nulls: what JSON has. */
export type PlainRow = readonly (number | string | boolean | null)[];

/** Reads rows of files in a folder. One process runs at a time; the next request waits for it. */
export function openRowsProcess(directory: string): (select: string) => Promise<readonly PlainRow[]> {
  let last: Promise<unknown> = Promise.resolve();
  return (select) => {
    const rows = last.then(() => read({ directory, select }));
    // Without the rows, which would stay in memory until the next request.
    last = rows.then(
      () => {},
      () => {},
    );
    return rows;
  };
}

async function read(request: RowsRequest): Promise<readonly PlainRow[]> {
  // A single binary has no file that another process could start from.
  if (Bun.isStandaloneExecutable) {
    const rows = await withEngine(request.directory, async (connection) =>
      (await connection.runAndReadAll(request.select)).getRowsJS(),
    );
    return rows as unknown as readonly PlainRow[];
  }
  return await reported(readApart(request));
}

async function readApart(request: RowsRequest): Promise<readonly PlainRow[]> {
  const script = fileURLToPath(new URL("./rows-child.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, "--no-env-file", script], {
    env: PROCESS_ENVIRONMENT,
    stdin: new Blob([JSON.stringify(request)]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [text, fault] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  const code = await child.exited;
  if (code !== 0) throw new Error(`rows could not be read (exit code ${code}): ${fault.trim()}`);
  return JSON.parse(text) as readonly PlainRow[];
}
