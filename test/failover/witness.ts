/** What a reader of the replica was served, and what the stores have in the end: nothing lost, nothing doubled. */

import { openQuoteArchive } from "#store/archive/archive.ts";
import { openLake } from "#store/lake/lake.ts";
import { liveRatesIn } from "#test/live-redis/replica-process.ts";
import { openStorage } from "#test/store/bucket/storage-server.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import type { Site } from "./site.ts";

/** A live rate as it was served: the unit of a currency against the dollar at an instant. */
type Served = Map<string, { readonly currency: string; readonly observedAt: number }>;

const LOOK_MILLISECONDS = 100;

export type Witness = ReturnType<typeof watchReplica>;

/** Reads GET /v1/latest of the first replica again and again, with these headers. */
export function watchReplica({ replicas: [replica] }: Site, headers: Record<string, string> = {}) {
  const served: Served = new Map();
  let newest = 0;
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const url = replica.process()?.url;
      const answer = await fetch(`${url}/v1/latest`, { headers }).catch(() => null);
      const text = answer?.status === 200 ? await answer.text() : null;
      for (const [currency, { effectiveAt: observedAt }] of text === null ? [] : liveRatesIn(text)) {
        served.set(`${currency} ${observedAt}`, { currency, observedAt });
        newest = Math.max(newest, observedAt);
      }
      await Bun.sleep(LOOK_MILLISECONDS);
    }
  })();
  return {
    served,
    newest: () => newest,
    stop: async () => {
      isOver = true;
      await looking;
    },
  };
}

/** Faults of the archive: quotes that were served and are not in it, and quotes that are in it twice. */
export async function faultsOfQuotes(site: Site, { served }: Witness): Promise<readonly string[]> {
  const directory = temporaryDirectory();
  const storage = await openStorage(site.place, directory);
  const archive = await openQuoteArchive({ directory, simulated: false, access: "read", storage });
  const quotes = await archive.quotes(0, site.now() + 60_000);
  const counts = new Map<string, number>();
  for (const { feed, base, quote, observedAt, mid } of quotes) {
    const key = `${feed} ${base}/${quote} ${observedAt} ${mid}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const known = new Set(
    quotes.flatMap(({ base, quote, observedAt }) => [`${base} ${observedAt}`, `${quote} ${observedAt}`]),
  );
  const doubled = [...counts].filter(([, count]) => count > 1).map(([key]) => `doubled: ${key}`);
  const lost = [...served.values()]
    .filter(({ currency, observedAt }) => !known.has(`${currency} ${observedAt}`))
    .map(({ currency, observedAt }) => `lost: ${currency} ${new Date(observedAt).toISOString()}`);
  await archive.close();
  await storage.close();
  return [...doubled, ...lost];
}

/** The lake's figures as lines, without the versions in which they came, and without zeros at their ends: routes print more or fewer. */
export async function figuresIn(place: Site["place"]): Promise<readonly string[]> {
  const directory = temporaryDirectory();
  const storage = await openStorage(place, directory);
  const lake = await openLake({ directory, simulated: false, storage });
  const { observations } = await lake.read();
  const { count, date, source, base, quote, revision, units, scale } = observations;
  const lines = Array.from({ length: count }, (_, at) =>
    [
      ...[source, date, base, quote, revision].map((column) => column[at]),
      (units[at] as number) / 10 ** (scale[at] as number),
    ].join(" "),
  );
  await lake.close();
  await storage.close();
  return lines;
}

/** Published versions with their content, and faults: events without their version, and more than one event of a version. */
export async function publicationsIn(url: string) {
  const sql = new Bun.SQL({ adapter: "postgres", url, max: 1 });
  const versions = (await sql`
    SELECT table_id, publication, version, fingerprint FROM official_versions ORDER BY 1, 2, 3`) as readonly {
    readonly table_id: string;
    readonly publication: string;
    readonly version: number;
    readonly fingerprint: string;
  }[];
  const events = (await sql`SELECT id FROM webhook_events`) as readonly { readonly id: string }[];
  await sql.close();
  return {
    versions: versions.map((one) => `${one.table_id} ${one.publication} ${one.version} ${one.fingerprint}`),
    events: events.map(({ id }) => id),
  };
}

/** Events that are there twice, or that are of no stored version. */
export function eventFaults(versions: readonly string[], events: readonly string[]): readonly string[] {
  const known = new Set(
    versions.map((line) => {
      const [table, publication, version] = line.split(" ");
      return `evt_${table}_${publication}_v${version}`;
    }),
  );
  const doubled = events.filter((id, at) => events.indexOf(id) !== at).map((id) => `doubled: ${id}`);
  return [...doubled, ...events.filter((id) => !known.has(id)).map((id) => `of no version: ${id}`)];
}
