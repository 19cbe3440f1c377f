/** The list of official tables. A new table is one file and one line here. */

import type { OfficialTable } from "#domain/official/publication.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import { CHE_DAILY } from "./bazg.ts";
import { ROU_REFERENCE } from "./bnr.ts";
import { CAN_DAILY } from "./boc.ts";
import { CZE_FIXING } from "./cnb.ts";
import { EUE_CUSTOMS, EUE_REFERENCE } from "./eu.ts";
import { GBR_MONTHLY } from "./hmrc.ts";
import { banxicoAdapters, MEX_DOF, MEX_FIX, MEX_SETTLEMENT } from "./mexico.ts";
import { HUN_OFFICIAL } from "./mnb.ts";
import { POL_A, POL_B, POL_C } from "./nbp.ts";
import { TUR_INDICATIVE } from "./tcmb.ts";
import { USA_TREASURY } from "./treasury.ts";
import { COL_TRM } from "./trm.ts";

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
