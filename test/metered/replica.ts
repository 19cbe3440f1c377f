/** A metered server in this process: wired and listening as the program is, on a clock in the test's hands. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { OrganizationPatch, Tier } from "#domain/account/organization.ts";
import { openProduct } from "#test/support/product.ts";
import { quickPasswords } from "#test/support/quick-passwords.ts";
import { until } from "#test/support/until.ts";
import { dataDirectory, NOON, type Reach } from "./history.ts";

export type TestClock = ReturnType<typeof fixedClock>;

export function fixedClock(at = NOON) {
  const clock = { at, now: () => clock.at };
  return clock;
}

/** As many seconds go by as in truth, and those that the test adds to `at`. */
export function runningClock(at = NOON): TestClock {
  const began = performance.now();
  const clock = { at, now: () => clock.at + Math.floor(performance.now() - began) };
  return clock;
}

export type Replica = Awaited<ReturnType<typeof openReplica>>;

export interface ReplicaOptions {
  /** By default one that has the daily rates of `reach`. */
  readonly dataDir?: string;
  readonly reach?: Reach;
  readonly clock: { now(): number };
  readonly settings?: Record<string, string>;
  readonly plans?: object;
  /** 0, the default, takes any free one. */
  readonly port?: number;
}

/** Settings of a file with these plans. */
export function plansIn(dataDir: string, plans: object): Record<string, string> {
  const file = join(dataDir, "plans.json");
  writeFileSync(file, JSON.stringify(plans));
  return { PLANS_FILE: file };
}

/** Answers from the lake that is there; collects nothing. It ends with the file, where no test ends it before. */
export async function openReplica({
  reach,
  clock,
  settings: given = {},
  plans,
  port = 0,
  ...options
}: ReplicaOptions) {
  const { dataDir = await dataDirectory(reach) } = options;
  const settings = { ...(plans === undefined ? {} : plansIn(dataDir, plans)), ...given };
  const environment = {
    ...{ DATA_DIR: dataDir, ACCESS: "metered", ROLE: "api", LIVE_FEED: "off" },
    ...{ CURSOR_SECRET: "a secret of these tests", TRUSTED_PROXIES: "127.0.0.0/8", ...settings },
  };
  const crossrate = await openProduct(environment, { now: () => clock.now(), simulated: false });
  const identity = crossrate.accounts?.identity;
  if (identity !== undefined) Object.assign(identity, { passwords: quickPasswords(identity.passwords) });
  const { url, close } = crossrate.listen(port);
  /** By the ledger itself, as the command line does it: no process is notified. */
  const change = async (organizationId: string, patch: OrganizationPatch) => {
    const by = { at: clock.now(), actor: "operator" } as const;
    await crossrate.accounts?.ledger.organizations.change(organizationId, patch, by);
  };
  return {
    url,
    emitted: crossrate.emitted,
    settings,
    crossrate,
    change,
    setTier: (organizationId: string, tier: Tier) => change(organizationId, { tier }),
    close,
  };
}

/** `degraded`: what replicas share is out of reach, and each counts its share. */
export async function untilLimits(wanted: "ok" | "degraded", replicas: readonly Replica[]): Promise<void> {
  for (const { crossrate } of replicas)
    await until(`limits are ${wanted}`, () => crossrate.accounts?.counters.state().status === wanted);
}
