/** What /status says of live quotes that are refused: the evidence. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { FEEDS } from "#domain/live/live-quote.ts";
import { QUOTE_DOUBTS } from "#domain/live/quote-plausibility.ts";
import { instantOrNull, word } from "./fields.ts";

export const RefusedQuoteModel = Type.Object(
  {
    feed: word(FEEDS, "Name of the feed."),
    currency: field.CurrencyCodeModel,
    pair: Type.String({ description: "The pair as the feed quotes it.", examples: ["USD/JPY"] }),
    price: Type.String({ description: "The mid as the feed printed it.", examples: ["0.00628141"] }),
    per_dollar: Type.Number({
      description: "The same in units of the currency per dollar, to six digits.",
      examples: [0.00628141],
    }),
    reference: field.nullable<number>("number", {
      description:
        "The newest daily reference in units of the currency per dollar, to six digits; null where there is none.",
      examples: [159.19],
    }),
    reference_at: instantOrNull("When the reference was observed, UTC.", "2026-04-13T12:15:00Z"),
    rule: word(
      QUOTE_DOUBTS,
      "`beyond_reference`: more than 1.3 times the reference either way; `decimal_slip`: that, and close to a power of ten; `no_reference`: there is none. These are never released by repetition. `off_reference`: more than 1.1 times; `jump`: more than 5 % in minutes.",
    ),
    reason: Type.String({
      description: "Why, with the numbers.",
      examples: ["0.00628141 per dollar is 0.00003946 times the reference 159.190: beyond 1.3 either way"],
    }),
    observed_at: field.instant("Time of the price, UTC.", "2026-04-13T16:29:02Z"),
    since: field.instant(
      "Since when the feed is doubted on this currency without a break, UTC.",
      "2026-04-13T16:20:02Z",
    ),
  },
  {
    $id: "RefusedQuote",
    additionalProperties: false,
    description: "A live quote that is not served, however often its feed repeats it.",
  },
);
