/** A serving process killed with -9 under load, again and again: nothing acknowledged is missing but the last second of usage. Every kind of write: test/store/ledger/engine/kill.test.ts. */

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join as pathOf } from "node:path";
import { type ReplicaProcess, startReplica } from "#test/live-redis/replica-process.ts";
import { until } from "#test/support/until.ts";
import { batchOf, bearer, join, json, type Member, post } from "./client.ts";
import { dataDirectory, processSettings } from "./history.ts";
import { plansIn } from "./replica.ts";

const ROUNDS = 2;
/** Promised. Usage is written ten times a second, so that a busy machine and a slow disk keep it too. */
const LOST_AT_MOST_MILLISECONDS = 1_000;

interface Served {
  /** Whether the answer has arrived; without it the call may count or not. */
  at: number | null;
  readonly cost: number;
}

/** What was acknowledged before the process died, by what would show it. */
interface Acknowledged {
  readonly consents: Map<string, string>;
  /** The last one that a rotation gave. */
  rotatedKey: string;
  readonly served: Served[];
}

test(`${ROUNDS} rounds`, async () => {
  const dataDir = await dataDirectory();
  const plans = plansIn(dataDir, { free: { minute: 100_000, month: 1_000_000 } });
  const start = () => startReplica({ ...processSettings(dataDir), ...plans });
  let server = await start();
  const caller = await join(server.url, "caller@example.org");
  const rotator = await join(server.url, "rotator@example.org");
  const known: Acknowledged = { consents: new Map(), rotatedKey: rotator.key, served: [] };
  const counted = () => monthOf(dataDir, caller.organizationId);
  for (let round = 1; round <= ROUNDS; round++) {
    // Of the round before, with what the flush of this very start may still write: nothing, it knows of no call.
    const [before, servedBefore] = [counted(), known.served.length];
    const loads = startLoads(server, { caller, rotator }, known);
    const oldAt = (now: number) => known.served.slice(servedBefore).filter(({ at }) => isOld(at, now));
    await until(
      "there was work for some flushes",
      () => known.consents.size >= 10 * round && oldAt(performance.now()).length >= 50,
    );
    const killedAt = performance.now();
    server.end("SIGKILL");
    await loads.stop();
    await untilGone(server);

    server = await start();
    const sent = known.served.slice(servedBefore);
    const added = counted() - before;
    expect(added).toBeGreaterThanOrEqual(sum(oldAt(killedAt)));
    // Never more than was sent: no batch is added twice.
    expect(added).toBeLessThanOrEqual(sum(sent));

    await everythingIsThere(server, caller, known);
  }
  // Terminated in the midst of the load, it loses nothing at all.
  const { usage } = await json(await fetch(`${server.url}/v1/account`, { headers: bearer(caller.token) }));
  const servedBefore = known.served.length;
  const loads = startLoads(server, { caller, rotator }, known);
  await until("there is work", () => known.served.length > servedBefore + 100);
  expect(await server.end("SIGTERM")).toBe(0);
  await loads.stop();
  const sent = known.served.slice(servedBefore);
  const added = counted() - usage.calls_this_month;
  expect(added).toBeGreaterThanOrEqual(sum(sent.filter(({ at }) => at !== null)));
  expect(added).toBeLessThanOrEqual(sum(sent));
});

function startLoads(
  { url }: ReplicaProcess,
  { caller, rotator }: { readonly caller: Member; readonly rotator: Member },
  known: Acknowledged,
) {
  let stopped = false;
  const person = bearer(caller.token);
  /** Repeats until the process no longer answers. */
  const loop = async (work: () => Promise<void>) => {
    try {
      while (!stopped) await work();
    } catch (fault) {
      // A broken connection; the work itself checks the server's answers.
      if (!/connection|socket|closed|Unable to connect/i.test(String(fault))) throw fault;
    }
  };
  const calling = (nth: number) =>
    loop(async () => {
      const one: Served = { at: null, cost: nth % 2 === 0 ? 1 : 3 };
      known.served.push(one);
      const init = one.cost === 1 ? { headers: bearer(caller.key) } : batchOf(3, bearer(caller.key));
      await json(await fetch(`${url}${one.cost === 1 ? "/v1/latest" : "/v1/convert"}`, init));
      one.at = performance.now();
      await Bun.sleep(2);
    });
  const consenting = loop(async () => {
    const version = `v${known.consents.size + 1}-${Math.floor(performance.now())}`;
    const body = await json(await fetch(`${url}/v1/consent`, post({ policy_version: version }, person)));
    known.consents.set(version, body.accepted_at);
    // Fewer than the limit of consents during each process, including those that are sent again.
    await Bun.sleep(150);
  });
  const rotating = loop(async () => {
    const init = { method: "POST", headers: bearer(rotator.token) };
    known.rotatedKey = (await json(await fetch(`${url}/v1/keys/rotate`, init))).plaintext;
    // Fewer than the limit of rotations during each process.
    await Bun.sleep(150);
  });
  const loops = [...[0, 1, 2, 3].map(calling), consenting, rotating];
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(loops);
    },
  };
}

/** Answered so long ago that it must have been written. */
function isOld(at: number | null, now: number): boolean {
  return at !== null && at < now - LOST_AT_MOST_MILLISECONDS;
}

function sum(served: readonly Served[]): number {
  return served.reduce((total, { cost }) => total + cost, 0);
}

/** What the ledger's file contains; beside the server, which may be gone. */
function monthOf(dataDir: string, organizationId: string): number {
  const file = new Database(pathOf(dataDir, "ledger.sqlite"), { readonly: true });
  const [row] = file
    .query(
      "SELECT sum(calls) AS calls FROM usage_monthly JOIN organizations ON owner_id = identity_id WHERE id = ?",
    )
    .all(organizationId);
  file.close();
  return (row as { calls: number | null }).calls ?? 0;
}

async function untilGone({ pid }: ReplicaProcess): Promise<void> {
  await until("the process is gone", () => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  });
}

async function everythingIsThere({ url }: ReplicaProcess, caller: Member, known: Acknowledged) {
  for (const [version, acceptedAt] of [...known.consents].slice(-8)) {
    const again = post({ policy_version: version }, bearer(caller.token));
    expect((await json(await fetch(`${url}/v1/consent`, again))).accepted_at).toBe(acceptedAt);
  }
  // Current, or replaced by one rotation whose answer was lost: either way it works.
  await json(await fetch(`${url}/v1/latest`, { headers: bearer(known.rotatedKey) }));
}
