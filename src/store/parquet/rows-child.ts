/** The process of one SELECT: its folder and the statement come as JSON on standard input, the rows go out as JSON. */

import { withEngine } from "./engine.ts";
import type { RowsRequest } from "./rows-process.ts";

const { directory, select } = (await Bun.stdin.json()) as RowsRequest;
const rows = await withEngine(directory, async (connection) =>
  (await connection.runAndReadAll(select)).getRowsJS(),
);
await Bun.write(Bun.stdout, JSON.stringify(rows));
