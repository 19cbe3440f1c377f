/** The outbox: official versions with their events and deliveries, and what workers do with these. */

import type { Tier } from "#domain/account/organization.ts";
import type { Outbox } from "#ports/webhooks.ts";
import type { LedgerParts } from "./engine.ts";
import { claim } from "./outbox-claim.ts";
import { replay } from "./outbox-complete.ts";
import { completions } from "./outbox-noting.ts";
import { prune } from "./outbox-prune.ts";
import { publish } from "./outbox-publish.ts";
import { publishTest } from "./outbox-queue.ts";
import { changes, deliveries } from "./outbox-read.ts";
import { backlog } from "./outbox-standing.ts";
import { beat, release, retire } from "./outbox-workers.ts";

/** `tiers` are those whose plan has webhook endpoints: organizations of others are sent nothing. */
export function outbox(parts: LedgerParts, tiers: readonly Tier[]): Outbox {
  const { engine } = parts;
  return {
    publish: (versions, at) => publish(parts, tiers, versions, at),
    publishTest: (event, endpointId, at) =>
      engine.write((transaction) => publishTest(transaction, event, endpointId, at)),
    changes: (query) => changes(engine.read, query),
    claim: (wish) => claim(parts, tiers, wish),
    beat: (worker) => beat(engine, worker),
    release: (claims) => release(engine, claims),
    retire: (worker) => retire(engine, worker),
    backlog: (at) => backlog(parts, tiers, at),
    complete: completions(engine),
    replay: (deliveryId, organizationId, at, by) =>
      engine.write((transaction) => replay(parts, transaction, deliveryId, organizationId, at, by)),
    deliveries: (endpointId, organizationId, limit) =>
      deliveries(engine.read, endpointId, organizationId, limit),
    prune: (before) => prune(parts, before),
  };
}
