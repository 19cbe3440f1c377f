/** `crossrate held`, `release`, `discard`: lists held figures, and records an operator's decision about one. */

import { UsageFault } from "#cli/command.ts";
import { type Command, type CommandContext, takesNothing } from "#commands/command.ts";
import { openReal } from "#commands/open-product.ts";
import { CURRENCY_CODES, currencyIndex, mixedCaseHint } from "#domain/currency/currency.ts";
import { DAILY_SOURCES } from "#domain/currency/source.ts";
import { formatDay, formatInstant, parseDay } from "#domain/time/day.ts";

const KEY_USAGE = "<source> <date> <currency>";

export const heldCommand: Command = {
  name: "held",
  group: "Look after data",
  summary: "list the figures that acceptance holds back, with the reason",
  usage: "",
  help: "A held figure is stored and never served. Release it when the authority means it, discard it when it does not.",
  words: {},
  async run(context) {
    takesNothing(context.words);
    const crossrate = await openReal(context);
    const held = crossrate.held();
    await crossrate.close();
    for (const figure of held) {
      const where = `${figure.source} ${formatDay(figure.date)} ${figure.base}/${figure.quote} ${figure.printed}`;
      context.terminal.print(
        `${where}\n    ${figure.rule}: ${figure.reason}\n    retrieved ${formatInstant(figure.retrievedAt)} from ${figure.document}`,
      );
    }
    context.terminal.print(held.length === 0 ? "nothing is held" : `${held.length} held`);
    return 0;
  },
};

export const releaseCommand: Command = {
  name: "release",
  group: "Look after data",
  summary: "accept a held figure after all",
  usage: KEY_USAGE,
  help: "Example: crossrate release ecb_daily 2026-04-13 NOK. A running server notices within seconds.",
  words: {},
  run: (context) => decide(context, "release"),
};

export const discardCommand: Command = {
  name: "discard",
  group: "Look after data",
  summary: "drop a held figure permanently",
  usage: KEY_USAGE,
  help: "Example: crossrate discard ecb_daily 2026-04-13 NOK. The same figure is held again if the authority repeats it.",
  words: {},
  run: (context) => decide(context, "discard"),
};

async function decide(context: CommandContext, verdict: "release" | "discard"): Promise<number> {
  const [sourceWord, dateWord = "", currencyWord = "", ...more] = context.words;
  const source = DAILY_SOURCES.find((candidate) => candidate === sourceWord);
  const date = parseDay(dateWord);
  const currency = CURRENCY_CODES[currencyIndex(currencyWord)];
  if (source === undefined) throw new UsageFault(`name a source: ${DAILY_SOURCES.join(" or ")}`);
  if (date === null) throw new UsageFault("name the date as YYYY-MM-DD");
  if (currency === undefined)
    throw new UsageFault(mixedCaseHint(currencyWord) ?? "name one of the 31 currencies");
  if (more.length > 0) throw new UsageFault("one figure at a time: a source, a date and a currency");
  const crossrate = await openReal(context);
  const found = await crossrate.decide({ source, date, currency }, verdict);
  await crossrate.close();
  if (found) context.terminal.print(`${verdict}d`);
  else context.terminal.complain("no such figure is held; see crossrate held");
  return found ? 0 : 1;
}
