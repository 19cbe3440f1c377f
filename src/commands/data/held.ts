/** `crossrate held`, `release`, `discard`: lists held figures and publications, and records an operator's decision about them. */

import { UsageFault } from "#cli/command.ts";
import { type Command, type CommandContext, takesNothing } from "#commands/command.ts";
import { openReal } from "#commands/open-product.ts";
import { CURRENCY_CODES, currencyIndex, mixedCaseHint } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { formatDay, formatInstant, parseDay } from "#domain/time/day.ts";

type Opened = Awaited<ReturnType<typeof openReal>>;
type Verdict = "release" | "discard";

const KEY_USAGE = "<source> <date> <currency> | <table> (<publication> | all)";
const FOLLOWED =
  "Of an official table name a publication, or all that is held. The next reading of the table follows it, where the authority\nstill says the same: crossrate collect pol_a recent reads at once.";

export const heldCommand: Command = {
  name: "held",
  group: "Look after data",
  summary: "list the figures and publications that are held back, with the reason",
  usage: "",
  help: "What is held is never served. Release it when the authority means it, discard it when it does not.",
  words: {},
  async run(context) {
    takesNothing(context.words);
    return await withCrossrate(context, async (crossrate) => {
      const { terminal } = context;
      const figures = crossrate.held();
      for (const figure of figures) {
        const where = `${figure.source} ${formatDay(figure.date)} ${figure.base}/${figure.quote} ${figure.printed}`;
        terminal.print(
          `${where}\n    ${figure.rule}: ${figure.reason}\n    retrieved ${formatInstant(figure.retrievedAt)} from ${figure.document}`,
        );
      }
      const publications = (await (await heldOf(crossrate))?.list()) ?? [];
      for (const { table, publication, version = 1, rule, reason, firstReadAt } of publications) {
        const why = reason === undefined ? "" : `: ${reason}`;
        terminal.print(
          `${table} ${publication} version ${version}\n    ${rule ?? "decimal_slip"}${why}\n    first read ${formatInstant(firstReadAt)}`,
        );
      }
      const count = figures.length + publications.length;
      terminal.print(count === 0 ? "nothing is held" : `${count} held`);
      return 0;
    });
  },
};

export const releaseCommand: Command = {
  name: "release",
  group: "Look after data",
  summary: "accept a held figure or publication after all",
  usage: KEY_USAGE,
  help: `Example: crossrate release ecb_daily 2026-04-13 NOK. A running server notices within seconds.\n\n${FOLLOWED}`,
  words: {},
  run: (context) => decide(context, "release"),
};

export const discardCommand: Command = {
  name: "discard",
  group: "Look after data",
  summary: "drop a held figure or publication permanently",
  usage: KEY_USAGE,
  help: `Example: crossrate discard ecb_daily 2026-04-13 NOK. The same figure is held again if the authority repeats it.\n\n${FOLLOWED}`,
  words: {},
  run: (context) => decide(context, "discard"),
};

async function decide(context: CommandContext, verdict: Verdict): Promise<number> {
  const [name = "", ...words] = context.words;
  const source = DAILY_SOURCES.find((candidate) => candidate === name);
  const found =
    source === undefined
      ? await decidePublications(context, name, words, verdict)
      : await decideFigure(context, source, words, verdict);
  if (found) context.terminal.print(verdict === "release" ? "released" : "discarded");
  else context.terminal.complain("nothing of that name is held; see crossrate held");
  return found ? 0 : 1;
}

async function decideFigure(
  context: CommandContext,
  source: DailySource,
  [dateWord = "", currencyWord = "", ...more]: readonly string[],
  verdict: Verdict,
): Promise<boolean> {
  const date = parseDay(dateWord);
  const currency = CURRENCY_CODES[currencyIndex(currencyWord)];
  if (date === null) throw new UsageFault("name the date as YYYY-MM-DD");
  if (currency === undefined)
    throw new UsageFault(mixedCaseHint(currencyWord) ?? "name one of the 31 currencies");
  if (more.length > 0) throw new UsageFault("one figure at a time: a source, a date and a currency");
  return await withCrossrate(context, (crossrate) => crossrate.decide({ source, date, currency }, verdict));
}

async function decidePublications(
  context: CommandContext,
  table: string,
  [publication, ...more]: readonly string[],
  verdict: Verdict,
): Promise<boolean> {
  if (!/^[a-z0-9_]+$/.test(table))
    throw new UsageFault(`name a source: ${DAILY_SOURCES.join(" or ")}, or an official table`);
  if (publication === undefined) throw new UsageFault("name the publication, or all");
  if (more.length > 0) throw new UsageFault("one publication at a time, or all");
  return await withCrossrate(context, async (crossrate) => {
    const held = await heldOf(crossrate);
    const readings = ((await held?.list()) ?? []).filter(
      (one) => one.table === table && (publication === "all" || one.publication === publication),
    );
    await held?.decide(readings, verdict);
    return readings.length > 0;
  });
}

async function heldOf(crossrate: Opened) {
  return (await crossrate.openOfficial({ mayBegin: false }))?.held ?? null;
}

async function withCrossrate<T>(context: CommandContext, use: (crossrate: Opened) => Promise<T>): Promise<T> {
  const crossrate = await openReal(context);
  try {
    return await use(crossrate);
  } finally {
    await crossrate.close();
  }
}
