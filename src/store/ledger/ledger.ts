/** Opens the ledger: the database, and the repositories on it. */

import { DEFAULT_PLANS, endpointLimitsOf } from "#domain/billing/plan.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Clock } from "#ports.ts";
import { audited, auditLog, billingEvents } from "./accounts/audit.ts";
import { consents, identities, oneTimeTokens, sessions } from "./accounts/identities.ts";
import { keys, organizations } from "./accounts/organizations.ts";
import { usage } from "./accounts/usage.ts";
import type { Audited, Engine } from "./engine/engine.ts";
import { installation } from "./engine/installation.ts";
import { leases } from "./engine/leases.ts";
import { type EngineOptions, LEDGER_FILE, type LedgerPlace, openEngine } from "./engine/open-engine.ts";
import { raw } from "./engine/rows.ts";
import { webhookEndpoints } from "./outbox/endpoints.ts";
import { outbox } from "./outbox/outbox.ts";
import type { EndpointLimits } from "./outbox/rows.ts";
import { publicationHistory, publications } from "./publications/publications.ts";
import { statusLog } from "./status-log.ts";

export { LEDGER_FILE, type LedgerPlace };

export interface LedgerOptions extends EngineOptions {
  /** Replaces the database's own clock, by which leases expire. */
  readonly leaseClock?: Clock;
  /** The most webhook endpoints of each plan; by default those of the documented plans. */
  readonly endpointLimits?: EndpointLimits;
}

const ENDPOINT_LIMITS = endpointLimitsOf(DEFAULT_PLANS);
/** As much as an ordinary transaction writes: on a full disk something small may still fit. */
const PROBE = "-".repeat(65_536);

/**
 * Opens the ledger. Rejects with LedgerUnavailable, with LedgerDamaged for an unreadable file, with LedgerLost when the expected ledger
 * is gone, and with LedgerMismatch when the tables are not of this release or an older one.
 */
export async function openLedger(place: LedgerPlace, options: LedgerOptions): Promise<Ledger> {
  const { emit, newId, leaseClock, endpointLimits = ENDPOINT_LIMITS } = options;
  const engine = await openEngine(place, options);
  const withAudit = audited(engine, newId);
  const parts = { engine: leaseClock === undefined ? withAudit : timedBy(withAudit, leaseClock), newId };
  return {
    identities: identities(parts),
    sessions: sessions(parts),
    tokens: oneTimeTokens(parts),
    consents: consents(parts),
    organizations: organizations(parts),
    keys: keys(parts),
    usage: usage(parts),
    billingEvents: billingEvents(parts),
    publications: publications(parts, emit),
    history: publicationHistory(parts),
    endpoints: webhookEndpoints(parts),
    outbox: outbox(parts, endpointLimits),
    audit: auditLog(parts),
    status: statusLog(parts),
    leases: leases(parts),
    installation: installation(parts),
    probe: async () => {
      const damage = engine.damage();
      if (damage !== null) throw damage;
      await engine.read.rows("SELECT number FROM schema_migrations LIMIT 1");
      if (engine.writesFail()) await installation(parts).write("probe", PROBE);
    },
    check: engine.check,
    close: engine.close,
  };
}

function timedBy(engine: Engine<Audited>, clock: Clock): Engine<Audited> {
  return {
    ...engine,
    get time() {
      return raw(`CAST(${Math.trunc(clock.now())} AS BIGINT)`);
    },
  };
}
