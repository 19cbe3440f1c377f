/** One run: from a seed, steps chosen by weight and taken until the product and the model disagree, or to the end. */

import { seededRandom } from "#test/support/seeded-random.ts";
import { account, closeAccount, consent, usageDaily } from "./account.ts";
import { callByKey, callByStranger, callByUnknownKey, callForHistory, callRefused } from "./calls.ts";
import { passTime, toAnEdge } from "./clock.ts";
import { pick, type RunContext } from "./context.ts";
import { end } from "./ending.ts";
import { provision, revokeKeys, rotateKey } from "./keys.ts";
import { currentKey, type Key, type Org, type Person, type Plans } from "./model.ts";
import { checkout, deliver, deliverAll, forge, manage, pay, purchase } from "./money.ts";
import { endKey, giveTier, suspend } from "./operator.ts";
import { signIn, signOut, signUp } from "./people.ts";
import { openWorld, type Shared } from "./world.ts";

const DEFAULTS: Plans = {
  anonymous: { minute: 12, hour: 100 },
  free: { minute: 12, month: 10_000 },
  basic: { minute: 120, month: 100_000 },
  plus: { minute: 250, month: 300_000 },
  pro: { minute: 500, month: 1_000_000 },
};
/** Months that are used up within a run. */
const NARROW: Plans = {
  anonymous: { minute: 5, hour: 12 },
  free: { minute: 6, month: 25 },
  basic: { minute: 9, month: 40 },
  plus: { minute: 15, month: 70 },
  pro: { minute: 20, month: 120 },
};

/** Of which no caller uses up anything. */
const WIDE: Plans = {
  anonymous: { minute: 100_000, hour: 100_000 },
  free: { minute: 100_001, month: 1_000_000 },
  basic: { minute: 100_002, month: 1_000_001 },
  plus: { minute: 100_003, month: 1_000_002 },
  pro: { minute: 100_004, month: 1_000_003 },
};

/** Resolves with what was done; rejects with it where the product and the model disagree. */
export async function runFrom(
  seed: number,
  length: number,
  shared: Shared | null = null,
): Promise<readonly string[]> {
  const random = seededRandom(seed);
  const own = random() < 0.7 ? NARROW : DEFAULTS;
  const plans = shared === null ? own : WIDE;
  const world = await openWorld(plans === DEFAULTS ? null : plans, shared, seededRandom(seed + 1));
  world.stripe.account.whenUncollected = pick({ random }, ["canceled", "unpaid", "past_due"]);
  const context: RunContext = {
    world,
    get now() {
      return world.clock.at;
    },
    random,
    plans,
    isExact: shared === null,
    tag: seed,
    people: [],
    addresses: ["203.0.113.7", "203.0.113.8", "203.0.113.9"],
    strangers: new Map(),
    dealtWith: new Set(),
    secrets: new Set(),
    attempts: new Map(),
    audit: new Map(),
  };
  const log: string[] = [];
  // Some runs are about buying, some about calling.
  const state: Mood = { allKeys: [], money: random() < 0.5 ? 3 : 0.5 };
  try {
    for (let nth = 1; nth <= length; nth++) {
      const [name, step] = choose(context, state);
      log.push(name);
      log[log.length - 1] = `${nth}. ${name}: ${await step()}`;
      await world.settle();
    }
    await end(context, (line) => log.push(line));
    return log;
  } catch (fault) {
    throw new Error(`seed ${seed}, after these steps: ${fault}\n${log.join("\n")}`, { cause: fault });
  } finally {
    await world.close();
  }
}

function isSignedIn({ now }: RunContext, { sessions }: Person): boolean {
  return now < ([...sessions.values()].at(-1) ?? 0);
}

interface Mood {
  readonly allKeys: (readonly [Org, Key])[];
  readonly money: number;
}

type Step = readonly [name: string, take: () => Promise<string>];

