/** The list of live feeds, in the order of FEEDS. A new feed is one file, one id and one line here. */

import type { FeedId } from "#domain/live/live-quote.ts";
import type { Feed } from "#ports.ts";
import { COINBASE } from "./coinbase.ts";
import { type MassivePlan, massiveFeed } from "./massive.ts";
import { type OandaAccount, oandaFeed } from "./oanda.ts";
import { type OxrPlan, oxrFeed } from "./oxr.ts";
import { type TwelveDataPlan, twelveDataFeed } from "./twelve-data.ts";

export interface FeedAccess {
  readonly oxr: OxrPlan | null;
  readonly massive: MassivePlan | null;
  readonly twelvedata: TwelveDataPlan | null;
  readonly oanda: OandaAccount | null;
}

/** The feed; null when it needs a key and has no key. */
export function liveFeed(id: FeedId, access: FeedAccess): Feed | null {
  switch (id) {
    case "coinbase":
      return COINBASE;
    case "oxr":
      return access.oxr && oxrFeed(access.oxr);
    case "massive":
      return access.massive && massiveFeed(access.massive);
    case "twelvedata":
      return access.twelvedata && twelveDataFeed(access.twelvedata);
    case "oanda":
      return access.oanda && oandaFeed(access.oanda);
  }
}
