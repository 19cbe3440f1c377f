/** Finds faults of settings that only their readers can tell: keys, mail, providers, the table of plans, official tables. */

import { readFileSync } from "node:fs";
import type { SettingValues } from "#config.ts";
import { PlansFault, readPlans } from "#domain/billing/plan.ts";
import { publicUrlFaults } from "#gateways/cookies.ts";
import { smtpFaults } from "#gateways/mail/smtp.ts";
import { issuerFaults } from "#gateways/oidc/fetch.ts";
import { keyringFaults } from "#gateways/vault/keyring.ts";
import { readProxy } from "#gateways/webhook/proxy.ts";
import { tableFaults } from "./official.ts";

/** A setting that has a fault already is undefined. */
export function serverFaults(values: SettingValues): readonly string[] {
  const { ACCESS, PLANS_FILE, OFFICIAL_TABLES, BANXICO_TOKEN } = values;
  return [
    ...(ACCESS === "metered" ? accountFaults(values) : []),
    ...(PLANS_FILE == null ? [] : plansFaults(PLANS_FILE)),
    ...(OFFICIAL_TABLES === undefined || BANXICO_TOKEN === undefined
      ? []
      : tableFaults(OFFICIAL_TABLES, BANXICO_TOKEN)),
  ];
}

function accountFaults(values: SettingValues): readonly string[] {
  const { PUBLIC_URL, SMTP_URL, OIDC_ISSUER, WEBHOOK_EGRESS_PROXY } = values;
  const { MASTER_KEYS: masterKeys = null, KEY_PEPPER: keyPepper = null, MAIL_FROM: from = null } = values;
  const lacksReplicas = values.REDIS_URL != null && values.REPLICAS === null && values.ROLE !== "collector";
  return [
    ...(lacksReplicas
      ? [
          "REPLICAS: REDIS_URL needs it: the number of servers that answer; each grants its share of limits while Redis is away",
        ]
      : []),
    ...keyringFaults({ masterKeys, keyPepper }, values.NODE_ENV === "production"),
    ...(PUBLIC_URL == null ? [] : publicUrlFaults(PUBLIC_URL)),
    ...(SMTP_URL == null || from === null ? [] : smtpFaults({ url: SMTP_URL, from })),
    ...(OIDC_ISSUER == null ? [] : issuerFaults(OIDC_ISSUER)),
    ...(WEBHOOK_EGRESS_PROXY == null || readProxy(WEBHOOK_EGRESS_PROXY) !== null
      ? []
      : ["WEBHOOK_EGRESS_PROXY=…: http://[user:password@]host[:port] is needed"]),
  ];
}

function plansFaults(path: string): readonly string[] {
  try {
    readPlans(readFileSync(path, "utf8"));
    return [];
  } catch (fault) {
    const faults =
      fault instanceof PlansFault ? fault.faults : [`cannot be read (${(fault as Error).message})`];
    return faults.map((line) => `PLANS_FILE=${path}: ${line}`);
  }
}
