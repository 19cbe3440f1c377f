/** Requests the latest rates of replicas without a break and checks every answer against the guarantees that have no exception. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { type LiveRate, liveRatesIn, type ReplicaProcess } from "./replica-process.ts";

export interface WitnessOptions {
  /** Connections to each replica, each with one request at a time. */
  readonly connections: number;
  /** Between an answer and the next request. */
  readonly pauseMilliseconds: number;
}

const MOST_BROKEN = 20;
const PATIENCE_MILLISECONDS = 10_000;

export function startWitness(
  replicas: readonly ReplicaProcess[],
  { connections, pauseMilliseconds }: WitnessOptions = { connections: 1, pauseMilliseconds: 5 },
) {
  let statuses = new Map<number, number>();
  let [answers, slowest, stopped] = [0, 0, false];
  const broken: string[] = [];
  const rates = new Map<string, number>();
  const firstSeen = new Map<number, (number | undefined)[]>();
  const complain = (what: string) => {
    if (broken.length < MOST_BROKEN) broken.push(what);
  };

  const look = (place: number, before: ReadonlyMap<CurrencyCode, LiveRate>, text: string) => {
    const current = liveRatesIn(text);
    for (const [code, { rate, effectiveAt }] of current) {
      const known = rates.get(`${code} ${effectiveAt}`) ?? rate;
      if (known !== rate) complain(`${code} of ${effectiveAt} is ${known} and ${rate}`);
      rates.set(`${code} ${effectiveAt}`, rate);
    }
    for (const [code, { effectiveAt }] of before) {
      const now = current.get(code)?.effectiveAt;
      if (now === undefined || now < effectiveAt)
        complain(`replica ${place}: ${code} went from ${effectiveAt} to ${now}`);
    }
    const newest = Math.max(...[...current.values()].map(({ effectiveAt }) => effectiveAt));
    const seen = firstSeen.get(newest) ?? [];
    seen[place] ??= performance.now();
    firstSeen.set(newest, seen);
    return current;
  };

  const ask = async (replica: ReplicaProcess, place: number) => {
    // Of one connection, whose answers come in order.
    let before: ReadonlyMap<CurrencyCode, LiveRate> = new Map();
    let lastText = "";
    while (!stopped) {
      const began = performance.now();
      let status = 0;
      try {
        const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
        const answer = await fetch(`${replica.url}/v1/latest`, { signal });
        const text = await answer.text();
        status = answer.status;
        // Most answers equal the one before.
        if (status === 200 && text !== lastText) before = look(place, before, text);
        lastText = text;
      } catch (fault) {
        complain(`replica ${place}: ${fault}`);
      }
      answers += 1;
      slowest = Math.max(slowest, performance.now() - began);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await Bun.sleep(pauseMilliseconds);
    }
  };
  const loops = replicas.flatMap((replica, place) =>
    Array.from({ length: connections }, () => ask(replica, place)),
  );
  return {
    /** So far. */
    get answers() {
      return answers;
    },
    /** Milliseconds that the slowest answer took. */
    get slowest() {
      return slowest;
    },
    /** Answers by status; 0 is a connection that broke. */
    get statuses() {
      return statuses;
    },
    /** What must never be: a quote that went back in time, or one quote with two rates. At most twenty. */
    broken,
    /** When each instant of observation was first seen of each replica, in the order of the replicas. */
    firstSeen,
    /** Begins counting afresh; what has been seen of quotes stays. */
    restart: () => {
      statuses = new Map();
      [answers, slowest] = [0, 0];
    },
    stop: async () => {
      stopped = true;
      await Promise.all(loops);
    },
  };
}
