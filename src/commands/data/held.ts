/** `crossrate held`, `release`, `discard`: lists held figures and publications, and records an operator's decision about them. */

import { UsageFault } from "#cli/command.ts";
import { helpOf, readWords } from "#cli/words/flags.ts";
import type { Command, CommandContext } from "#commands/command.ts";
import { openReal } from "#commands/open-product.ts";
import type { Verdict } from "#domain/acceptance/judgement.ts";
import { countBy, newestFirst } from "#domain/acceptance/unsettled.ts";
import { CURRENCY_CODES, currencyIndex, mixedCaseHint } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { formatDay, formatInstant, parseDay } from "#domain/time/day.ts";

type Opened = Awaited<ReturnType<typeof openReal>>;

const KEY_USAGE = "<source> <date> <currency> | --document <sha256> | <table> (<publication> | all)";
const FOLLOWED =
  "Of an official table name a publication, or all that is held. The next reading of the table follows it, where the authority\nstill says the same: crossrate collect pol_a recent reads at once.";

const DONE: Readonly<Record<Verdict, string>> = { release: "released", discard: "discarded" };
const DEFAULT_LIMIT = 100;
/** Documents and rules that are listed. */
const MOST_GROUPS = 20;

const HELD_FLAGS = [
  {
    name: "--limit",
    shown: "N",
    meaning: `how many are listed, the newest days first; ${DEFAULT_LIMIT} by default`,
    allowed: "a whole number from 0 to 1000000",
    accepts: (value: string) => /^\d{1,7}$/.test(value) && Number(value) <= 1_000_000,
  },
] as const;

const DECISION_FLAGS = [
  {
    name: "--document",
    shown: "SHA256",
    meaning: "every held figure of the document, by the SHA-256 that crossrate held prints",
    allowed: "64 hexadecimal digits",
    accepts: (value: string) => /^[0-9a-f]{64}$/i.test(value),
  },
] as const;

export const heldCommand: Command = {
  name: "held",
  group: "Look after data",
  summary: "list the figures and publications that are held back, with the reason",
  usage: "[--limit N]",
  help: `What is held is never served. Release it when the authority means it, discard it when it does not.

${helpOf(HELD_FLAGS)}`,
  words: { flags: HELD_FLAGS },
  async run(context) {
    const limit = Number(readWords(context.words, HELD_FLAGS, 0).flag("--limit") ?? DEFAULT_LIMIT);
    return await withCrossrate(context, async (crossrate) => {
      const { terminal } = context;
      const figures = newestFirst(crossrate.held());
      for (const figure of figures.slice(0, limit)) {
        const where = `${figure.source} ${formatDay(figure.date)} ${figure.base}/${figure.quote} ${figure.printed}`;
        terminal.print(
          `${where}\n    ${figure.rule}: ${figure.reason}\n    retrieved ${formatInstant(figure.retrievedAt)} from ${figure.document}`,
        );
      }
      const publications = (await (await heldOf(crossrate))?.list()) ?? [];
      for (const { table, publication, version = 1, rule, reason, firstReadAt } of publications.slice(
        0,
        limit,
      )) {
        const why = reason === undefined ? "" : `: ${reason}`;
        terminal.print(
          `${table} ${publication} version ${version}\n    ${rule ?? "decimal_slip"}${why}\n    first read ${formatInstant(firstReadAt)}`,
        );
      }
      const count = figures.length + publications.length;
      terminal.print(count === 0 ? "nothing is held" : `${count} held`);
      for (const [rule, each] of countBy(figures, ({ rule }) => rule))
        terminal.print(`    ${each} by ${rule}`);
      const documents = [...countBy(figures, (figure) => `${figure.documentSha256} ${figure.document}`)];
      for (const [document, each] of documents.slice(0, MOST_GROUPS))
        terminal.print(`    ${each} of ${document}`);
      if (documents.length > MOST_GROUPS)
        terminal.print(`    and ${documents.length - MOST_GROUPS} more documents`);
      return 0;
    });
  },
};

export const releaseCommand: Command = {
  name: "release",
  group: "Look after data",
  summary: "accept a held figure or publication after all",
  usage: KEY_USAGE,
  help: `Example: crossrate release ecb_daily 2026-04-13 NOK. A running server notices within seconds. Of a document it releases the
figures that only miss a witness (unconfirmed_revision, distrusted_document) and that are plausible; the others stay held, to be
decided on one by one.\n\n${FOLLOWED}\n\n${helpOf(DECISION_FLAGS)}`,
  words: { flags: DECISION_FLAGS },
  run: (context) => decide(context, "release"),
};

export const discardCommand: Command = {
  name: "discard",
  group: "Look after data",
  summary: "drop a held figure or publication permanently",
  usage: KEY_USAGE,
  help: `Example: crossrate discard ecb_daily 2026-04-13 NOK. A figure of a day without a served value is held again if the
authority repeats it.\n\n${FOLLOWED}\n\n${helpOf(DECISION_FLAGS)}`,
  words: { flags: DECISION_FLAGS },
  run: (context) => decide(context, "discard"),
};

async function decide(context: CommandContext, verdict: Verdict): Promise<number> {
  const { operands, flag } = readWords(context.words, DECISION_FLAGS, 4);
  const [name = "", ...words] = operands;
  const document = flag("--document");
  if (document !== undefined && operands.length > 0)
    throw new UsageFault("name either a figure or, with --document, a document, not both");
  if (document !== undefined) return await decideDocument(context, document.toLowerCase(), verdict);
  const source = DAILY_SOURCES.find((candidate) => candidate === name);
  const found =
    source === undefined
      ? await decidePublications(context, name, words, verdict)
      : await decideFigure(context, source, words, verdict);
  if (found) context.terminal.print(DONE[verdict]);
  else context.terminal.complain("nothing of that name is held; see crossrate held");
  return found ? 0 : 1;
}

async function decideDocument(context: CommandContext, document: string, verdict: Verdict): Promise<number> {
  const decision = await withCrossrate(context, (crossrate) => crossrate.decideDocument(document, verdict));
  const { print, complain } = context.terminal;
  if (decision === null) {
    complain("no figure of such a document is held; see crossrate held");
    return 1;
  }
  print(`${decision.decided} ${DONE[verdict]}`);
  if (decision.remaining > 0)
    print(`${decision.remaining} of the document stay held: decide on each, see crossrate held`);
  return 0;
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
