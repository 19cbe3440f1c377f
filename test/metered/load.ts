/** Calls without a break, with and without keys, and the outcome of each. */

import { monthOf } from "#domain/account/organization.ts";
import { dayAt, firstDayOfMonth } from "#domain/time/day.ts";
import { batchOf, bearer, from } from "./client.ts";
import type { Replica } from "./replica.ts";

export interface Answered {
  readonly who: "key" | "stranger";
  readonly url: string;
  /** The key that called; null for a stranger. */
  readonly key: string | null;
  readonly status: number;
  readonly code: string | null;
  readonly cost: number;
  readonly beganAt: number;
  readonly took: number;
}

export interface LoadOptions {
  readonly urls: readonly string[];
  readonly keys: readonly string[];
  /** Between an answer and the next call of the same caller. */
  readonly pauseMilliseconds?: number;
  /** Calls without a key, too, each from an address that has hardly called. */
  readonly strangers?: boolean;
}

export type Load = ReturnType<typeof startLoad>;

/** One caller for each key at each server, and one without a key at each. */
export function startLoad({ urls, keys, pauseMilliseconds = 4, strangers = true }: LoadOptions) {
  const answered: Answered[] = [];
  let [stopped, seen, nth] = [false, 0, 0];

  const call = async (url: string, headers: Record<string, string>, cost: number, key: string | null) => {
    const began = performance.now();
    const who = key === null ? "stranger" : "key";
    const answer = await (cost === 1
      ? fetch(`${url}/v1/latest?symbols=USD`, { headers })
      : fetch(`${url}/v1/convert`, batchOf(cost, headers)));
    const body = await answer.text();
    const code = answer.ok ? null : (JSON.parse(body).code as string);
    const took = performance.now() - began;
    answered.push({ who, url, key, status: answer.status, code, cost, beganAt: began, took });
  };
  const keyed = async (url: string, key: string) => {
    while (!stopped) {
      nth += 1;
      await call(url, bearer(key), nth % 4 === 0 ? 3 : 1, key);
      await Bun.sleep(pauseMilliseconds);
    }
  };
  const stranger = async (url: string) => {
    while (!stopped) {
      nth += 1;
      // Within the limits of every address, also where a replica grants its share only.
      await call(url, from(`10.${nth & 255}.${(nth >> 8) & 255}.1`), 1, null);
      await Bun.sleep(pauseMilliseconds);
    }
  };
  const loops = urls.flatMap((url) => [
    ...keys.map((key) => keyed(url, key)),
    ...(strangers ? [stranger(url)] : []),
  ]);
  // A connection that breaks ends its caller; the caller that stops the load gets the fault.
  const ended = Promise.allSettled(loops);
  return {
    answered,
    /** Answers since the last reading, or the start. */
    sinceLast: () => {
      const fresh = answered.slice(seen);
      seen = answered.length;
      return fresh;
    },
    /** Rejects with the first connection that broke. */
    stop: async () => {
      stopped = true;
      for (const end of await ended) if (end.status === "rejected") throw end.reason;
    },
  };
}

/** `key 200`, `key 503 auth_unavailable`, `stranger 200` and the like. */
export const outcomeOf = ({ who, status, code }: Answered) => `${who} ${status} ${code ?? ""}`.trim();

export const outcomesOf = (answered: readonly Answered[]) => [...new Set(answered.map(outcomeOf))].sort();

/** Calls that were served to keys, as usage counts them. */
export function servedToKeys(answered: readonly Answered[]) {
  const served = answered.filter(({ who, status }) => who === "key" && status === 200);
  return { served: served.length, calls: served.reduce((sum, { cost }) => sum + cost, 0) };
}

/** Today's usage in the ledger, of several organizations together. */
export async function usageInLedger(
  { crossrate }: Replica,
  clock: { now(): number },
  organizationIds: readonly string[],
) {
  const ledger = crossrate.accounts?.ledger;
  if (ledger === undefined) throw new Error("this server has no accounts");
  const today = dayAt(clock.now());
  const owners = await Promise.all(organizationIds.map((id) => ledger.organizations.byId(id)));
  const month = monthOf(firstDayOfMonth(today));
  const months = await Promise.all(owners.map((org) => ledger.usage.monthCalls(month, org?.ownerId ?? "")));
  const days = (await Promise.all(organizationIds.map((id) => ledger.usage.days(id, today, today)))).flat();
  return {
    served: days.reduce((sum, { served }) => sum + served, 0),
    rateLimited: days.reduce((sum, { rateLimited }) => sum + rateLimited, 0),
    calls: months.reduce((sum, calls) => sum + calls, 0),
  };
}
