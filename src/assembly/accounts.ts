/** The accounts of a server: ledger, vault, limits, who may sign in, what is sold, webhooks; and the operators' tools. */

import { join } from "node:path";
import { type OperatorDeps, operatorTools } from "#accounts/account/operator-tools.ts";
import { openBillingNotices } from "#accounts/billing/notice.ts";
import { comparePrices, reconcileBilling, reconcileIfDue } from "#accounts/billing/reconcile.ts";
import { openBackgroundTasks } from "#accounts/identity/links.ts";
import { openLastUsed, sessionCaller } from "#accounts/identity/sessions.ts";
import { openKeyDirectory } from "#accounts/keys/authenticate.ts";
import { openAdmitter } from "#accounts/limits/admit.ts";
import { mailQuotas } from "#accounts/limits/quota-mail.ts";
import { openUsageMeter } from "#accounts/limits/usage-meter.ts";
import { openMeter } from "#api/request/metering.ts";
import type { Config } from "#config.ts";
import { monthOf, tierInForce } from "#domain/account/organization.ts";
import { endpointLimitsOf, type Plans } from "#domain/billing/plan.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import { type Day, dayAt } from "#domain/time/day.ts";
import { openCookies } from "#gateways/cookies.ts";
import { openPasswords } from "#gateways/passwords.ts";
import type { OperatorServer } from "#operate/server.ts";
import type { MonthUsed } from "#ports/ledger.ts";
import type { Clock, CollectionReview, FigureReview } from "#ports.ts";
import type { ClockWatch } from "#sources/fetch/clock-watch.ts";
import { memoryAttempts } from "#store/memory/attempts/attempts.ts";
import type { Count, Emit } from "#telemetry.ts";
import { notifyWorker, startDeliveries } from "#webhooks/deliver.ts";
import {
  billingOf,
  compareClocks,
  countersOf,
  mailOf,
  openAccountLedger,
  plansOf,
  providerOf,
  publicUrlOf,
  webhookPostOf,
} from "./ledger.ts";
import { every, failedJob, later, newId, systemRandom } from "./process.ts";

export interface AccountOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly callerOf: (request: Request) => string;
  readonly caches: CacheBudget;
  readonly counted: { readonly count: Count; open(isSelling: boolean): void } | null;
  readonly figures: FigureReview;
  readonly collections: CollectionReview;
  readonly watch: ClockWatch;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const QUOTA_MAIL_MILLISECONDS = 5 * MINUTE;
/** How long rows are kept. Owners ask about sessions, links and deliveries; a batch may be sent again after an outage. */
const KEPT = { sessions: 90 * DAY, tokens: 30 * DAY, batches: DAY, deliveries: 30 * DAY };

