/** The hosts of the official authorities in the simulator, and the tables they make. */

import type { Upstream } from "#demo/request.ts";
import { banxico, FIX } from "./banxico.ts";
import { BAZG_TABLE, bazg } from "./bazg.ts";
import { BNR_TABLE, bnr } from "./bnr.ts";
import { BOC_TABLE, boc } from "./boc.ts";
import { CNB_TABLE, cnbApi, cnbText } from "./cnb.ts";
import { DOF, dofPage, sidof } from "./dof.ts";
import { HMRC_TABLE, hmrc } from "./hmrc.ts";
import { MNB_TABLE, mnb } from "./mnb.ts";
import { NBP_TABLES, nbp } from "./nbp.ts";
import type { SimulatedTable } from "./sheet.ts";
import { TCMB_TABLE, tcmb } from "./tcmb.ts";
import { TREASURY_TABLE } from "./treasury/entries.ts";
import { treasury } from "./treasury/treasury.ts";
import { TRM_TABLE, trm } from "./trm.ts";

export const OFFICIAL_HOSTS: Readonly<Record<string, Upstream>> = {
  "www.banxico.org.mx": banxico,
  "sidof.segob.gob.mx": sidof,
  "www.dof.gob.mx": dofPage,
  "api.nbp.pl": nbp,
  "api.cnb.cz": cnbApi,
  "www.cnb.cz": cnbText,
  "curs.bnr.ro": bnr,
  "www.trade-tariff.service.gov.uk": hmrc,
  "www.backend-rates.bazg.admin.ch": bazg,
  "www.tcmb.gov.tr": tcmb,
  "api.fiscaldata.treasury.gov": treasury,
  "www.bankofcanada.ca": boc,
  "www.mnb.hu": mnb,
  "www.datos.gov.co": trm,
};

/** By their ids in the catalogue of sources. The dollars of settlement are those of the FIX, and have its misprints. */
export const OFFICIAL_TABLES: ReadonlyMap<string, SimulatedTable> = new Map(
  [
    FIX,
    DOF,
    ...NBP_TABLES,
    CNB_TABLE,
    BNR_TABLE,
    HMRC_TABLE,
    BAZG_TABLE,
    TCMB_TABLE,
    TREASURY_TABLE,
    BOC_TABLE,
    MNB_TABLE,
    TRM_TABLE,
  ].map((table) => [table.id, table]),
);
