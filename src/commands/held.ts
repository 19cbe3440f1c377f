/** `crossrate held`, `release`, `discard` and `live`: lists held and refused figures, and records an operator's decisions about them. */

import { type CommandContext, UsageFault } from "#cli/command.ts";
import { printable } from "#cli/show.ts";
import type { Verdict } from "#domain/acceptance/judgement.ts";
import { countBy, newestFirst } from "#domain/acceptance/unsettled.ts";
import { CURRENCY_CODES, currencyIndex, mixedCaseHint } from "#domain/currency/currency.ts";
import { DAILY_SOURCES, type DailySource } from "#domain/currency/source.ts";
import { FEEDS, RELEASED_RATIO } from "#domain/live/live-quote.ts";
import { formatDay, formatInstant, parseDay } from "#domain/time/day.ts";
import { type Opened, withProduct } from "./open-product.ts";

const DONE: Readonly<Record<Verdict, string>> = { release: "released", discard: "discarded" };
const MOST_GROUPS = 20;

export async function held(context: CommandContext, options: { readonly limit?: string }) {
  const limit = Number(options.limit ?? 100);
  return await withProduct(context, async (crossrate) => {
    const { terminal } = context;
    const figures = newestFirst(crossrate.figures.held());
    for (const figure of figures.slice(0, limit)) {
      const where = `${figure.source} ${formatDay(figure.date)} ${figure.base}/${figure.quote}`;
      terminal.print(
        `${where} ${printable(figure.printed)}\n    ${figure.rule}: ${printable(figure.reason)}\n    retrieved ${formatInstant(figure.retrievedAt)} from ${figure.document}`,
      );
    }
    const publications = (await (await heldOf(crossrate))?.list()) ?? [];
    for (const { table, publication, version, rule, reason, firstReadAt } of publications.slice(0, limit))
      terminal.print(
        `${table} ${printable(publication)} version ${version}\n    ${rule}: ${printable(reason)}\n    first read ${formatInstant(firstReadAt)}`,
      );
    const count = figures.length + publications.length;
    terminal.print(count === 0 ? "nothing is held" : `${count} held`);
    for (const [rule, each] of countBy(figures, ({ rule }) => rule)) terminal.print(`    ${each} by ${rule}`);
    const documents = [...countBy(figures, (figure) => `${figure.documentSha256} ${figure.document}`)];
    for (const [document, each] of documents.slice(0, MOST_GROUPS))
      terminal.print(`    ${each} of ${document}`);
    if (documents.length > MOST_GROUPS)
      terminal.print(`    and ${documents.length - MOST_GROUPS} more documents`);
  });
}

interface DecisionOptions {
  readonly document?: string;
}

export const release = (context: CommandContext, options: DecisionOptions, words: readonly string[]) =>
  decide(context, options, words, "release");
export const discard = (context: CommandContext, options: DecisionOptions, words: readonly string[]) =>
  decide(context, options, words, "discard");

async function decide(
  context: CommandContext,
  { document }: DecisionOptions,
  [name = "", ...words]: readonly string[],
  verdict: Verdict,
): Promise<number> {
  if (document !== undefined && name !== "")
    throw new UsageFault("name either a figure or, with --document, a document, not both");
  if (document !== undefined) return await decideDocument(context, document.toLowerCase(), verdict);
  const source = DAILY_SOURCES.find((candidate) => candidate === name);
  const isDecided =
    source === undefined
      ? await decidePublications(context, name, words, verdict)
      : await decideFigure(context, source, words, verdict);
  if (isDecided) context.terminal.print(DONE[verdict]);
  else context.terminal.complain("nothing of that name is held; see crossrate held");
  return isDecided ? 0 : 1;
}

async function decideDocument(context: CommandContext, document: string, verdict: Verdict): Promise<number> {
  const decision = await withProduct(context, (crossrate) =>
    crossrate.figures.decideDocument(document, verdict),
  );
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
  [dateWord = "", currencyWord = ""]: readonly string[],
  verdict: Verdict,
): Promise<boolean> {
  const date = parseDay(dateWord);
  const currency = CURRENCY_CODES[currencyIndex(currencyWord)];
  if (date === null) throw new UsageFault("name the date as YYYY-MM-DD");
  if (currency === undefined)
    throw new UsageFault(mixedCaseHint(currencyWord) ?? "name one of the 31 currencies");
  return await withProduct(context, (crossrate) =>
    crossrate.figures.decide({ source, date, currency }, verdict),
  );
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
  return await withProduct(context, async (crossrate) => {
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

export async function printRefused(context: CommandContext) {
  const { terminal } = context;
  return await withProduct(context, async (crossrate) => {
    const list = crossrate.figures.refused();
    for (const { at, feed, currency, price, reference } of crossrate.figures.releases()) {
      const until =
        reference === null
          ? "the first reference"
          : `a reference after ${formatInstant(reference.observedAt)}`;
      terminal.print(`released: ${feed} ${currency} near ${price}, on ${formatInstant(at)}, until ${until}`);
    }
    if (list === null) {
      terminal.complain("no server has polled a live feed on this directory yet");
      return 1;
    }
    for (const { feed, pair, price, rule, reason, observedAt, since } of list.refused) {
      terminal.print(`${feed} ${pair} ${price}\n    ${rule}: ${reason}`);
      terminal.print(`    of ${formatInstant(observedAt)}, doubted since ${formatInstant(since)}`);
    }
    const count = list.refused.length === 0 ? "nothing is refused" : `${list.refused.length} refused`;
    terminal.print(`${count}, since ${formatInstant(list.at)}`);
    return 0;
  });
}

interface Release {
  readonly feed: string;
  readonly currency: string;
  readonly price: string;
}

export async function releaseQuotes(context: CommandContext, options: Release) {
  const { terminal } = context;
  const feed = FEEDS.find((each) => each === options.feed.toLowerCase());
  const currency = CURRENCY_CODES.find((code) => code === options.currency.toUpperCase());
  const { price } = options;
  if (feed === undefined || currency === undefined) throw new UsageFault("name a feed and a currency");
  return await withProduct(context, async (crossrate) => {
    const { reference } = crossrate.figures.release(feed, currency, price);
    const against =
      reference === null
        ? "there is no daily reference, and the first one ends it"
        : `the reference is ${reference.perDollar.toPrecision(6)} per dollar of ${formatInstant(reference.observedAt)}, and a newer one ends it`;
    terminal.print(
      `released: ${feed} ${currency} within ${Math.round((RELEASED_RATIO - 1) * 100)} % of ${price}; ${against}`,
    );
  });
}
