/** A real lake of one year and two days of quotes behind a real listening server, whose JSON answers come from the same lake; it ends with its file. */

import { buildHistory } from "#domain/history/history.ts";
import type { Observation } from "#domain/history/observation.ts";
import type { LiveQuote } from "#domain/live/live-quote.ts";
import { type Day, formatDay } from "#domain/time/day.ts";
import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLakeFiles } from "#store/lake/files.ts";
import { openLake } from "#store/lake/lake.ts";
import { NOW, openTestApp } from "#test/api/harness.ts";
import { assertResponseConforms } from "#test/api/openapi/conformance.ts";
import { at, quote } from "#test/store/archive/sample.ts";
import { change, day, held, observation } from "#test/store/lake/sample.ts";
import { atEnd } from "#test/support/at-end.ts";
import { listen } from "#test/support/listen.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

export const DAILY = "current/daily/source=ecb_daily/year=2025/rates.parquet";
/** A day of few quotes, and one whose file is larger than what is read into memory. */
export const FEW_QUOTES = "current/intraday/date=2026-03-02/quotes.parquet";
export const MANY_QUOTES = "current/intraday/date=2026-03-03/quotes.parquet";

interface Manifest {
  readonly version: number;
  readonly manifests: { readonly intraday: string };
  readonly files: readonly {
    readonly path: string;
    readonly current: string;
    readonly rows: number;
    readonly bytes: number;
    readonly sha256: string;
  }[];
}

export const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

/** Every weekday of 2025 for three currencies, of which one figure was corrected and one is held; and quotes. */
export async function serveLake(directory: string) {
  let clock = NOW;
  const now = () => clock;
  const lake = await openLake({ directory, simulated: false, now });
  await lake.commit(() => change({ accepted: figuresOf2025() }));
  await lake.commit(() =>
    change({
      accepted: [observation("2025-03-04", "USD", "1.0557", { name: "second", revision: 2 })],
      held: [held("2025-12-31", "JPY", "1840.92")],
    }),
  );
  const archive = await openQuoteArchive({ directory, simulated: false, access: "write", now });
  await archive.append([
    ...quotesFrom("2026-03-02T12:00:00Z", 10),
    ...quotesFrom("2026-03-03T00:00:00Z", 30_000),
  ]);
  await archive.flush();
  const { version, observations } = await lake.read();
  const dataset = {
    history: buildHistory(version, observations),
    coveredThrough: { ecb_daily: day("2026-04-13") },
    simulated: false,
  };
  const lakeFiles = openLakeFiles({ daily: lake.tables, intraday: archive.table, official: null });
  const { answer } = openTestApp({ dataset: () => dataset, lakeFiles, now: NOW });
  atEnd(lake.close);
  atEnd(archive.close);
  const { port, url } = listen(answer);
  /** Asks for a path below /v1/lake/, and checks the answer against the document. */
  async function ask(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
    const response = await fetch(`${url}/v1/lake/${path}`, { method, headers });
    await assertResponseConforms(method, response.url.replaceAll("%3D", "="), response);
    return response;
  }
  return {
    lake,
    archive,
    port,
    url,
    ask,
    manifest: async (path = "manifest.json"): Promise<Manifest> => (await ask(path)).json(),
    /** The name that the manifests give the file with a fixed name, now. */
    named: async (current: string) => {
      for (const of of ["daily", "intraday"] as const) {
        const { files } = JSON.parse((await lakeFiles.manifest(of)).text) as Manifest;
        const found = files.find((file) => file.current === current);
        if (found !== undefined) return found.path;
      }
      throw new Error(`no manifest has ${current}`);
    },
    /** Moves the clock of retention. */
    forward: (milliseconds: number) => {
      clock += milliseconds;
    },
  };
}

function figuresOf2025(): readonly Observation[] {
  const figures: Observation[] = [];
  for (let date: Day = day("2025-01-02"); date <= day("2025-12-31"); date++) {
    if ((date + 4) % 7 === 0 || (date + 4) % 7 === 6) continue;
    const text = formatDay(date);
    const turn = (date * 7919) % 1000;
    figures.push(
      observation(text, "USD", (1.05 + turn / 10_000).toFixed(4)),
      observation(text, "GBP", (0.83 + turn / 20_000).toFixed(5)),
      observation(text, "JPY", (160 + turn / 50).toFixed(2)),
    );
  }
  return figures;
}

/** One quote a second, whose digits and delays do not compress well. */
function quotesFrom(start: string, count: number): readonly LiveQuote[] {
  const random = seededRandom(count);
  return Array.from({ length: count }, (_, index) => {
    const observedAt = at(start) + index * 1_000;
    const mid = (0.8 + random() / 10).toFixed(12);
    return quote("USD/EUR", mid, observedAt, { retrievedAt: observedAt + Math.floor(random() * 1e5) });
  });
}
