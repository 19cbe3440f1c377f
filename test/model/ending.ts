/** The end of a run: all pending work is done, and the ledger, read again, must agree with all that the model counted. */

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join as pathOf } from "node:path";
import { account, usageDaily } from "./account.ts";
import { Disagreement, demand, type RunContext } from "./context.ts";
import { accountStatus } from "./model.ts";
import { deliverAll } from "./money.ts";
import { tierOf } from "./operator.ts";
import { signIn } from "./people.ts";

export async function end(context: RunContext, log: (line: string) => void): Promise<void> {
  const { world, people } = context;
  log(`notices: ${await deliverAll(context)}`);
  log("restarted");
  await world.settle();
  await world.restart();
  for (const person of people) {
    const sure = view(context, () => 0.99);
    if (context.isExact) context.attempts.clear();
    await world.pass(1000);
    log(`${person.email}: ${await signIn(sure, person)}`);
    await account(sure, person);
    await usageDaily(sure, person, 90);
    if (person.org !== null)
      await operatorsView(context, person.org.id, accountStatus(person.org, context.now));
  }
  await auditOf(context);
  await world.close();
  inTheClear(context);
}

/** The same run with other chances. */
function view(context: RunContext, random: () => number): RunContext {
  return Object.create(context, { random: { value: random } }) as RunContext;
}

async function operatorsView(context: RunContext, id: string, wanted: { tier: string; status: string }) {
  demand("the operator's view", await tierOf(context, id), wanted.tier);
}

/** Each change of state is there as often as it was made, and each tier as it was left. */
async function auditOf(context: RunContext): Promise<void> {
  const ledger = context.world.ledger();
  const found = new Map<string, number>();
  for (const { action, subject } of await ledger.audit.list({}, 10_000))
    for (const name of [action, `${action} ${subject}`]) found.set(name, (found.get(name) ?? 0) + 1);
  for (const [entry, times] of context.audit) demand(`audit: ${entry}`, found.get(entry) ?? 0, times);
  for (const { org } of context.people) {
    if (org === null) continue;
    const entries = await ledger.audit.list({ subject: `organization:${org.id}` }, 10_000);
    let tier: unknown = "free";
    for (const { action, detail } of entries.toReversed()) {
      if (action !== "organization.changed" || detail["tier"] === undefined) continue;
      demand("audit: tier before", detail["tierBefore"], tier);
      tier = detail["tier"];
    }
    demand("audit: the last tier", tier, (await ledger.organizations.byId(org.id))?.tier);
  }
}

function inTheClear({ world, secrets }: RunContext): void {
  for (const name of readdirSync(world.dataDir)) {
    const path = pathOf(world.dataDir, name);
    if (!statSync(path).isFile() || !name.includes("ledger")) continue;
    const bytes = readFileSync(path);
    for (const secret of secrets)
      if (bytes.includes(secret))
        throw new Disagreement(`${name} holds ${secret.slice(0, 12)}… in the clear`);
  }
}
