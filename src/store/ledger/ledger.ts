/** Opens the ledger: picks the database, brings its tables up to date, and puts the repositories on it. */

import { join } from "node:path";
import { TIERS, type Tier } from "#domain/account/organization.ts";
import { DEFAULT_PLANS } from "#domain/plans/plan.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import type { Tell } from "#telemetry.ts";
import { auditLog } from "./audit.ts";
import { billingEvents } from "./billing-events.ts";
import { consents } from "./consents.ts";
import type { Engine, NewId } from "./engine.ts";
import { shown } from "./faults.ts";
import { identities } from "./identities.ts";
import { installation } from "./installation.ts";
import { keys } from "./keys.ts";
import { leases } from "./leases.ts";
import { type MigrationLock, migrate, POSTGRES_LOCK, SQLITE_LOCK } from "./migrate.ts";
import { MIGRATIONS, type Migration } from "./migrations/list.ts";
import { oneTimeTokens } from "./one-time-tokens.ts";
import { organizations } from "./organizations.ts";
import { outbox } from "./outbox.ts";
import { openPostgres } from "./postgres.ts";
import { publications } from "./publications.ts";
import { watchReach } from "./reach.ts";
import { sessions } from "./sessions.ts";
import { openSqlite } from "./sqlite.ts";
import { usage } from "./usage.ts";
import { webhookEndpoints } from "./webhook-endpoints.ts";

export type LedgerPlace =
  /** Of DATA_DIR: the file is `ledger.sqlite` in it. */
  | { readonly directory: string }
  /** postgres:// address; `connections` at most at once, 10 unless told. */
  | { readonly url: string; readonly connections?: number };

export interface LedgerOptions {
  readonly tell: Tell;
  readonly newId: NewId;
  /** Dates the migrations. */
  readonly clock: Clock;
  /** Stands in for the database's own clock, by which leases run out. */
  readonly leaseClock?: Clock;
  /** Tiers whose plan has webhook endpoints; those of the documented plans unless told. */
  readonly sendingTiers?: readonly Tier[];
  readonly migrations?: readonly Migration[];
}

const CONNECTIONS = 10;
const SENDING_TIERS = TIERS.filter((tier) => DEFAULT_PLANS[tier].webhooks > 0);
/** As much as an ordinary transaction writes: on a full disk something small may still fit. */
const PROBE = "-".repeat(65_536);
/** Migrations of large tables, and waiting for those of another replica. */
const MIGRATION_MILLISECONDS = 15 * 60_000;

/** Rejects with LedgerUnavailable, or with LedgerMismatch when the tables are not of this release or an older one. */
export async function openLedger(place: LedgerPlace, options: LedgerOptions): Promise<Ledger> {
  const { tell, newId, leaseClock, sendingTiers = SENDING_TIERS } = options;
  const engine = watchReach(await openEngine(place, options), tell);
  const parts = { engine: leaseClock === undefined ? engine : timedBy(engine, leaseClock), newId };
  return {
    identities: identities(parts),
    sessions: sessions(parts),
    tokens: oneTimeTokens(parts),
    consents: consents(parts),
    organizations: organizations(parts),
    keys: keys(parts),
    usage: usage(parts),
    billingEvents: billingEvents(parts),
    publications: publications(parts),
    endpoints: webhookEndpoints(parts),
    outbox: outbox(parts, sendingTiers),
    audit: auditLog(parts),
    leases: leases(parts),
    installation: installation(parts),
    probe: async () => {
      await engine.read.rows("SELECT number FROM schema_migrations LIMIT 1");
      if (engine.writesFail()) await installation(parts).write("probe", PROBE);
    },
    close: engine.close,
  };
}

async function openEngine(place: LedgerPlace, options: LedgerOptions): Promise<Engine> {
  try {
    if ("directory" in place) {
      const engine = await openSqlite(join(place.directory, "ledger.sqlite"));
      return await migrated(engine, engine, SQLITE_LOCK, options);
    }
    const { url, connections = CONNECTIONS } = place;
    const engine = openPostgres({ url, connections });
    // Only once it has answered may there be patience.
    await engine.read.rows("SELECT 1 AS one");
    const patient = openPostgres({ url, connections: 1, deadlineMilliseconds: MIGRATION_MILLISECONDS });
    await migrated(patient, engine, POSTGRES_LOCK, options);
    await patient.close();
    return engine;
  } catch (fault) {
    throw shown(fault);
  }
}

/** Resolves with `kept`; after a failure both engines are closed. */
async function migrated(
  engine: Engine,
  kept: Engine,
  lock: MigrationLock,
  { clock, migrations = MIGRATIONS }: LedgerOptions,
): Promise<Engine> {
  try {
    await migrate(engine, lock, migrations, clock.now());
    return kept;
  } catch (fault) {
    for (const one of new Set([engine, kept])) await one.close();
    throw fault;
  }
}

function timedBy(engine: Engine, clock: Clock): Engine {
  return {
    ...engine,
    get time() {
      return `CAST(${Math.trunc(clock.now())} AS BIGINT)`;
    },
  };
}
