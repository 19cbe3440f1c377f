/** Connects the accounts side: ledger, vault, limits, who may sign in, what is sold; and the meter of data requests. */

import { openBillingNotices } from "#accounts/billing/notice.ts";
import { reconcileBilling } from "#accounts/billing/reconcile.ts";
import { openLastUsed } from "#accounts/identity/last-used.ts";
import { openBackgroundTasks } from "#accounts/identity/mail.ts";
import { sessionCaller } from "#accounts/identity/session-caller.ts";
import { openKeyDirectory } from "#accounts/keys/authenticate.ts";
import { openAdmitter } from "#accounts/limits/admit.ts";
import { openUsageMeter } from "#accounts/limits/usage-meter.ts";
import { openMeter } from "#api/request/metering.ts";
import { every, later } from "#assembly/timers.ts";
import type { Config } from "#config.ts";
import { monthOf } from "#domain/account/usage-day.ts";
import { endpointLimitsOf } from "#domain/billing/plan.ts";
import type { CacheBudget } from "#domain/cache/budget.ts";
import { clientAddress } from "#domain/net/client-address.ts";
import { dayAt } from "#domain/time/day.ts";
import { openCookies } from "#gateways/cookies.ts";
import { openPasswords } from "#gateways/passwords.ts";
import { systemRandom } from "#gateways/random.ts";
import { openTokens } from "#gateways/tokens.ts";
import type { Watch } from "#metrics/watch.ts";
import type { Counters, MonthUsed } from "#ports/counters.ts";
import type { FigureReview } from "#ports/figure-review.ts";
import type { Clock } from "#ports.ts";
import { memoryCounters } from "#store/memory/limits/counters.ts";
import type { Emit } from "#telemetry.ts";
import { openAccountLedger } from "./ledger.ts";
import { UNWATCHED } from "./metrics.ts";
import { adminOf } from "./operators.ts";
import { billingOf, mailOf, newAccountId, plansOf, providerOf, publicUrlOf } from "./parts.ts";
import { sharedOf } from "./shared.ts";
import { openDelivering } from "./webhooks.ts";

export interface AccountOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly emit: Emit;
  /** The address of the other end of a request's connection. */
  readonly peerOf: (request: Request) => string;
  /** Bounds what is cached. */
  readonly caches: CacheBudget;
  /** What metrics count at the ports; nothing where there are none. */
  readonly watch?: Watch;
  /** What operators decide on besides accounts. */
  readonly figures?: FigureReview;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Ended sessions, used links and deliveries are kept for their owner's questions, batch ids for as long as a batch is repeated: an outage. */
const KEPT = { sessions: 90 * DAY, tokens: 30 * DAY, batches: DAY, deliveries: 30 * DAY };

