/** What `crossrate doctor` looks at on the machine of a server: whether its stores open, and where its sources are. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#config.ts";
import { dayAt } from "#domain/time/day.ts";
import type { UpstreamRequest } from "#ports/upstream.ts";
import type { Clock } from "#ports.ts";
import { dailyAdapters } from "#sources/catalogue.ts";
import { sendingAddress } from "#sources/fetch/address.ts";
import { liveFeed } from "#sources/live/catalogue.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { ledgerPlaceOf } from "./ledger.ts";
import { chosenTables } from "./official-tables.ts";
import { newId } from "./process.ts";

export { probeRedis } from "#store/redis/connection/probe.ts";

export interface SourceAddress {
  readonly host: string;
  /** Of a document, as a request for it would be sent, without credentials. */
  readonly address: string;
  /** Every source that is read at this host. */
  readonly sources: readonly string[];
}

/** Days before now whose documents are asked for: every authority has published in them. */
const RECENT_DAYS = 7;

/** Where the configured sources are read, one address a host. */
export function sourceAddresses(config: Config, clock: Clock): readonly SourceAddress[] {
  const to = dayAt(clock.now());
  const window = { reach: "latest", from: to - RECENT_DAYS, to } as const;
  const { feeds, access, currencies } = config.live;
  const wanted: readonly (readonly [string, UpstreamRequest | undefined])[] = [
    ...dailyAdapters({ fredApiKey: config.fredApiKey }).map(
      (adapter) => [adapter.id, adapter.routes(window)[0]?.requests[0]] as const,
    ),
    ...feeds.map((id) => [id, liveFeed(id, access)?.polls(currencies)[0]?.request] as const),
    ...(config.official.tables === "off" ? [] : chosenTables(config).collected).map(
      (adapter) => [adapter.id, adapter.routes(window)[0]?.requests[0]] as const,
    ),
  ];
  const byHost = new Map<string, SourceAddress>();
  for (const [source, request] of wanted) {
    if (request === undefined) continue;
    const { secretQuery: _, secretHeaders: __, ...plain } = request;
    const { host } = new URL(request.url);
    const known = byHost.get(host);
    const address = known?.address ?? sendingAddress(plain, config.upstreamBase);
    byHost.set(host, { host, address, sources: [...(known?.sources ?? []), source] });
  }
  return [...byHost.values()];
}

/**
 * Opens the ledger of the settings and checks it. Resolves with false where it is a file that is not there yet, which is not
 * made. Rejects as `openLedger` does.
 */
export async function probeLedger(config: Config, clock: Clock): Promise<boolean> {
  const isFile = config.accounts.databaseUrl === null;
  if (isFile && !existsSync(join(config.dataDir, "ledger.sqlite"))) return false;
  const ledger = await openLedger(ledgerPlaceOf(config), { emit: () => {}, newId, clock });
  try {
    await ledger.check();
    await ledger.probe();
    return true;
  } finally {
    await ledger.close();
  }
}
