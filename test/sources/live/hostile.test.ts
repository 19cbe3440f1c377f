/** Documents that are not what they should be: every feed throws BrokenDocument, and never gives a quote out of one. */

import { describe, expect, test } from "bun:test";
import { BrokenDocument, UpstreamFault } from "#domain/faults/upstream.ts";
import { type LiveQuote, QUOTE_RULES } from "#domain/live/live-quote.ts";
import { seededRandom } from "#test/support/seeded-random.ts";
import { words } from "#test/support/words.ts";
import { arrived, FORGES, NOW, REQUESTED } from "./forge.ts";

for (const { feed, good, write, twoSided } of FORGES) {
  const whole = write(good, NOW - 2000);
  const broken = (text: string | Uint8Array) =>
    expect(() => feed.parse(arrived(text), REQUESTED)).toThrow(BrokenDocument);

  describe(feed.id, () => {
    test("a document cut off anywhere", () => {
      for (let length = 0; length < whole.length; length++) broken(whole.slice(0, length));
    });

    test("a web page, plain text, nothing, zeros, another shape of JSON", () => {
      const page = "<!DOCTYPE html><html><body>Maintenance</body></html>";
      const other = [page, "upstream connect error", " \n", ...words('[] null "rates"')];
      for (const text of [...other, `[${whole}]`, whole + whole, `${whole}x`]) broken(text);
      broken(new Uint8Array(1000));
      broken(Uint8Array.of(0xff, 0xfe, 0x7b, 0x7d));
    });

    test("a pair or a name that is there twice", () => {
      const [first] = REQUESTED;
      const twice = write({ [first as string]: good[first as "EUR"] }, NOW - 2000);
      if (feed.id === "massive") broken(twice.replace(/("tickers":\[)(.*)\]/, "$1$2,$2]"));
      else if (feed.id === "oanda") broken(twice.replace(/("prices":\[)(.*)\]/, "$1$2,$2]"));
      else if (feed.id === "twelvedata") broken(twice.replace(/^\{(.*)\}$/, "{$1,$1}"));
      else broken(twice.replace(/("EUR":"?[\d.]+"?)/, "$1,$1"));
      broken(whole.replace(/^\{/, '{"x":1,"x":2,'));
    });

    test("a document whose members are of other kinds", () => {
      const swapped: Record<string, string[]> = {
        coinbase: words('{} {"data":[]} {"data":{"currency":"USD"}} {"data":{"currency":"EUR","rates":{}}}'),
        oxr: words('{} {"timestamp":1,"base":"USD"} {"timestamp":1,"base":"EUR","rates":{}}'),
        massive: words('{} {"status":"OK"} {"status":"OK","tickers":[1]} {"status":"OK","tickers":[{}]}'),
        twelvedata: words(
          '{"EUR/USD":1} {"EUR/USD":[]} {"EUR/USD":{"symbol":"USD/EUR","rate":1,"timestamp":1}}',
        ),
        oanda: words('{} {"prices":{}} {"prices":[[]]} {"prices":[{}]}'),
      };
      for (const text of swapped[feed.id] ?? []) broken(text);
    });

    test("damaged bytes: a fault by name, or nothing but quotes and refusals that keep the rules", () => {
      const random = seededRandom(44);
      const bytes = new TextEncoder().encode(whole);
      for (let round = 0; round < 3000; round++) {
        const damaged = bytes.slice();
        for (let hit = 0; hit <= random() * 3; hit++) {
          damaged[Math.floor(random() * damaged.length)] = Math.floor(random() * 128);
        }
        try {
          const { quotes, refusals } = feed.parse(arrived(damaged), REQUESTED);
          expect(quotes.length + refusals.length).toBe(REQUESTED.length);
          for (const quote of quotes) expectValid(quote);
          for (const { rule } of refusals) expect(QUOTE_RULES).toContain(rule);
        } catch (error) {
          if (!(error instanceof BrokenDocument || error instanceof UpstreamFault)) throw error;
        }
      }
    });

    function expectValid({ bid, ask, mid, observedAt }: LiveQuote): void {
      expect(mid).toMatch(/^\d+(\.\d+)?$/);
      expect(Number(mid)).toBeGreaterThan(0);
      expect(observedAt).toBeLessThanOrEqual(NOW + 300_000);
      expect(bid !== null && ask !== null).toBe(twoSided);
      if (bid !== null) expect(Number(bid)).toBeLessThanOrEqual(Number(ask));
    }
  });
}
