/**
 * The list of sources: daily ones in the order of DAILY_SOURCES, live feeds in that of FEEDS, and official tables. A new source is one
 * file and one line here.
 */

import type { FeedId } from "#domain/live/live-quote.ts";
import type { OfficialTable } from "#domain/official/publication.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import type { DailyAdapter } from "#ports/upstream.ts";
import type { Feed } from "#ports.ts";
import { ECB } from "./ecb/ecb.ts";
import { fredAdapter } from "./fred/fred.ts";
import { COINBASE } from "./live/coinbase.ts";
import { type MassivePlan, massiveFeed } from "./live/massive.ts";
import { type OandaAccount, oandaFeed } from "./live/oanda.ts";
import { type OxrPlan, oxrFeed } from "./live/oxr.ts";
import { type TwelveDataPlan, twelveDataFeed } from "./live/twelve-data.ts";
import { CHE_DAILY } from "./official/bazg.ts";
import { ROU_REFERENCE } from "./official/bnr.ts";
import { CAN_DAILY } from "./official/boc.ts";
import { CZE_FIXING } from "./official/cnb.ts";
import { EUE_CUSTOMS, EUE_REFERENCE } from "./official/eu.ts";
import { GBR_MONTHLY } from "./official/hmrc.ts";
import { banxicoAdapters, MEX_DOF, MEX_FIX, MEX_SETTLEMENT } from "./official/mexico.ts";
import { HUN_OFFICIAL } from "./official/mnb.ts";
import { POL_A, POL_B, POL_C } from "./official/nbp.ts";
import { TUR_INDICATIVE } from "./official/tcmb.ts";
import { USA_TREASURY } from "./official/treasury.ts";
import { COL_TRM } from "./official/trm.ts";

/** Every daily adapter; `fredApiKey` null takes FRED's keyless download. */
export function dailyAdapters(credentials: { readonly fredApiKey: string | null }): readonly DailyAdapter[] {
  return [ECB, fredAdapter(credentials)];
}

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

/** Credentials that some authorities require; null where the operator has not set them. */
interface OfficialCredentials {
  readonly banxicoToken: string | null;
}

export function officialAdapters({ banxicoToken }: OfficialCredentials): readonly OfficialAdapter[] {
  return [
    ...(banxicoToken === null ? [] : banxicoAdapters(banxicoToken)),
    MEX_DOF,
    POL_A,
    POL_B,
    CZE_FIXING,
    ROU_REFERENCE,
    GBR_MONTHLY,
    CHE_DAILY,
    TUR_INDICATIVE,
    USA_TREASURY,
    CAN_DAILY,
    POL_C,
    HUN_OFFICIAL,
    COL_TRM,
    EUE_REFERENCE,
    EUE_CUSTOMS,
  ];
}

/** Tables that need credentials the operator has not set: a setting that names one fails with that reason, not as "unknown". */
export function tablesWithoutCredentials({ banxicoToken }: OfficialCredentials): readonly OfficialTable[] {
  return banxicoToken === null ? [MEX_FIX, MEX_SETTLEMENT] : [];
}
