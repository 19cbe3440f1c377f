/** A serving process killed with -9 under load, again and again: nothing acknowledged is missing but the last second of usage. */

import { Database } from "bun:sqlite";
import { expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join as pathOf } from "node:path";
import { type ReplicaProcess, startReplica } from "#test/live-redis/replica-process.ts";
import { until } from "#test/store/hot-book/until.ts";
import { batchOf, bearer, join, json, type Member, PASSWORD, post } from "./client.ts";
import { dataDirectory, NOON } from "./history.ts";

setDefaultTimeout(60_000);
const ROUNDS = 2;
/** Usage is written every second; a beat on a busy machine comes a little late. */
const LOST_AT_MOST_MILLISECONDS = 1_000;
const LATE_MILLISECONDS = 400;

interface Served {
  /** Whether the answer has arrived; without it the call may count or not. */
  at: number | null;
  readonly cost: number;
}

/** What was acknowledged before the process died, by what would show it. */
interface Acknowledged {
  readonly consents: Map<string, string>;
  readonly sessions: string[];
  /** The last one that a rotation gave. */
  rotatedKey: string;
  readonly members: Member[];
  readonly served: Served[];
}

test(`${ROUNDS} rounds`, async () => {
  const dataDir = await dataDirectory();
  writeFileSync(pathOf(dataDir, "plans.json"), JSON.stringify({ free: { minute: 100_000, month: 1_000_000 } }));
  const start = () =>
    startReplica({
      DATA_DIR: dataDir,
      ACCESS: "metered",
      ROLE: "api",
      LIVE_FEED: "off",
      NOW: new Date(NOON).toISOString(),
      TRUSTED_PROXIES: "127.0.0.0/8",
      PLANS_FILE: pathOf(dataDir, "plans.json"),
    });
  let server = await start();
  const caller = await join(server.url, "caller@example.org");
  const rotator = await join(server.url, "rotator@example.org");
  const known: Acknowledged = {
    consents: new Map(),
    sessions: [],
    rotatedKey: rotator.key,
    members: [caller, rotator],
    served: [],
  };
  const counted = () => monthOf(dataDir, caller.organizationId);
  for (let round = 1; round <= ROUNDS; round++) {
    // Of the round before, with what the flush of this very start may still write: nothing, it knows of no call.
    const [before, servedBefore] = [counted(), known.served.length];
    const loads = startLoads(server, { caller, rotator }, known);
    const began = performance.now();
    await until("there was work for some flushes", () => performance.now() - began > 2_500 && known.consents.size >= 10 * round);
    const killedAt = performance.now();
    server.end("SIGKILL");
    await loads.stop();
    await untilGone(server);

    server = await start();
    const asked = known.served.slice(servedBefore);
    const surely = asked.filter(({ at }) => at !== null && at < killedAt - LOST_AT_MOST_MILLISECONDS - LATE_MILLISECONDS);
    const added = counted() - before;
    expect(surely.length).toBeGreaterThan(100);
    expect(added).toBeGreaterThanOrEqual(sum(surely));
    // Never more than was asked for: no batch is added twice.
    expect(added).toBeLessThanOrEqual(sum(asked));

    await everythingIsThere(server, caller, known);
  }
  const { end } = server;
  expect(await end()).toBe(0);
});

function sum(served: readonly Served[]): number {
  return served.reduce((total, { cost }) => total + cost, 0);
}

/** What the ledger's file says; beside the server, which may be gone. */
function monthOf(dataDir: string, organizationId: string): number {
  const file = new Database(pathOf(dataDir, "ledger.sqlite"), { readonly: true });
  const [row] = file.query("SELECT sum(calls) AS calls FROM usage_monthly WHERE organization_id = ?").all(organizationId);
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
      // A connection that broke; what the server says is checked by the work itself.
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
    await Bun.sleep(5);
  });
  const signingIn = loop(async () => {
    const asked = post({ email: caller.email, password: PASSWORD });
    known.sessions.push((await json(await fetch(`${url}/v1/auth/sign-in?cookie=0`, asked))).token);
    // Fewer than the limit of attempts of these rounds together.
    await Bun.sleep(400);
  });
  const rotating = loop(async () => {
    const init = { method: "POST", headers: bearer(rotator.token) };
    known.rotatedKey = (await json(await fetch(`${url}/v1/keys/rotate`, init))).plaintext;
    await Bun.sleep(10);
  });
  const joining = loop(async () => {
    known.members.push(await join(url));
    await Bun.sleep(700);
  });
  const loops = [...[0, 1, 2, 3].map(calling), consenting, signingIn, rotating, joining];
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(loops);
    },
  };
}

async function everythingIsThere({ url }: ReplicaProcess, caller: Member, known: Acknowledged): Promise<void> {
  for (const token of known.sessions.slice(-5))
    expect((await json(await fetch(`${url}/v1/auth/me`, { headers: bearer(token) }))).identity.email).toBe(caller.email);
  for (const [version, acceptedAt] of [...known.consents].slice(-40)) {
    const again = post({ policy_version: version }, bearer(caller.token));
    expect((await json(await fetch(`${url}/v1/consent`, again))).accepted_at).toBe(acceptedAt);
  }
  // Current, or replaced by one rotation whose answer was lost: either way it works.
  await json(await fetch(`${url}/v1/latest`, { headers: bearer(known.rotatedKey) }));
  for (const { token, organizationId } of known.members.slice(-6)) {
    const { org, key } = await json(await fetch(`${url}/v1/account`, { headers: bearer(token) }));
    expect(org.id).toBe(organizationId);
    await json(await fetch(`${url}/v1/latest`, { headers: bearer(key.plaintext) }));
  }
}
