/** Waits for an observable state of replicas, never for a time. */

import type { CurrencyCode } from "#domain/currency/currency.ts";
import { type LiveRate, liveRatesIn, type ReplicaProcess } from "./replica-process.ts";

const GIVE_UP_MILLISECONDS = 10_000;

/** Resolves with the first answer that satisfies; rejects with the last one when none does for long. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T>,
  satisfied: (answer: T) => boolean,
): Promise<T> {
  const end = performance.now() + GIVE_UP_MILLISECONDS;
  for (;;) {
    const answer = await ask();
    if (satisfied(answer)) return answer;
    if (performance.now() > end)
      throw new Error(`waited in vain until ${what}; the last answer was ${JSON.stringify(answer)}`);
    await Bun.sleep(10);
  }
}

/** The live currencies that a replica serves now. */
export async function liveRatesOf(replica: ReplicaProcess): Promise<ReadonlyMap<CurrencyCode, LiveRate>> {
  return liveRatesIn(await (await replica.latest()).text());
}

/** When the newest quote that a replica serves was observed; -Infinity where none is live. */
export async function newestOf(replica: ReplicaProcess): Promise<number> {
  return Math.max(...[...(await liveRatesOf(replica)).values()].map(({ effectiveAt }) => effectiveAt));
}

/** All ready, and each serves what the first one serves now, or newer. */
export async function untilInStep(replicas: readonly ReplicaProcess[]): Promise<void> {
  const wanted = await newestOf(replicas[0] as ReplicaProcess);
  for (const replica of replicas) {
    await untilReady(replica);
    await untilServes(replica, wanted);
  }
}

export async function untilReady(replica: ReplicaProcess): Promise<void> {
  await eventually("it is ready", replica.status, ({ status }) => status === "ready");
}

/** The replica serves a quote of that time, or a newer one. */
export async function untilServes(replica: ReplicaProcess, wanted: number): Promise<void> {
  await eventually(
    `it shows ${wanted}`,
    () => newestOf(replica),
    (newest) => newest >= wanted,
  );
}

/** The cache is degraded, for a reason like this; resolves with /status. */
export function untilDegraded(replica: ReplicaProcess, reason = /^Redis: ./) {
  return eventually(
    `it is degraded, ${reason}`,
    replica.status,
    ({ checks }) => checks.cache.status === "degraded" && reason.test(checks.cache.detail ?? ""),
  );
}
