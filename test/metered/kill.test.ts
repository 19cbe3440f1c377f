/** A serving process killed with -9 under load, again and again: nothing acknowledged is missing but the last second of usage. Every kind of write: test/store/ledger/engine/kill.test.ts. */

import { expect, test } from "bun:test";
import { type ReplicaProcess, startReplica } from "#test/live-redis/replica-process.ts";
import { statement } from "#test/store/ledger/ledgers.ts";
import { until } from "#test/support/until.ts";
import { bearer, join, json, type Member, post } from "./client.ts";
import { dataDirectory, processSettings } from "./history.ts";
import { outcomesOf, servedToKeys, startLoad } from "./load.ts";
import { plansIn } from "./replica.ts";

const ROUNDS = 2;
/** Promised. Usage is written ten times a second, so that a busy machine and a slow disk keep it too. */
const LOST_AT_MOST_MILLISECONDS = 1_000;
const CALLERS = 4;
/** Calls of the dearest batches that may be served, and counted, without an answer that arrives. */
const UNANSWERED_CALLS = CALLERS * 3;

/** What was acknowledged before the process died, by what would show it. */
interface Acknowledged {
  readonly consents: Map<string, string>;
  /** The last one that a rotation gave. */
  rotatedKey: string;
}

test(`${ROUNDS} rounds`, async () => {
  const dataDir = await dataDirectory();
  const plans = plansIn(dataDir, { free: { minute: 100_000, month: 1_000_000 } });
  const start = () => startReplica({ ...processSettings(dataDir), ...plans });
  let server = await start();
  const caller = await join(server.url, "caller@example.org");
  const rotator = await join(server.url, "rotator@example.org");
  const known: Acknowledged = { consents: new Map(), rotatedKey: rotator.key };
  const counted = () => monthOf(dataDir, caller.organizationId);
  for (let round = 1; round <= ROUNDS; round++) {
    // Of the round before, with what the flush of this very start may still write: nothing, it knows of no call.
    const before = await counted();
    const work = startWork(server, { caller, rotator }, known);
    const oldAt = (now: number) =>
      work.answered.filter(({ beganAt, took }) => beganAt + took < now - LOST_AT_MOST_MILLISECONDS);
    await until(
      "there was work for some flushes",
      () => known.consents.size >= 10 * round && oldAt(performance.now()).length >= 50,
    );
    const killedAt = performance.now();
    await server.end("SIGKILL");
    await work.stop();

    server = await start();
    const added = (await counted()) - before;
    expect(added).toBeGreaterThanOrEqual(servedToKeys(oldAt(killedAt)).calls);
    // Never more than was sent: no batch is added twice.
    expect(added).toBeLessThanOrEqual(servedToKeys(work.answered).calls + UNANSWERED_CALLS);

    await everythingIsThere(server, caller, known);
  }
  // Terminated in the midst of the load, it loses nothing at all.
  const { usage } = await json(await fetch(`${server.url}/v1/account`, { headers: bearer(caller.token) }));
  const work = startWork(server, { caller, rotator }, known);
  await until("there is work", () => work.answered.length > 100);
  expect(await server.end("SIGTERM")).toBe(0);
  await work.stop();
  const { calls } = servedToKeys(work.answered);
  expect((await counted()) - usage.calls_this_month).toBeWithin(calls, calls + UNANSWERED_CALLS + 1);
});

function startWork(
  { url }: ReplicaProcess,
  { caller, rotator }: { readonly caller: Member; readonly rotator: Member },
  known: Acknowledged,
) {
  let stopped = false;
  const { answered, stop } = startLoad({ urls: [url], keys: Array(CALLERS).fill(caller.key) });
  const repeat = async (work: () => Promise<void>) => {
    while (!stopped) {
      await work();
      // Less often than the limits of consents and of rotations allow during each process.
      await Bun.sleep(150);
    }
  };
  const consenting = repeat(async () => {
    const version = `v${known.consents.size + 1}-${Math.floor(performance.now())}`;
    const init = post({ policy_version: version }, bearer(caller.token));
    known.consents.set(version, (await json(await fetch(`${url}/v1/consent`, init))).accepted_at);
  });
  const rotating = repeat(async () => {
    const init = { method: "POST", headers: bearer(rotator.token) };
    known.rotatedKey = (await json(await fetch(`${url}/v1/keys/rotate`, init))).plaintext;
  });
  const ended = Promise.allSettled([consenting, rotating]);
  return {
    answered,
    /** When the process no longer answers, which ends all of it. */
    stop: async () => {
      stopped = true;
      const faults = [...(await ended), ...(await Promise.allSettled([stop()]))];
      for (const fault of faults.filter(({ status }) => status === "rejected"))
        expect(String((fault as PromiseRejectedResult).reason)).toMatch(CONNECTION_FAULT);
      expect(outcomesOf(answered)).toEqual(["key 200", "stranger 200"]);
    },
  };
}

const CONNECTION_FAULT = /connection|socket|closed|Unable to connect/i;

/** What the ledger's file contains; beside the server, which may be gone. */
async function monthOf(directory: string, organizationId: string): Promise<number> {
  const [row] = await statement(
    { directory },
    `SELECT sum(calls) AS calls FROM usage_monthly JOIN organizations ON owner_id = identity_id WHERE id = '${organizationId}'`,
  );
  return Number(row?.["calls"] ?? 0);
}

async function everythingIsThere({ url }: ReplicaProcess, caller: Member, known: Acknowledged) {
  for (const [version, acceptedAt] of [...known.consents].slice(-8)) {
    const again = post({ policy_version: version }, bearer(caller.token));
    expect((await json(await fetch(`${url}/v1/consent`, again))).accepted_at).toBe(acceptedAt);
  }
  // Current, or replaced by one rotation whose answer was lost: either way it works.
  await json(await fetch(`${url}/v1/latest`, { headers: bearer(known.rotatedKey) }));
}
