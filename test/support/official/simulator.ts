/** The demo's simulator with every official authority, and a feed with bid and ask: what the tests collect from. */

import { DOF, FIX } from "#demo/mexico.ts";
import { type SimulatorOptions, startSimulator } from "#demo/simulator.ts";
import { massive } from "#test/support/massive.ts";
import { BAZG_TABLE, bazg } from "./bazg.ts";
import { BNR_TABLE, bnr } from "./bnr.ts";
import { BOC_TABLE, boc } from "./boc.ts";
import { CNB_TABLE, cnbApi } from "./cnb.ts";
import { dofPage } from "./dof.ts";
import { HMRC_TABLE, hmrc } from "./hmrc.ts";
import { MNB_TABLE, mnb } from "./mnb.ts";
import { NBP_TABLES, nbp } from "./nbp.ts";
import { TCMB_TABLE, tcmb } from "./tcmb.ts";
import { treasury } from "./treasury.ts";
import { TREASURY_TABLE } from "./treasury-entries.ts";
import { TRM_TABLE, trm } from "./trm.ts";

const AUTHORITIES = {
  hosts: {
    "api.massive.com": massive,
    "www.dof.gob.mx": dofPage,
    "api.nbp.pl": nbp,
    "api.cnb.cz": cnbApi,
    "curs.bnr.ro": bnr,
    "www.trade-tariff.service.gov.uk": hmrc,
    "www.backend-rates.bazg.admin.ch": bazg,
    "www.tcmb.gov.tr": tcmb,
    "api.fiscaldata.treasury.gov": treasury,
    "www.bankofcanada.ca": boc,
    "www.mnb.hu": mnb,
    "www.datos.gov.co": trm,
  },
  postHosts: new Set(["www.mnb.hu"]),
};

/** Every simulated table but those that repeat another's figures. */
export const TABLES = [
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
];

export function startFullSimulator(options: Omit<SimulatorOptions, "authorities">) {
  return startSimulator({ ...options, authorities: AUTHORITIES });
}
