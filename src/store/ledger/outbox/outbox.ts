/** The outbox: official versions with their events and deliveries, and what workers do with these. */

import type { Outbox } from "#ports/webhooks.ts";
import type { LedgerParts } from "#store/ledger/engine/engine.ts";
import type { EndpointLimits } from "#store/ledger/keys/plan-room.ts";
import { claim } from "./claim.ts";
import { replay } from "./complete.ts";
import { completions } from "./noting.ts";
import { prune } from "./prune.ts";
import { publish } from "./publish.ts";
import { publishTest } from "./queue.ts";
import { changes, deliveries } from "./read.ts";
import { backlog } from "./standing.ts";
import { beat, release, retire } from "./workers.ts";

/** `limits` are how many endpoints each plan has room for: those beyond are sent nothing. */
export function outbox(parts: LedgerParts, limits: EndpointLimits): Outbox {
  const { engine } = parts;
  return {
    publish: (versions, at) => publish(parts, limits, versions, at),
    publishTest: (event, endpointId, at) =>
      engine.write((transaction) => publishTest(transaction, event, endpointId, at)),
    changes: (query) => changes(engine.read, query),
    claim: (wish) => claim(parts, limits, wish),
    beat: (worker) => beat(engine, worker),
    release: (claims) => release(engine, claims),
    retire: (worker) => retire(engine, worker),
    backlog: (at) => backlog(parts, limits, at),
    complete: completions(engine),
    replay: (deliveryId, organizationId, at, by) =>
      engine.write((transaction) => replay(parts, transaction, deliveryId, organizationId, at, by)),
    deliveries: (endpointId, organizationId, limit) =>
      deliveries(engine.read, endpointId, organizationId, limit),
    prune: (before) => prune(parts, before),
  };
}
