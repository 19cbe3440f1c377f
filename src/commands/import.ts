/** `crossrate import` brings files of quotes from elsewhere into the intraday archive, and removes them. */

import { basename } from "node:path";
import { type CommandContext, EXIT, UsageFault } from "#cli/command.ts";
import { printable, printedCount } from "#cli/show.ts";
import { currencyCode, parsePair } from "#domain/currency/currency.ts";
import { type FileWishes, QuoteFileFault, type QuoteImport } from "#domain/live/quote-file.ts";
import { formatInstant } from "#domain/time/day.ts";
import { withProduct } from "./open-product.ts";

interface ImportOptions {
  readonly pair?: string;
  readonly zone?: string;
  readonly side?: string;
  readonly columns?: string;
  readonly label?: string;
}

/** Imports the files in turn. A file with a fault changes nothing, and ends the command with 1. */
export async function importQuotes(
  context: CommandContext,
  options: ImportOptions,
  paths: readonly string[],
): Promise<number> {
  const { terminal } = context;
  const wishes = wishesOf(options);
  return await withProduct(context, async (crossrate) => {
    for (const path of paths) {
      const file = printable(basename(path));
      const progress = (done: number, total: number) => terminal.progress(file, done, total);
      try {
        const order = { path, wishes, label: options.label ?? null, progress };
        const { import: made, isNew, rows } = await crossrate.importQuotes(order);
        const what = isNew
          ? `${printedCount(rows)} rows, ${printedCount(made.quotes)} quotes`
          : `is in the archive since ${formatInstant(made.importedAt)}, nothing changed`;
        terminal.print(`${file}: ${what}; ${sentenceOf(made)}`);
      } catch (fault) {
        const { code } = fault as { readonly code?: unknown };
        if (!(fault instanceof QuoteFileFault) && code !== "ENOENT" && code !== "EISDIR") throw fault;
        terminal.complain(`${file}: ${printable((fault as Error).message)}; nothing of it was imported`);
        return EXIT.failed;
      }
    }
    return EXIT.done;
  });
}

/** Removes one import, whole or not at all. */
export async function removeImport(
  context: CommandContext,
  _: object,
  [name = ""]: readonly string[],
): Promise<number> {
  const { terminal } = context;
  return await withProduct(context, async (crossrate) => {
    const removal = await crossrate.removeImport(name);
    if (removal.removed !== null) {
      const { removed, quotes, dates } = removal;
      const what = `removed ${printedCount(quotes)} quotes of ${printedCount(dates)} days`;
      terminal.print(`${printable(removed.file)}: ${what}; ${sentenceOf(removed)}`);
      return EXIT.done;
    }
    const { imports } = removal;
    const isShared = imports.some(({ file }) => file === name);
    const why = isShared
      ? "several imports have this name: give the SHA-256 of one"
      : "no import has this name";
    terminal.complain(`${name}: ${why}; nothing was removed`);
    for (const each of imports) terminal.complain(`  ${printable(each.file)}: ${sentenceOf(each)}`);
    return EXIT.failed;
  });
}

function sentenceOf({ base, quote, price, first, last, sha256, label }: QuoteImport): string {
  const prices = price === "both" ? "bid and ask" : `${price} prices only`;
  const range = `${formatInstant(first)} to ${formatInstant(last)}`;
  return `${base}/${quote}, ${prices}, ${range}, sha256 ${sha256}${label === null ? "" : `, ${printable(label)}`}`;
}

const COLUMNS = ["time", "bid", "ask", "price", "open", "high", "low", "close"];

function wishesOf({ pair, zone, side, columns = "" }: ImportOptions): FileWishes {
  const named = columns
    .split(",")
    .filter((part) => part !== "")
    .map((part) => part.split("="));
  const wrong = named.find(([meaning = "", column = ""]) => !COLUMNS.includes(meaning) || column === "");
  if (wrong !== undefined)
    throw new UsageFault(
      `--columns ${wrong.join("=")}: name columns like time=Date,bid=Bid, of ${COLUMNS.join(", ")}`,
    );
  return {
    pair: pair === undefined ? null : pairOf(pair),
    offsetMinutes: zone === undefined ? null : offsetOf(zone),
    side: side === undefined ? null : (side.toLowerCase() as FileWishes["side"]),
    columns: Object.fromEntries(named),
  };
}

function pairOf(text: string): FileWishes["pair"] {
  const [, base = "", quote = ""] = /^([a-z]{3})[/-]?([a-z]{3})$/i.exec(text) ?? [];
  try {
    const [from, to] = parsePair(base, quote);
    return [currencyCode(from), currencyCode(to)];
  } catch {
    throw new UsageFault(`--pair ${text}: two currencies of the catalog are needed, such as EUR/USD`);
  }
}

function offsetOf(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}
