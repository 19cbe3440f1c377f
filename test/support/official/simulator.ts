/** The demo's simulator with every official authority, and a feed with bid and ask: what the tests collect from. */

import { type SimulatorOptions, startSimulator } from "#demo/simulator.ts";
import { massive } from "#test/support/massive.ts";
import { bazg } from "./bazg.ts";
import { bnr } from "./bnr.ts";
import { boc } from "./boc.ts";
import { cnbApi } from "./cnb.ts";
import { dofPage } from "./dof.ts";
import { hmrc } from "./hmrc.ts";
import { mnb } from "./mnb.ts";
import { nbp } from "./nbp.ts";
import { tcmb } from "./tcmb.ts";
import { treasury } from "./treasury.ts";
import { trm } from "./trm.ts";

const HOSTS = {
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
};

export function startFullSimulator(options: Omit<SimulatorOptions, "hosts">) {
  return startSimulator({ ...options, hosts: HOSTS });
}
