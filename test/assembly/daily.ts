/** The daily side as a server opens it on a directory: its upstreams are a simulator, or cannot be reached. */

import { openDaily } from "#assembly/daily.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import { atEnd } from "#test/support/at-end.ts";
import { startFullSimulator } from "#test/support/official/simulator.ts";

/** The upstreams of the demo, and a clock in the test's hands. */
export async function simulatedWorld(start: number) {
  let now = start;
  const clock = { now: () => now };
  const simulator = await startFullSimulator({ now: clock.now });
  const later = (milliseconds: number) => {
    now += milliseconds;
  };
  return { clock, simulator, later };
}

type Options = Parameters<typeof openDaily>[0];

/** Closed when the tests of the file are over. */
export async function openedDaily(
  lakeDirectory: string,
  clock: Options["clock"],
  { base = "http://127.0.0.1:9", ...more }: Partial<Options> & { readonly base?: string } = {},
) {
  const daily = await openDaily({
    config: { fredApiKey: null, lakeRetentionDays: 7 },
    upstream: { clock, base, userAgent: "test", sleep: async () => {} },
    ...{ lakeDirectory, clock, simulated: true, emit: () => {}, caches: new CacheBudget(1_000_000), ...more },
  });
  atEnd(() => daily.lake.close());
  return daily;
}
