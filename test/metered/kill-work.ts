/** Work of every kind for a server that is about to be killed, and what it acknowledged. */

import { expect } from "bun:test";
import type { ReplicaProcess } from "#test/live-redis/replica-process.ts";
import { CATALOG_SETTING } from "#test/support/stripe/catalog.ts";
import { signatureOf } from "#test/support/stripe/webhooks.ts";
import { batchOf, bearer, type Json, join, json, type Member, PASSWORD, post } from "./client.ts";
import { NOON } from "./history.ts";

const WEBHOOK_SECRET = "whsec_of_these_tests";

/** No provider is there: the notices of these tests are about nothing that would have to be fetched. */
export const BILLING_SETTINGS = {
  STRIPE_SECRET_KEY: "sk_test_of_these_tests",
  STRIPE_WEBHOOK_SECRETS: WEBHOOK_SECRET,
  STRIPE_PRICES: CATALOG_SETTING,
  STRIPE_API_BASE: "http://127.0.0.1:1",
};

export interface Served {
  /** Whether the answer has arrived; without it the call may count or not. */
  at: number | null;
  readonly cost: number;
}

/** What was acknowledged before the process died, by what would show it. */
export interface Acknowledged {
  readonly consents: Map<string, string>;
  readonly sessions: string[];
  /** Ids of the billing provider's. */
  readonly notices: string[];
  /** The last one that a rotation gave. */
  rotatedKey: string;
  readonly members: Member[];
  readonly served: Served[];
}

let noticed = 0;

/** A notice as the billing provider sends it, about a thing that changes no plan. */
export async function notify(url: string, id: string): Promise<Json> {
  const created = NOON / 1000;
  const about = { object: "event", type: "charge.succeeded", api_version: null, livemode: false, created };
  const body = JSON.stringify({ id, ...about, data: { object: { id: "ch_1", object: "charge" } } });
  const headers = { "stripe-signature": signatureOf(body, [WEBHOOK_SECRET], created) };
  return await json(await fetch(`${url}/v1/billing/stripe/events`, { method: "POST", headers, body }));
}

export function startLoads(
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
  const signingIn = loop(async () => {
    const signIn = post({ email: caller.email, password: PASSWORD });
    known.sessions.push((await json(await fetch(`${url}/v1/auth/sign-in?cookie=0`, signIn))).token);
    // Fewer than the limit of attempts of these rounds together.
    await Bun.sleep(400);
  });
  const rotating = loop(async () => {
    const init = { method: "POST", headers: bearer(rotator.token) };
    known.rotatedKey = (await json(await fetch(`${url}/v1/keys/rotate`, init))).plaintext;
    // Fewer than the limit of rotations during each process.
    await Bun.sleep(150);
  });
  const billing = loop(async () => {
    const id = `evt_${noticed++}`;
    expect((await notify(url, id)).outcome).toBe("ignored");
    known.notices.push(id);
    await Bun.sleep(5);
  });
  const joining = loop(async () => {
    known.members.push(await join(url));
    await Bun.sleep(700);
  });
  const loops = [...[0, 1, 2, 3].map(calling), consenting, signingIn, rotating, billing, joining];
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(loops);
    },
  };
}
