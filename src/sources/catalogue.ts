/** The list of daily sources, in the order of DAILY_SOURCES. A new source is one adapter and one line here. */

import type { DailyAdapter } from "#ports/upstream.ts";
import { ECB } from "./ecb/ecb.ts";
import { fredAdapter } from "./fred/fred.ts";

/** Every daily adapter; `fredApiKey` null takes FRED's keyless download. */
export function dailyAdapters(credentials: { readonly fredApiKey: string | null }): readonly DailyAdapter[] {
  return [ECB, fredAdapter(credentials)];
}
