/** The daily side as a server opens it on a directory: its upstreams are a simulator, or cannot be reached. */

import { openDaily } from "#assembly/daily.ts";
import { CacheBudget } from "#domain/cache/budget.ts";
import { atEnd } from "#test/support/at-end.ts";

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
