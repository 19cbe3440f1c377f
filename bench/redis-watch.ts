/** What bench/redis-faults.ts looks at while Redis is broken: how far replicas are apart, what they say, what they use. */

import { readdirSync, readFileSync } from "node:fs";
import { liveRatesIn, type ReplicaProcess } from "#test/live-redis/replica-process.ts";

export const SAMPLE_MILLISECONDS = 50;

/** When the newest quote of a body of /v1/latest was observed. */
export function newest(text: string): number {
  return Math.max(...[...liveRatesIn(text).values()].map(({ effectiveAt }) => effectiveAt));
}

/** Largest difference of a currency's observation times, in seconds. */
export function lagBetween(one: string, other: string): number {
  const [first, second] = [liveRatesIn(one), liveRatesIn(other)];
  const differences = [...first].map(([code, { effectiveAt }]) =>
    Math.abs(effectiveAt - (second.get(code)?.effectiveAt ?? 0)),
  );
  return Math.max(...differences) / 1000;
}

/** Compares the replicas twenty times a second: for how long without a break they differed, and by how much at most. */
export function sampleApart([a, b]: readonly [ReplicaProcess, ReplicaProcess]) {
  let [longest, lag, stopped] = [0, 0, false];
  let since: number | null = null;
  const loop = (async () => {
    while (!stopped) {
      const at = performance.now();
      const texts = await Promise.all([a, b].map(async (one) => await (await one.latest()).text()));
      const difference = lagBetween(texts[0] ?? "", texts[1] ?? "");
      lag = Math.max(lag, difference);
      if (since !== null) longest = Math.max(longest, at - since);
      since = difference === 0 ? null : (since ?? at);
      await Bun.sleep(Math.max(0, SAMPLE_MILLISECONDS - (performance.now() - at)));
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await loop;
      return { longest, lag };
    },
  };
}

export interface Reported {
  /** Every detail that was given while the cache was degraded. */
  readonly details: ReadonlySet<string>;
  readonly readiness: string;
}

/** Asks /status twenty times a second; rejects when stopped if it ever was not a 200, or not degraded with its cache. */
export function watchStatus(replica: ReplicaProcess) {
  const details = new Set<string>();
  let stopped = false;
  const loop = (async () => {
    while (!stopped) {
      const { status, checks } = await replica.status();
      if (checks.cache.status === "degraded") {
        details.add(checks.cache.detail ?? "");
        if (status !== "degraded") throw new Error("/status is not degraded while its cache is");
      }
      await Bun.sleep(SAMPLE_MILLISECONDS);
    }
  })();
  return {
    stop: async (): Promise<Reported> => {
      stopped = true;
      await loop;
      return { details, readiness: details.size === 0 ? "ready" : `degraded, ${[...details].join(" / ")}` };
    },
  };
}

export interface Heavy {
  /** Ends it, and resolves with the answers, and with those that were not 2xx or broke off. */
  stop(): Promise<{ readonly answers: number; readonly failures: number }>;
}

/** As much as wrk can ask of each replica. */
export function heavyLoad(replicas: readonly ReplicaProcess[]): Heavy {
  const children = replicas.map(({ url }) =>
    Bun.spawn(["wrk", "-t1", "-c16", "-d600s", `${url}/v1/latest`], { stdout: "pipe", stderr: "ignore" }),
  );
  return {
    stop: async () => {
      let [answers, failures] = [0, 0];
      for (const child of children) {
        child.kill("SIGINT");
        const output = await new Response(child.stdout).text();
        answers += Number(/(\d+) requests in/.exec(output)?.[1]);
        failures += Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0);
        const broken = /connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1) ?? [];
        failures += broken.reduce((sum, count) => sum + Number(count), 0);
      }
      return { answers, failures };
    },
  };
}

/** What /status reports of the hot book. */
export function bookLines(replica: ReplicaProcess): readonly string[] {
  return replica.log().filter((line) => /hot book|Redis/i.test(line));
}

/** Open files, and resident memory. */
export function usage({ pid }: ReplicaProcess) {
  const resident = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return { files: readdirSync(`/proc/${pid}/fd`).length, megabytes: Math.round(Number(resident) / 1024) };
}
