/** `crossrate live refused` and `release`: lists refused live quotes, and releases one. */

import { type Flag, UsageFault } from "#cli/command.ts";
import { helpOf } from "#cli/words/flags.ts";
import { type Command, type CommandContext, takesNothing } from "#commands/command.ts";
import { readFlags } from "#commands/flags.ts";
import { openReal } from "#commands/open-product.ts";
import { CURRENCY_CODES, currencyCode, USD } from "#domain/currency/currency.ts";
import { FEEDS } from "#domain/live/live-quote.ts";
import { RELEASED_RATIO } from "#domain/live/reference.ts";
import { formatInstant } from "#domain/time/day.ts";

const CURRENCIES = CURRENCY_CODES.filter((code) => code !== currencyCode(USD));
const PRICE = /^(?=.*[1-9])\d{1,15}(?:\.\d{1,22})?$/;

const RELEASE_FLAGS: readonly Flag<"--feed" | "--currency" | "--price">[] = [
  {
    name: "--feed",
    shown: "FEED",
    allowed: `one of ${FEEDS.join(", ")}`,
    accepts: (text) => FEEDS.some((feed) => feed === text),
    required: true,
    meaning: "the feed that may be believed",
  },
  {
    name: "--currency",
    shown: "CODE",
    allowed: `one of ${CURRENCIES.join(", ")}`,
    accepts: (text) => currencyOf(text) !== undefined,
    required: true,
    meaning: "the currency that is not the dollar",
  },
  {
    name: "--price",
    shown: "PRICE",
    allowed: "a price above zero as in 205.1",
    accepts: (text) => PRICE.test(text),
    required: true,
    meaning: `in the feed's own terms, as "refused" prints it; good within ${percent()} % of it`,
  },
];

const SUBCOMMANDS = {
  refused: "what the collecting server refuses now, and the releases in force",
  release: "accepts the quotes of one feed for one currency, near one price, until the next daily reference",
} as const;

export const liveCommand: Command = {
  name: "live",
  group: "Look after data",
  summary: "list live quotes that are refused, with the evidence; release one",
  usage: "refused | release --feed FEED --currency CODE --price PRICE",
  help: `  refused   ${SUBCOMMANDS.refused}
  release   ${SUBCOMMANDS.release}

Flags of release:
${helpOf(RELEASE_FLAGS)}

A live quote beyond 1.3 times its daily reference is refused however often its feed repeats it, until another feed or a
newer reference supports it. Release one only when another source confirms that the market is there. A release is stored in
DATA_DIR/live/releases.ndjson, which is its audit log: it holds over restarts, for every server on that directory, and is
noticed within seconds. Exit code 1 when no server has collected on the directory yet.

  crossrate live refused
  crossrate live release --feed coinbase --currency JPY --price 205.1`,
  words: { subcommands: SUBCOMMANDS, flags: RELEASE_FLAGS },
  async run(context) {
    const [word, ...words] = context.words;
    if (word === "refused") return await printRefused(context, words);
    if (word === "release") return await release(context, words);
    throw new UsageFault("say refused or release");
  },
};

async function printRefused(context: CommandContext, words: readonly string[]): Promise<number> {
  takesNothing(words);
  const { terminal } = context;
  const crossrate = await openReal(context);
  try {
    const list = crossrate.liveOperator.refused();
    for (const { at, feed, currency, price, reference } of crossrate.liveOperator.inForce()) {
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
  } finally {
    await crossrate.close();
  }
}

async function release(context: CommandContext, words: readonly string[]): Promise<number> {
  const { terminal } = context;
  const flag = readFlags(words, RELEASE_FLAGS);
  const feed = FEEDS.find((known) => known === flag("--feed"));
  const currency = currencyOf(flag("--currency") ?? "");
  const price = flag("--price");
  if (feed === undefined || currency === undefined || price === undefined)
    throw new UsageFault("name a feed, a currency and a price");
  const crossrate = await openReal(context);
  try {
    const { reference } = crossrate.liveOperator.release(feed, currency, price);
    const against =
      reference === null
        ? "there is no daily reference, and the first one ends it"
        : `the reference is ${reference.perDollar.toPrecision(6)} per dollar of ${formatInstant(reference.observedAt)}, and a newer one ends it`;
    terminal.print(`released: ${feed} ${currency} within ${percent()} % of ${price}; ${against}`);
    return 0;
  } finally {
    await crossrate.close();
  }
}

/** In upper or lower case: GBp are pence. */
function currencyOf(text: string) {
  return CURRENCIES.find((code) => code === text || code.toLowerCase() === text);
}

function percent(): number {
  return Math.round((RELEASED_RATIO - 1) * 100);
}
