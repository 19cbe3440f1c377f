/** Workers over a real ledger, a real vault and real connections, with the test's clock; and the use cases beside them. */

import { afterEach } from "bun:test";
import { DEFAULT_PLANS } from "#domain/billing/plan.ts";
import { MOST_JITTER } from "#domain/webhook/endpoint.ts";
import { openVault } from "#gateways/vault/vault.ts";
import { openWebhookPost, type WebhookPostOptions } from "#gateways/webhook/post.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { Outbox } from "#ports/webhooks.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import { MASTER, random } from "#test/accounts/account/fixture.ts";
import { keyringOf } from "#test/gateways/vault/keyrings.ts";
import { account, type Bench, by, NOON } from "#test/store/ledger/ledgers.ts";
import { publishNews } from "#test/store/ledger/publications/publishing.ts";
import { type DeliverDeps, type Deliveries, notifyWorker, startDeliveries } from "#webhooks/deliver.ts";
import { createEndpoint, listDeliveries, type WebhookDeps } from "#webhooks/endpoints.ts";
import { type Answers, startReceiver } from "./receiver.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
/** No chance: every wait is the schedule's own. */
const UNSPREAD = (bytes: number) => new Uint8Array(bytes);

let ending: (() => Promise<unknown>)[] = [];

/** To be called once a file: what a test opened ends with it. */
export function endsWithEachTest(): void {
  afterEach(async () => {
    for (const end of ending.reverse()) await end();
    ending = [];
  });
}

function testClock() {
  const clock = { at: NOON, now: () => clock.at };
  return clock;
}

let lastWorker = 0;

/** The clock is the ledger's too where that was opened with it. */
export async function openFixture(ledger: Ledger, changes: Partial<WebhookDeps> = {}, clock = testClock()) {
  const vault = await openVault(keyringOf(MASTER), random);
  const emitted: string[] = [];
  const workers: Deliveries[] = [];
  const wake = () => {
    for (const one of workers) one.wake();
  };
  const outbox: Outbox = notifyWorker(ledger.outbox, wake);
  const deps: WebhookDeps = {
    ledger: { ...ledger, outbox },
    vault,
    attempts: memoryAttempts(),
    plans: DEFAULT_PLANS,
    allowPrivate: true,
    random,
    clock,
    ...changes,
  };
  return {
    clock,
    deps,
    vault,
    emitted,
    receiver: (answers?: Answers) => {
      const started = startReceiver(answers);
      ending.push(started.stop);
      return started;
    },
    /** It looks at once: a test in which another one must claim first waits until both are idle before it publishes. */
    worker: (parts: Partial<DeliverDeps> = {}, post: Partial<WebhookPostOptions> = {}) => {
      let tick = () => {};
      const started = startDeliveries({
        outbox: ledger.outbox,
        vault,
        post: openWebhookPost({ allowPrivate: true, ...post }),
        random: UNSPREAD,
        clock,
        emit: (event) => emitted.push(JSON.stringify(event)),
        newWorker: () => {
          lastWorker += 1;
          return `wrk_${lastWorker}`;
        },
        every: (_, run) => {
          tick = run;
          return () => {
            tick = () => {};
          };
        },
        // Pauses are over at once; deadlines are not.
        later: (milliseconds, run) => {
          const timer = setTimeout(run, milliseconds > 5 * SECOND ? milliseconds : 0);
          return () => clearTimeout(timer);
        },
        ...parts,
      });
      workers.push(started);
      ending.push(started.close);
      return {
        ...started,
        tick: () => tick(),
        /** What the timer does, and everything that comes of it. */
        turn: () => {
          tick();
          return started.idle();
        },
      };
    },
    /** An endpoint of an organization that may have some; its id and its secret. */
    endpoint: async (ownerId: string, url: string) => {
      const { endpoint, secret } = await createEndpoint(deps, ownerId, { url }, by(clock.at));
      return { id: endpoint.id, secret };
    },
  };
}

/** The same outbox, and when none of the heartbeats that went to it is under way any more. */
export function settling(outbox: Outbox) {
  let latest: Promise<unknown> = Promise.resolve();
  const beat: Outbox["beat"] = (worker) => {
    const heartbeat = outbox.beat(worker);
    latest = Promise.allSettled([latest, heartbeat]);
    return heartbeat;
  };
  return { outbox: { ...outbox, beat }, settled: () => latest };
}

type Plan = "free" | "basic" | "plus" | "pro";

export async function personWith(ledger: Ledger, name: string, tier: Plan) {
  const made = await account(ledger, name);
  await ledger.organizations.change(made.organizationId, { tier }, by());
  return { ownerId: made.owner.id, organizationId: made.organizationId };
}

/** A ledger whose leases go by the test's clock, a fixture over it, and a person whose organization has the plan. */
export async function openFor(bench: Bench, tier: Plan, changes: Partial<WebhookDeps> = {}) {
  const clock = testClock();
  const ledger = await bench.another({ leaseClock: clock });
  const fixture = await openFixture(ledger, changes, clock);
  return { clock, ledger, fixture, deps: fixture.deps, ...(await personWith(ledger, "ada", tier)) };
}

/** An endpoint of a person whose organization has the plan plus, and its receiver. */
export async function openSending(bench: Bench, answers?: Answers) {
  const opened = await openFor(bench, "plus");
  const { ledger, fixture, ownerId } = opened;
  const receiver = fixture.receiver(answers);
  const { id, secret } = await fixture.endpoint(ownerId, receiver.url);
  return {
    ...{ ...opened, receiver, id, secret },
    /** Publications by these names, now; their events are queued for the endpoint. */
    publish: (...names: readonly string[]) => publishNews(ledger, names, fixture.clock.at),
    deliveries: () => listDeliveries(fixture.deps, ownerId, id, 10),
  };
}

/** The longest wait of the schedule, with all of its spread. */
export const stretched = (milliseconds: number) => milliseconds * (1 + MOST_JITTER);
