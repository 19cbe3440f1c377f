/** What /status says of a daily source: how its collection goes, how old its figures are, what is held back. */

import { Type } from "@sinclair/typebox";
import * as field from "#contract/fields.ts";
import { dayOrNull, instantOrNull, word } from "./fields.ts";

const HeldFigure = Type.Object(
  {
    date: field.day("Day that the figure is for.", "2026-04-13"),
    base: field.meaning(field.CurrencyCodeModel, "Currency that the figure is for 1 unit of.", "EUR"),
    quote: field.meaning(field.CurrencyCodeModel, "Currency that the figure is in units of.", "NOK"),
    value: Type.String({
      description: "The figure as printed, in units of `quote` per 1 unit of `base`.",
      examples: ["118.529"],
    }),
    rule: Type.String({ description: "Name of the rule that holds it.", examples: ["implausible_jump"] }),
    reason: Type.String({
      description: "Why, with the numbers.",
      examples: ["118.529 is 10 times the 11.8301 of 2026-04-10"],
    }),
    retrieved_at: field.instant("When the figure was read, UTC.", "2026-04-13T14:05:00Z"),
  },
  {
    $id: "HeldFigure",
    additionalProperties: false,
    description: "A published figure that is not served until it is confirmed or released.",
  },
);

export const DailyCheck = Type.Object(
  {
    status: word(
      ["ok", "stale", "failing", "missing"],
      "`stale`: a newer publication was due. `failing`: the last attempt to collect failed. `missing`: nothing was ever collected.",
    ),
    newest_date: dayOrNull("Newest day with a figure.", "2026-04-13"),
    covered_through: dayOrNull("Last day that the source's documents speak for.", "2026-04-13"),
    last_attempt_at: instantOrNull("Last attempt to collect, UTC.", "2026-04-13T16:05:00Z"),
    last_success_at: instantOrNull("Last attempt that read an intact document, UTC.", "2026-04-13T16:05:00Z"),
    whole_read_at: instantOrNull(
      "When the source's whole history was last read, UTC; null where that is not known.",
      "2026-04-12T03:26:00Z",
    ),
    whole_read_due_at: instantOrNull("From when on it is read again, UTC.", "2026-04-19T08:11:00Z"),
    outcome: word(
      ["never", "figures", "unchanged", "holiday", "empty", "failed"],
      "How the last attempt went; `never` before the first one of this process.",
    ),
    detail: field.nullable<string>("string", {
      description: "Why the last attempt failed or was empty.",
      examples: ["the server answered 503"],
    }),
    held_count: Type.Integer({ minimum: 0, description: "Number of figures held back.", examples: [0] }),
    held: Type.Array(HeldFigure, { maxItems: 20, description: "The first 20 of them.", examples: [[]] }),
  },
  { $id: "DailyCheck", additionalProperties: false, description: "Collection of one daily source." },
);

export const DAILY_CHECK_EXAMPLE = {
  status: "ok",
  newest_date: "2026-04-13",
  covered_through: "2026-04-13",
  last_attempt_at: "2026-04-13T16:05:00Z",
  last_success_at: "2026-04-13T16:05:00Z",
  whole_read_at: "2026-04-12T03:26:00Z",
  whole_read_due_at: "2026-04-19T08:11:00Z",
  outcome: "unchanged",
  detail: null,
  held_count: 0,
  held: [],
};