/** Rejects with ConfigFault, as `openAccountLedger`, or as `adminOf`. */
export async function openAccounts(options: AccountOptions) {
  const { config, clock, emit, peerOf, caches, watch = UNWATCHED, figures = null } = options;
  const { accounts: settings } = config;
  const publicUrl = publicUrlOf(config);
  const plans = await plansOf(config);
  const { ledger: opened, vault } = await openAccountLedger(config, clock, emit, endpointLimitsOf(plans));
  const delivering = openDelivering(config, { ledger: opened, vault, clock, emit, watch });
  const ledger = {
    ...opened,
    billingEvents: watch.notices(opened.billingEvents),
    outbox: delivering.outbox,
  };
  const newBatchId = () => newAccountId("bat_");
  const usage = openUsageMeter({ usage: ledger.usage, clock, emit, newBatchId, later });
  const monthUsed: MonthUsed = async (ownerId, month) =>
    (await ledger.usage.monthCalls(monthOf(month), ownerId)) + usage.pendingCalls(ownerId, month);
  const counters = watch.limits(await countersOf(config, { clock, emit, monthUsed }));
  const keys = watch.keys(openKeyDirectory({ keys: ledger.keys, vault, clock, caches }));
  const shared = await sharedOf(config, vault, keys.forget, emit);
  const { attempts, keyNews } = shared;
  const lastUsed = openLastUsed(ledger.keys);
  const upgradeUrl = `${publicUrl}/pricing`;
  const admitter = openAdmitter({ keys, counters, plans, usage, lastUsed, clock, upgradeUrl });
  const addressOf = (request: Request) =>
    clientAddress(peerOf(request), request.headers.get("x-forwarded-for"), settings.trustedProxies);

  const tokens = openTokens(systemRandom);
  const cookies = openCookies(publicUrl);
  const seen = openLastUsed(ledger.sessions);
  const backgroundTasks = openBackgroundTasks(emit, later);
  const { bearers, provider } = await providerOf(config, publicUrl, vault, clock);
  const identity = {
    ledger,
    tokens,
    cookies,
    bearers,
    provider,
    seen,
    clock,
    passwords: openPasswords(),
    attempts,
    // Under the pepper; no API key begins like what is hashed there.
    devices: { cookie: cookies.device, hide: vault.lookup },
    mail: watch.mail(mailOf(config)),
    publicUrl,
    inBackground: backgroundTasks.run,
    emit,
  };
  const billing = watch.billing(billingOf(config));
  const account = {
    ledger,
    vault,
    billing,
    keyNews,
    attempts,
    pendingUsage: usage.pending,
    monthUsed,
    plans,
    random: systemRandom,
    clock,
    emit,
    policy: settings.policy,
    sessionCaller: (credentials: Parameters<typeof sessionCaller>[1]) => sessionCaller(identity, credentials),
  };
  const notices = {
    ledger,
    billing,
    keyNews,
    clock,
    emit,
    replica: newAccountId("rep_"),
    pause: (milliseconds: number) => Bun.sleep(milliseconds),
  };
  const selling = {
    ledger,
    billing,
    attempts,
    publicUrl,
    clock,
    emit,
    keys,
    sessionCaller: account.sessionCaller,
    notices: openBillingNotices(notices),
  };
  const webhooks = {
    ledger,
    vault,
    attempts,
    plans,
    allowPrivate: settings.webhooks.allowPrivate,
    random: systemRandom,
    clock,
    sessionCaller: account.sessionCaller,
  };
  const stopBeat = every(MINUTE, () => {
    void lastUsed.flush();
    void seen.flush();
  });
  const prune = async () => {
    const now = clock.now();
    await ledger.sessions.prune(now - KEPT.sessions);
    await ledger.tokens.prune(now - KEPT.tokens);
    await ledger.usage.pruneBatches(now - KEPT.batches);
    await ledger.usage.pruneCarried(monthOf(dayAt(now)));
    await ledger.outbox.prune(now - KEPT.deliveries);
  };
  const failed = (job: string) => (fault: unknown) =>
    emit({ kind: "job_failed", job, error: fault instanceof Error ? fault.message : String(fault) });

  const close = async () => {
    stopBeat();
    await Promise.all([backgroundTasks.settled(), delivering.close()]);
    await usage.close();
    await Promise.all([lastUsed.flush(), seen.flush()]);
    await Promise.all([counters.close(), shared.close()]);
    await ledger.close();
  };
  const admin = await adminOf(
    config,
    { ledger, vault, tokens, publicUrl, clock, keyNews, plans, figures },
    emit,
  ).catch(async (fault: unknown) => {
    await close();
    throw fault;
  });

  return {
    ledger,
    vault,
    keyNews,
    identity,
    account,
    billing,
    counters,
    usage,
    publicUrl,
    plans,
    meter: openMeter({ admitter, addressOf }),
    addressOf,
    selling,
    webhooks,
    /** Forgets what is old and compares billing with its provider, each hour: one process is enough. The returned function stops it. */
    startUpkeep: () =>
      every(HOUR, () => {
        prune().catch(failed("ledger-prune"));
        reconcileBilling(notices).catch(failed("billing-reconcile"));
      }),
    /** Events are sent by every process; from now on none is begun any more. */
    stopDelivering: delivering.stop,
    /** Which database the ledger is in. */
    kind: settings.databaseUrl === null ? ("sqlite" as const) : ("postgres" as const),
    close: async () => {
      await admin?.stop();
      await close();
    },
  };
}

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/** Shared where live quotes are: one Redis for both. The library is loaded only then. */
async function countersOf(
  { redisUrl, accounts: { replicas, limitLeases: leases } }: Config,
  deps: { readonly clock: Clock; readonly emit: Emit; readonly monthUsed: MonthUsed },
): Promise<Counters> {
  if (redisUrl === null) return memoryCounters(deps);
  const { openRedisCounters } = await import("#store/redis/limits/counters.ts");
  return openRedisCounters({ ...deps, later, url: redisUrl, replicas, leases });
}