/** Rejects with ConfigFault, as `openAccountLedger`, or as `adminOf`. */
export async function openAccounts(options: AccountOptions) {
  const { config, clock, emit, callerOf, caches, counted, figures, collections, watch } = options;
  const { accounts: settings } = config;
  const publicUrl = publicUrlOf(config);
  const plans = await plansOf(config);
  const { ledger: opened, vault } = await openAccountLedger(config, clock, emit, endpointLimitsOf(plans));
  const random = systemRandom;

  const count: Count = counted?.count ?? (() => {});
  counted?.open(settings.stripe !== null);
  // Before the first delivery: a worker with a wrong clock makes none.
  await compareClocks(config, opened, watch);
  const deliveries = startDeliveries({
    ...{ outbox: opened.outbox, vault, random, clock, emit, count, every, later },
    clockAhead: () => watch.verdict().ahead,
    post: webhookPostOf(config),
    newWorker: () => newId("wrk_"),
  });
  const ledger = {
    ...opened,
    // Events queued through this outbox are sent at once.
    outbox: notifyWorker(opened.outbox, deliveries.wake),
  };

  const newBatchId = () => newId("bat_");
  const usage = openUsageMeter({ usage: ledger.usage, clock, emit, newBatchId, later });
  const monthUsed: MonthUsed = (ownerId, month) =>
    usage.read(async () => {
      const written = await ledger.usage.monthCalls(monthOf(month), ownerId);
      return written + usage.pendingCalls(ownerId, month);
    });
  const counters = await countersOf(config, { clock, emit, monthUsed });
  const keys = openKeyDirectory({ keys: ledger.keys, vault, clock, caches, count });
  const attempts = memoryAttempts({ replicas: config.accounts.replicas });
  const { forget: forgetKeys } = keys;
  const lastUsed = openLastUsed(ledger.keys);
  const upgradeUrl = `${publicUrl}/pricing`;
  const admitter = openAdmitter({ keys, counters, plans, usage, lastUsed, clock, upgradeUrl, count });

  const cookies = openCookies(publicUrl);
  const seen = openLastUsed(ledger.sessions);
  const backgroundTasks = openBackgroundTasks(emit, later);
  const { bearers, provider } = await providerOf(config, publicUrl, vault, clock);
  const identity = {
    ...{ ledger, random, cookies, bearers, provider, seen, clock, attempts, publicUrl, emit, count },
    passwords: openPasswords(),
    devices: { cookie: cookies.device, hide: vault.lookup },
    mail: mailOf(config),
    inBackground: backgroundTasks.run,
  };
  const callerOfSession = (credentials: Parameters<typeof sessionCaller>[1]) =>
    sessionCaller(identity, credentials);

  const billing = billingOf(config, count);
  const account = {
    ...{ ledger, vault, billing, forgetKeys, attempts, monthUsed, plans, random, clock, emit },
    usageDays: (organizationId: string, first: Day, last: Day) =>
      usage.read(async () => {
        const written = await ledger.usage.days(organizationId, first, last);
        return [...written, ...usage.pending(organizationId)];
      }),
    policy: settings.policy,
    sessionCaller: callerOfSession,
  };
  const notices = { ledger, billing, forgetKeys, clock, emit, count };
  const selling = {
    ...{ ledger, billing, plans, attempts, publicUrl, clock, emit, keys },
    sessionCaller: callerOfSession,
    notices: openBillingNotices(notices),
  };
  const webhooks = {
    ...{ ledger, vault, attempts, plans, random, clock },
    allowPrivate: settings.webhooks.allowPrivate,
    sessionCaller: callerOfSession,
  };

  const stopBeat = every(MINUTE, () => {
    void lastUsed.flush();
    void seen.flush();
  });
  const prune = async () => {
    const now = clock.now();
    await ledger.sessions.prune(now - KEPT.sessions);
    await ledger.tokens.prune(now - KEPT.tokens);
    // Without mail nobody confirms an address.
    if (identity.mail.configured) await ledger.identities.prune(now - KEPT.tokens);
    await ledger.usage.pruneBatches(now - KEPT.batches);
    await ledger.usage.pruneMonths(monthOf(dayAt(now)));
    await ledger.outbox.prune(now - KEPT.deliveries);
  };
  const close = async () => {
    stopBeat();
    await Promise.all([backgroundTasks.settled(), deliveries.close()]);
    await usage.close();
    await Promise.all([lastUsed.flush(), seen.flush()]);
    await counters.close();
    await ledger.close();
  };
  const operators = { ledger, vault, random, publicUrl, clock, forgetKeys, plans, figures, collections };
  const admin = await adminOf(config, operators, emit).catch(async (fault: unknown) => {
    await close();
    throw fault;
  });

  const kind = settings.databaseUrl === null ? ("sqlite" as const) : ("postgres" as const);
  return {
    ...{ ledger, identity, account, billing, counters, usage, webhooks },
    kind,
    routes: {
      ...{ account, identity, billing: selling, webhooks },
      meter: openMeter({ admitter, callerOf }),
      accounts: { kind, probe: ledger.probe, limits: counters.state },
      // A visitor sees what a caller without a key is served.
      pageDelayMinutes: plans.anonymous.live_delay_minutes,
    },
    /** Prunes old rows and reconciles billing, each hour: one process is enough. The returned function stops it. */
    startUpkeep: (isClockProven: () => boolean) => {
      comparePrices({ billing, plans, emit }).catch(failedJob(emit, "billing-prices"));
      reconcileIfDue(notices).catch(failedJob(emit, "billing-reconcile"));
      return every(HOUR, () => {
        if (isClockProven()) prune().catch(failedJob(emit, "ledger-prune"));
        reconcileBilling(notices).catch(failedJob(emit, "billing-reconcile"));
      });
    },
    /** Mails owners about their quotas, every few minutes in one process. The returned function stops it. */
    startQuotaMails: () =>
      every(QUOTA_MAIL_MILLISECONDS, () => {
        mailQuotas({ ...identity, plans, monthUsed }).catch(failedJob(emit, "quota-mail"));
      }),
    /** No further delivery attempt begins. */
    stopDelivering: deliveries.stop,
    close: async () => {
      await admin?.stop();
      await close();
    },
  };
}

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/** The operators' tools for the commands, without a server. Rejects with ConfigFault, or when the ledger cannot be used. */
export async function openAccountTools(config: Config, clock: Clock, emit: Emit) {
  const publicUrl = publicUrlOf(config);
  const { ledger, vault } = await openAccountLedger(config, clock, emit);
  return operatorTools({ ledger, vault, random: systemRandom, publicUrl, clock });
}

/** The operators' listener; null where no port is set. Rejects when the port is taken, or the token cannot be stored safely. */
async function adminOf(
  { accounts: { admin }, dataDir }: Config,
  deps: OperatorDeps & { readonly plans: Plans } & Pick<AccountOptions, "figures" | "collections">,
  emit: Emit,
): Promise<OperatorServer | null> {
  if (admin === null) return null;
  const { startOperatorServer } = await import("#operate/server.ts");
  return await startOperatorServer({
    ...admin,
    tokenPath: join(dataDir, "secrets", "admin.token"),
    tools: {
      ...operatorTools(deps),
      quotaOf: (organization) => deps.plans[tierInForce(organization, deps.clock.now())].month,
    },
    figures: deps.figures,
    collections: deps.collections,
    random: systemRandom,
    emit,
  });
}
