/** `crossrate backfill`, `collect` and `admin official`: update the stores without serving, and show the state of official tables. */

import { type CommandContext, UsageFault } from "#cli/command.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import type { Window } from "#domain/intake/reading.ts";
import { formatDay, formatInstant } from "#domain/time/day.ts";
import { type LedgerOptions, type Opened, withProduct } from "./open-product.ts";

type Reach = Window["reach"];

/** Table ids begin with the letters of a country. Any other name is refused before a store is opened. */
const TABLE_ID = /^[a-z]{3}_[a-z0-9_]+$/;

export async function backfill(context: CommandContext, options: LedgerOptions, [word]: readonly string[]) {
  const work = word === "official" ? backfillOfficial : backfillDaily;
  return await withProduct(context, (crossrate) => work(crossrate, context), options);
}

async function backfillDaily(crossrate: Opened, { terminal }: CommandContext): Promise<number> {
  await crossrate.backfill(({ label, done, total }) => terminal.progress(label, done, total));
  const failed = crossrate.collector.states().filter(({ outcome }) => outcome === "failed");
  for (const { source, detail } of failed) terminal.complain(`${source} failed: ${detail}`);
  terminal.print(`${crossrate.dataset()?.history.observations.count ?? 0} observations in the lake`);
  return failed.length > 0 ? 1 : 0;
}

async function backfillOfficial(crossrate: Opened, { terminal }: CommandContext): Promise<number> {
  const official = await openedOfficial(crossrate);
  let failures = 0;
  for (const { id } of official.collected) {
    const reach = (await official.hasHistory(id)) ? "recent" : "history";
    const state = await official.collector.collect(id, reach, (done, total) =>
      terminal.progress(`${id} ${reach}`, done, total),
    );
    const isFailed = state.outcome === "failed";
    // A history that was read in part is stored, but must not count as complete.
    if (!isFailed && (await official.hasHistory(id))) continue;
    failures += 1;
    terminal.complain(`${id} ${isFailed ? "failed" : "is not whole"}: ${state.detail}`);
  }
  terminal.print(
    `${official.collected.length - failures} of ${official.collected.length} tables are up to date`,
  );
  return failures > 0 ? 1 : 0;
}

export async function collect(
  context: CommandContext,
  options: LedgerOptions,
  [name = "", reach = "latest"]: readonly string[],
) {
  const source = DAILY_SOURCES.find((candidate) => candidate === name);
  if (source === undefined && !TABLE_ID.test(name))
    throw new UsageFault(
      `name a source, ${DAILY_SOURCES.join(" or ")}, or an official table; crossrate admin official lists these`,
    );
  return await withProduct(
    context,
    async (crossrate) => {
      const { outcome, detail } =
        source === undefined
          ? await collectTable(crossrate, context, name, reach as Reach)
          : await crossrate.collector.collect(source, reach as Reach);
      context.terminal.print(`${name}: ${outcome}${detail === null ? "" : ` (${detail})`}`);
      return outcome === "failed" ? 1 : 0;
    },
    options,
  );
}

async function collectTable(crossrate: Opened, { terminal }: CommandContext, id: string, reach: Reach) {
  const official = await openedOfficial(crossrate);
  if (!official.collected.some((table) => table.id === id)) {
    const offered = official.offered.find(({ table }) => table.id === id);
    if (offered?.missing) throw new UsageFault(`${id} is not collected: ${offered.missing}`);
    const ids = official.collected.map((table) => table.id);
    throw new UsageFault(`there is no ${id}: name ${DAILY_SOURCES.join(", ")}, or one of ${ids.join(", ")}`);
  }
  return await official.collector.collect(id, reach, (done, total) => {
    if (total > 1) terminal.progress(`${id} ${reach}`, done, total);
  });
}

async function openedOfficial(crossrate: Opened) {
  const official = await crossrate.openOfficial();
  if (official === null) throw new UsageFault("official tables are switched off by OFFICIAL_TABLES=off");
  return official;
}

export async function printOfficial(context: CommandContext, options: LedgerOptions) {
  return await withProduct(
    context,
    async (crossrate) => {
      const official = await openedOfficial(crossrate);
      const statuses = new Map((await official.tableStatus()).map((status) => [status.table, status]));
      for (const { table, missing } of official.offered) {
        const { id, country, types, title } = table;
        context.terminal.print(`${id}  ${country.toLowerCase()}/${types[0]}  ${title}`);
        const status = statuses.get(id);
        if (missing !== null || status === undefined) {
          context.terminal.print(`    not collected: ${missing}`);
          continue;
        }
        const { newest, outcome, lastSuccessAt, detail, held } = status;
        const text =
          newest === null ? "nothing yet" : `${newest.publication}, from ${formatDay(newest.validFrom)}`;
        context.terminal.print(
          `    newest ${text}; last read ${lastSuccessAt === null ? "never" : formatInstant(lastSuccessAt)}; last attempt ${outcome}`,
        );
        if (detail !== null) context.terminal.print(`    ${detail}`);
        if (held.length > 0) context.terminal.print(`    held back: ${held.join(", ")}`);
      }
    },
    options,
  );
}
