/** `crossrate backfill` and `crossrate collect`: bring the stores up to date without serving. */

import { UsageFault } from "#cli/command.ts";
import { type Command, type CommandContext, takesNothing } from "#commands/command.ts";
import { NEW_LEDGER, NEW_LEDGER_FLAG, NEW_LEDGER_HELP, withoutNewLedger } from "#commands/flags.ts";
import { openReal } from "#commands/open-product.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import type { Window } from "#domain/intake/reading.ts";
import { openedOfficial } from "./official.ts";

type Reach = Window["reach"];
type Opened = Awaited<ReturnType<typeof openReal>>;

const SOURCES = Object.fromEntries(DAILY_SOURCES.map((source) => [source, "a daily source"]));
const REACHES: readonly Reach[] = ["latest", "recent", "history"];
const OFFICIAL = "official";
/** Ids of tables begin with the letters of a country. Anything else is refused before a store is opened. */
const TABLE_ID = /^[a-z]{3}_[a-z0-9_]+$/;

export const backfillCommand: Command = {
  name: "backfill",
  group: "Look after data",
  summary: "collect the whole history where it is missing, then the last 90 days",
  usage: `[${OFFICIAL} [${NEW_LEDGER}]]`,
  help: `Safe to repeat and to interrupt: stored figures are not changed. Exit code 1 when a source failed.

With "${OFFICIAL}" it loads the histories of the official tables instead, except those that were read whole before. That
takes an hour or so, because some authorities have a document for every day; a running server need not be stopped.
They go into the ledger. A year whose document is missing is skipped and named; the exit code is 1.

${NEW_LEDGER_HELP}

  crossrate backfill
  crossrate backfill ${OFFICIAL}`,
  words: { subcommands: { [OFFICIAL]: "the histories of the official tables" }, flags: [NEW_LEDGER_FLAG] },
  async run(context) {
    const [word] = context.words;
    takesNothing(word === OFFICIAL ? withoutNewLedger(context.words.slice(1)) : context.words);
    const crossrate = await openReal(context);
    try {
      return word === OFFICIAL
        ? await backfillOfficial(crossrate, context)
        : await backfill(crossrate, context);
    } finally {
      await crossrate.close();
    }
  },
};

async function backfill(crossrate: Opened, { terminal }: CommandContext): Promise<number> {
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
    // What of a history could be read is stored; that some of it could not must not look like all of it.
    if (!isFailed && (await official.hasHistory(id))) continue;
    failures += 1;
    terminal.complain(`${id} ${isFailed ? "failed" : "is not whole"}: ${state.detail}`);
  }
  terminal.print(
    `${official.collected.length - failures} of ${official.collected.length} tables are up to date`,
  );
  return failures > 0 ? 1 : 0;
}

export const collectCommand: Command = {
  name: "collect",
  group: "Look after data",
  summary: "collect one source or one official table once",
  usage: `<${DAILY_SOURCES.join("|")}|table> [${REACHES.join("|")}] [${NEW_LEDGER}]`,
  help: `  latest   the newest figures, or the newest publication (the default)
  recent   the last 90 days, of an official table the last weeks, for corrections
  history  everything since 1999, or since the table began

crossrate admin official lists the tables, which go into the ledger. Exit code 1 when the source failed.

${NEW_LEDGER_HELP}

  crossrate collect ecb_daily
  crossrate collect fred_daily recent
  crossrate collect pol_a history`,
  words: { subcommands: SOURCES, flags: [NEW_LEDGER_FLAG] },
  async run(context) {
    const [name, reachWord = "latest", ...more] = withoutNewLedger(context.words);
    if (more.length > 0) throw new UsageFault("name one source and one reach");
    const source = DAILY_SOURCES.find((candidate) => candidate === name);
    if (name === undefined || (source === undefined && !TABLE_ID.test(name)))
      throw new UsageFault(
        `name a source, ${DAILY_SOURCES.join(" or ")}, or an official table; crossrate admin official lists these`,
      );
    const reach = REACHES.find((candidate) => candidate === reachWord);
    if (reach === undefined) throw new UsageFault(`reach must be one of ${REACHES.join(", ")}`);
    const crossrate = await openReal(context);
    try {
      const { outcome, detail } =
        source === undefined
          ? await collectTable(crossrate, context, name, reach)
          : await collectSource(crossrate, source, reach);
      context.terminal.print(`${name}: ${outcome}${detail === null ? "" : ` (${detail})`}`);
      return outcome === "failed" ? 1 : 0;
    } finally {
      await crossrate.close();
    }
  },
};

async function collectSource(crossrate: Opened, source: DailySource, reach: Reach) {
  return await crossrate.collector.collect(source, reach);
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
