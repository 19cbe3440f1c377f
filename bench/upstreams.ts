/** The upstreams that are measured against: the simulator, with the real ECB history where it is at hand. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { startSimulator } from "#demo/simulator.ts";
import type { Figure } from "#domain/history/observation.ts";
import { COVERAGE_START, type Day, dayAt, formatDay, parseDay } from "#domain/time/day.ts";
import { parseEcbHistoryZip } from "#sources/ecb/documents.ts";

const REAL_ZIP = join(import.meta.dir, "..", "..", "shared", "data", "ecb", "eurofxref-hist.zip");

export interface Upstreams {
  /** What UPSTREAM_BASE is set to. */
  readonly base: string;
  /** A description of the ECB's history. */
  readonly documents: string;
  stop(): Promise<void>;
}

/** The simulator, with the real ECB history in the place of its own where that is at hand. */
export async function startUpstreams(now: string): Promise<Upstreams> {
  const simulator = await startSimulator({ now: () => Date.parse(now) });
  const real = existsSync(REAL_ZIP);
  const figures = real ? await realFigures(now) : [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const { pathname, search } = new URL(request.url);
      if (real && pathname.endsWith("/eurofxref-hist.zip")) return new Response(Bun.file(REAL_ZIP));
      // Figures that moved far are requested by another route, which must be of the same world.
      if (real && pathname.includes("/service/data/EXR/")) return sdmxOf(figures, new URL(request.url));
      // The bytes pass through as the simulator sends them, compressed or not.
      return fetch(simulator.base + pathname + search, { headers: request.headers, decompress: false });
    },
  });
  return {
    base: `http://127.0.0.1:${server.port}`,
    documents: real ? "the real zip" : "the simulator's zip",
    stop: async () => {
      await server.stop(true);
      await simulator.stop();
    },
  };
}

async function realFigures(now: string): Promise<readonly Figure[]> {
  const bytes = await Bun.file(REAL_ZIP).bytes();
  const document = { url: REAL_ZIP, bytes, sha256: "", retrievedAt: 0, contentType: "" };
  const window = { reach: "history", from: COVERAGE_START, to: dayAt(Date.parse(now)) } as const;
  const reading = parseEcbHistoryZip(document, window);
  return reading.outcome === "figures" ? reading.figures : [];
}

function sdmxOf(figures: readonly Figure[], { searchParams }: URL): Response {
  const [from, to] = ["startPeriod", "endPeriod"].map(
    (name) => parseDay(searchParams.get(name) ?? "") ?? 0,
  ) as [Day, Day];
  const rows = figures
    .filter(({ date }) => from <= date && date <= to)
    .map(({ date, quote, printed }) => `D,${quote},EUR,SP00,A,${formatDay(date)},${printed}\n`);
  if (rows.length === 0) return new Response("No results found.", { status: 404 });
  const header = "FREQ,CURRENCY,CURRENCY_DENOM,EXR_TYPE,EXR_SUFFIX,TIME_PERIOD,OBS_VALUE\n";
  return new Response(header + rows.join(""), { headers: { "Content-Type": "text/csv" } });
}
