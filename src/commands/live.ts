/** `crossrate live refused` and `release`: lists refused live quotes, and releases one. */

import { type CommandContext, UsageFault } from "#cli/command.ts";
import { CURRENCY_CODES } from "#domain/currency/currency.ts";
import { FEEDS, RELEASED_RATIO } from "#domain/live/live-quote.ts";
import { formatInstant } from "#domain/time/day.ts";
import { withProduct } from "./open-product.ts";

export async function printRefused(context: CommandContext) {
  const { terminal } = context;
  return await withProduct(context, async (crossrate) => {
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
    const { reference } = crossrate.liveOperator.release(feed, currency, price);
    const against =
      reference === null
        ? "there is no daily reference, and the first one ends it"
        : `the reference is ${reference.perDollar.toPrecision(6)} per dollar of ${formatInstant(reference.observedAt)}, and a newer one ends it`;
    terminal.print(
      `released: ${feed} ${currency} within ${Math.round((RELEASED_RATIO - 1) * 100)} % of ${price}; ${against}`,
    );
    return 0;
  });
}