function choose(context: RunContext, state: Mood): Step {
  const { random, people, world } = context;
  if (people.length === 0) return ["sign-up", () => signUp(context)];
  const person: Person = pick(context, people);
  const { org } = person;
  for (const key of org?.keys ?? [])
    if (org !== null && !state.allKeys.some(([, known]) => known === key)) state.allKeys.push([org, key]);
  const cost = random() < 0.5 ? 1 : 1 + Math.floor(random() * 8);
  const { money } = state;
  const away = random() < 0.01;
  const outOfOrder = (work: (isAway: boolean) => Promise<string>) => async () => {
    if (away) world.stripe.outage({ kind: "error" });
    try {
      return `${await work(away)}${away ? ", the provider is away" : ""}`;
    } finally {
      world.stripe.recover();
    }
  };
  const weighted: (readonly [weight: number, ...step: Step])[] = [
    [people.length < 4 ? 2 : 0, "sign-up", () => signUp(context)],
    [isSignedIn(context, person) ? 1 : 15, `sign-in of ${person.email}`, () => signIn(context, person)],
    [1, `sign-out of ${person.email}`, () => signOut(context, person)],
    [
      org === null || currentKey(org) === null ? 15 : 1,
      `provision for ${person.email}`,
      () => provision(context, person),
    ],
    [6, `account of ${person.email}`, () => account(context, person)],
    [3, `usage of ${person.email}`, () => usageDaily(context, person)],
    [3, `rotate for ${person.email}`, () => rotateKey(context, person)],
    [1, `revoke for ${person.email}`, () => revokeKeys(context, person)],
    [2, `consent of ${person.email}`, () => consent(context, person)],
    [1, `delete ${person.email}`, outOfOrder((isAway) => closeAccount(context, person, isAway))],
    [money * 3, `purchase by ${person.email}`, () => purchase(context, person)],
    [money * 5, `checkout by ${person.email}`, outOfOrder((isAway) => checkout(context, person, isAway))],
    [money * 4, "page", () => pay(context)],
    [money * 6, "portal", () => manage(context)],
    [money * 6, "notice", outOfOrder((isAway) => deliver(context, isAway))],
    [money * 3, "all notices", () => deliverAll(context)],
    [0.5, "forged notice", () => forge(context)],
    [8, "time", () => passTime(context)],
    [3, "edge", () => toAnEdge(context)],
    [5, "call without a key", () => callByStranger(context, pick(context, context.addresses), cost)],
    [1, "call with an unknown key", () => callByUnknownKey(context)],
    [1, "restart", async () => restart(context)],
    [1, "flush", async () => flush(context)],
  ];
  if (org !== null) {
    weighted.push(
      [1, `tier for ${person.email}`, () => giveTier(context, org)],
      [org.suspended ? 3 : 0.5, `status of ${person.email}`, () => suspend(context, org)],
      [1, `operator ends a key of ${person.email}`, () => endKey(context, org)],
    );
  }
  if (state.allKeys.length > 0) {
    const current = state.allKeys.filter(([, { endsAt }]) => endsAt > context.now);
    const isGood = random() < 0.85 && current.length > 0;
    const [owner, key] = pick(context, isGood ? current : state.allKeys);
    const living = people.some((one) => one.org === owner) ? owner : null;
    weighted.push([
      22,
      `call by ${owner.owner.email}, cost ${cost}`,
      () => callByKey(context, living, key, cost),
    ]);
    if (living !== null)
      weighted.push(
        [3, `call for history by ${owner.owner.email}`, () => callForHistory(context, living, key)],
        [3, `refused call by ${owner.owner.email}`, () => callRefused(context, living, key)],
      );
  }
  const total = weighted.reduce((sum, [weight]) => sum + weight, 0);
  let at = random() * total;
  for (const [weight, name, step] of weighted) {
    at -= weight;
    if (at < 0) return [name, step];
  }
  throw new Error("no step was chosen");
}

async function restart(context: RunContext): Promise<string> {
  await context.world.restart();
  context.strangers.clear();
  if (context.isExact) context.attempts.clear();
  for (const { windows } of context.people) windows.forget();
  return "done";
}

async function flush({ world }: RunContext): Promise<string> {
  await world.replica().crossrate.accounts?.usage.flush();
  return "done";
}
