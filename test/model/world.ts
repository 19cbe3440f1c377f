/** What a run uses: the real server with its operators' listener, the simulated provider, rates that change; one clock for all. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join as pathOf } from "node:path";
import type { Json } from "#test/metered/client.ts";
import { NOON } from "#test/metered/history.ts";
import { fixedClock, openReplica, type Replica, untilLimits } from "#test/metered/replica.ts";
import { type Fields, listenerOf, signIn, submit, tokenIn } from "#test/operate/server.ts";
import { CATALOG_SETTING } from "#test/support/stripe/catalog.ts";
import { startStripe } from "#test/support/stripe/stripe.ts";
import { signatureOf } from "#test/support/stripe/webhooks.ts";
import type { Plans } from "./model.ts";
import { ratesAhead } from "./rates-ahead.ts";

const STRIPE_SECRET = "whsec_of_a_walk";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
  readonly text: string;
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** What two replicas have in common; null for one process with a ledger of its own. */
export interface Shared {
  readonly DATABASE_URL: string;
  readonly REDIS_URL: string;
}

/** Between two steps of replicas: each reads its cached state again. */
const EFFECTIVE_AFTER = 5_001;

export async function openWorld(plans: Plans | null, shared: Shared | null, chance: () => number) {
  const clock = fixedClock(NOON);
  const dataDir = await ratesAhead();
  // Without an endpoint: every notice is delivered by the context, when and as often as it likes.
  const stripe = await startStripe({ now: () => clock.at });
  const settings: Record<string, string> = {
    ADMIN_PORT: "0",
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_API_BASE: stripe.base,
    STRIPE_WEBHOOK_SECRETS: STRIPE_SECRET,
    STRIPE_PRICES: CATALOG_SETTING,
    ...(shared === null ? {} : { ...shared, REPLICAS: "2" }),
  };
  if (plans !== null) {
    mkdirSync(dataDir, { recursive: true });
    settings["PLANS_FILE"] = pathOf(dataDir, "plans.json");
    writeFileSync(settings["PLANS_FILE"], JSON.stringify(plans));
  }
  let replica: Replica = await openReplica({ dataDir, clock, settings });
  const other =
    shared === null ? null : await openReplica({ dataDir, clock, settings: { ...settings, ADMIN_PORT: "" } });
  const replicas = () => (other === null ? [replica] : [replica, other]);
  await untilLimits("ok", replicas());

  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
  ): Promise<Answer> => {
    const isText = typeof body === "string";
    const sent = body === undefined ? {} : { body: isText ? body : JSON.stringify(body) };
    const typed: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
    const url = path.startsWith("http")
      ? path
      : `${replicas()[chance() < 0.5 ? 0 : replicas().length - 1]?.url}${path}`;
    const answer = await fetch(url, { method, headers: { ...typed, ...headers }, ...sent });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json");
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
  };
  return {
    clock,
    dataDir,
    stripe,
    ask,
    replica: () => replica,
    /** What was counted is in the ledger, and what was changed has taken effect everywhere. */
    settle: async () => {
      if (shared === null) return;
      clock.at += EFFECTIVE_AFTER;
      for (const { crossrate } of replicas()) await crossrate.accounts?.usage.flush();
    },
    /** A form of the operators' pages; resolves with the status. */
    operator: async (path: string, fields: Fields = {}): Promise<number> => {
      clock.at += 1;
      const url = listenerOf(replica.emitted);
      const cookie = await signIn(url, tokenIn(dataDir));
      return (await submit(url, path, fields, { cookie })).status;
    },
    ledger: () => {
      if (replica.crossrate.accounts === null) throw new Error("the server has no accounts");
      return replica.crossrate.accounts.ledger;
    },
    /** A notice, signed now. The audit log is in order of time: no two of one instant. */
    notify: (event: object) => {
      clock.at += 1;
      const text = JSON.stringify(event, null, 2);
      const signature = signatureOf(text, [STRIPE_SECRET], Math.floor(clock.at / 1000));
      return ask("POST", "/v1/billing/stripe/events", { "stripe-signature": signature }, text);
    },
    press: async (url: string, action: string) => {
      const body = new URLSearchParams({ action });
      return (await fetch(url, { method: "POST", body, redirect: "manual" })).status;
    },
    pass: async (milliseconds: number) => {
      clock.at += milliseconds;
      stripe.catchUp();
    },
    restart: async () => {
      await replica.close();
      replica = await openReplica({ dataDir, clock, settings });
    },
    close: async () => {
      await Promise.all(replicas().map((each) => each.close()));
      await stripe.stop();
    },
  };
}
