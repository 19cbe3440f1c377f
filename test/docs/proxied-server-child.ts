/** A server to be killed while it sends a file: a wide export is a large one, all zeros. Its argument is a directory; prints its port. */

import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExportRequest } from "#domain/history/rate-columns.ts";
import type { Exports } from "#ports.ts";
import { openTestApp, testExports } from "#test/api/harness.ts";

const BYTES = 400_000_000;
const directory = process.argv[2] as string;
const path = join(directory, "large.csv");
// It takes no room on the disk.
writeFileSync(path, "");
truncateSync(path, BYTES);

const isLarge = ({ plan }: ExportRequest) => plan.kind === "rates" && plan.layout === "wide";
/** The beginning of a file that is being made, and is not made any further. */
const begun = () => {
  const pieces = [new Uint8Array(1000)];
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const piece = pieces.pop();
      if (piece === undefined) await new Promise(() => {});
      else controller.enqueue(piece);
    },
  });
};

const small = testExports({ directory: join(directory, "exports") });
const exports: Exports = {
  ...small,
  open: async (request, signal) => (isLarge(request) ? begun() : await small.open(request, signal)),
  finish: async (request, signal) =>
    isLarge(request) ? { path, bytes: BYTES, sha256: "0".repeat(64) } : await small.finish(request, signal),
};
const { answer } = openTestApp({ exports, emit: () => {} });
const server = Bun.serve({ port: 0, hostname: "127.0.0.1", idleTimeout: 60, fetch: answer });
process.stdout.write(`${server.port}\n`);
