/** A metered site with something in every place: live and daily rates, a corrected publication, accounts in every state, held figures, refused quotes. */

import { join as pathOf } from "node:path";
import { startSimulator } from "#demo/simulator.ts";
import type { OfficialRow } from "#domain/official/publication.ts";
import { dayOf, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import { openLake } from "#store/lake/lake.ts";
import { readRefused, writeRefused } from "#store/live/releases.ts";
import { dataDirectory, NOON, type Reach } from "#test/metered/history.ts";
import { fixedClock, openReplica, type Replica } from "#test/metered/replica.ts";
import { noteWhole, rowOf, versionOf } from "#test/official/version.ts";
import { listenerOf, tokenIn } from "#test/operate/server.ts";
import { until } from "#test/support/until.ts";
import { type DashboardServer, openDashboardServer } from "#test/web/dashboard/dashboard-server.ts";
import { startReceiver } from "#test/webhooks/receiver.ts";
import { furnish, openPeople } from "./residents.ts";

const DAY = dayOf(2026, 4, 13) as number;
/** Of the word "simulated". */
const DIGEST = new Bun.CryptoHasher("sha256").update("simulated").digest("hex");
const LATE_MILLISECONDS = 30 * 3_600_000;
const LONG_ADDRESS = "treasury.and.foreign-exchange.operations@subsidiary.of.a-long-name.example.org";

/** The publication of which there are two versions. */
export const CORRECTED = { table: "/official/pol/a", publication: "071-A-NBP-2026" };

export type FurnishedSite = Awaited<ReturnType<typeof openFurnishedSite>>;

export async function openFurnishedSite(reach: Reach) {
  const simulator = await startSimulator({ now: () => NOON });
  const dataDir = await withDoubts(reach);
  const server = await openDashboardServer({
    mail: true,
    dataDir,
    settings: {
      ADMIN_PORT: "0",
      ROLE: "all",
      UPSTREAM_BASE: simulator.base,
      LIVE_FEED: "coinbase",
      OFFICIAL_TABLES: "pol_a",
    },
  });
  const receiver = startReceiver((nth) => (nth === 1 ? 204 : 500));
  const stopFeed = server.crossrate.startLive();
  await until("live rates are served", async () =>
    (await (await fetch(server.url)).text()).includes("source live"),
  );
  // Written once, and again only when it has changed.
  await until("the list of refused quotes is written", async () => (await readRefused(dataDir)) !== null);
  stopFeed();
  await publish(server);
  const people = openPeople(server);
  /** Nothing but a confirmed address. */
  const newcomer = await people.signUp("newcomer@example.org");
  /** Plan, usage, two keys, sessions, six endpoints: one too many for the plan, one of them disabled. */
  const regular = await people.withKey(LONG_ADDRESS);
  /** A plan whose payment has been missing for three days. */
  const debtor = await people.withKey("debtor@example.org", {
    tier: "pro",
    status: "past_due",
    pastDueSince: NOON - 3 * MILLISECONDS_PER_DAY,
  });
  const suspended = await people.withKey("suspended@example.org", { status: "suspended" });
  await furnish(server, regular);
  const endpoints = await people.endpoints(regular, receiver);
  await refuse(dataDir);
  return {
    server,
    operator: { url: listenerOf(server.emitted), token: tokenIn(dataDir) },
    ...{ newcomer, regular, debtor, suspended, ...endpoints },
    close: async () => {
      await server.close();
      await Promise.all([simulator.stop(), receiver.stop()]);
    },
  };
}

/** A site that has collected nothing for a day: sources are late, the status page has incidents and held figures. */
export async function openLateSite(): Promise<Replica> {
  const clock = fixedClock(NOON + LATE_MILLISECONDS);
  return await openReplica({ dataDir: await withDoubts("latest"), clock });
}

/** Of 13 April 2026. */
export function heldFigure(quote: "NOK" | "SEK", printed: string, rule: string, reason: string) {
  return {
    source: "ecb_daily",
    date: DAY,
    base: "EUR",
    quote,
    printed,
    decimals: 4,
    observedAt: DAY * MILLISECONDS_PER_DAY + 43_200_000,
    publishedAt: null,
    document: "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml",
    documentSha256: DIGEST,
    retrievedAt: NOON - 3_600_000,
    rule,
    reason,
  } as const;
}

/** All daily rates there are, two held figures, and what a route states of one. */
export async function withDoubts(reach: Reach): Promise<string> {
  const dataDir = await dataDirectory(reach);
  const lake = await openLake({ directory: pathOf(dataDir, "lake"), simulated: false });
  await lake.commit(({ coverage }) => ({
    accepted: [],
    withdrawn: [],
    held: [
      heldFigure("NOK", "114.0815", "implausible_jump", "moves by a factor of 9.9 against the day before"),
      heldFigure("SEK", "-11.0450", "not_positive", "is not above zero"),
    ],
    coverage,
    statements: [
      {
        ...{ source: "ecb_daily", route: "ecb_csv", base: "EUR", quote: "NOK" },
        ...{ first: DAY, last: DAY, says: "value", printed: "11.4082", since: 1_776_000_000_000 },
      },
    ],
  }));
  await lake.close();
  return dataDir;
}

/** In place of the list of the feed, which refuses nothing. */
export async function refuse(dataDir: string): Promise<void> {
  const refused = {
    ...{ feed: "coinbase", currency: "JPY", pair: "USD/JPY", price: "305.1", perDollar: 305.1 },
    reference: { perDollar: 150.25, observedAt: NOON - MILLISECONDS_PER_DAY },
    ...{ rule: "beyond_reference", reason: "twice its daily reference", isUnanswered: false },
    ...{ observedAt: NOON, since: NOON - 600_000 },
  } as never;
  await writeRefused(dataDir, { at: NOON, refused: [refused] });
}

/** Two versions of one publication. */
async function publish({ crossrate }: DashboardServer): Promise<void> {
  const row = (base: string, rate: string, unit = 1) => rowOf(base, "PLN", rate, unit);
  const versions = [
    [row("EUR", "4.2500"), row("USD", "3.6400"), row("HUF", "1.0742", 100), row("CHF", "4.5511")],
    [row("EUR", "4.2600"), row("USD", "3.6400"), row("HUF", "1.0742", 100), row("JPY", "2.4300", 100)],
  ];
  const { publication } = CORRECTED;
  const sourceUrl = "https://api.nbp.pl/api/exchangerates/tables/A/";
  for (const [index, rows] of versions.entries())
    await publishVersion(crossrate, { publication, number: index + 1, rows, sourceUrl });
}

interface Published {
  readonly publication: string;
  readonly number: number;
  readonly rows: readonly OfficialRow[];
  readonly sourceUrl: string;
}

/** A version of a publication of the Polish table, with its event. */
export async function publishVersion(
  { accounts }: Replica["crossrate"],
  { publication, number, rows, sourceUrl }: Published,
): Promise<void> {
  const version = versionOf({
    ...{ table: "pol_a", publication, version: number, retrievedAt: NOON + number },
    ...{ rows, validFrom: DAY, sourceUrl, documentSha256: DIGEST },
  });
  const event = {
    id: `evt_pol_a_071-A-NBP-2026_v${number}`,
    type: number === 1 ? "official.published" : "official.corrected",
    createdAt: NOON + number,
    body: JSON.stringify({ data: { country: "POL", types: ["a"], publication, version: number } }),
  } as const;
  await accounts?.ledger.outbox.publish([{ version, event }], NOON);
  if (accounts !== null) await noteWhole(accounts.ledger, "pol_a", NOON);
}
