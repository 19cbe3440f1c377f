/** The part of /status about daily sources and official tables: the state of their collection, and what is held. */

import { type Static, Type } from "@sinclair/typebox";
import type { Body } from "#api/body.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import type { DailyStatus, OfficialTableCheck } from "#domain/rates/status.ts";
import { type Day, formatDay, formatInstant, type Instant } from "#domain/time/day.ts";

export function printedInstant(instant: Instant | null | undefined): string | null {
  return instant === null || instant === undefined ? null : formatInstant(instant);
}

function printedDay(day: Day | null): string | null {
  return day === null ? null : formatDay(day);
}

const HeldFigure = form.named(
  "HeldFigure",
  "A published figure that is not served until it is confirmed or released.",
  {
    date: form.day("Day that the figure is for.", "2026-04-13"),
    base: form.meaning(field.CurrencyCodeModel, "Currency that the figure is for 1 unit of.", "EUR"),
    quote: form.meaning(field.CurrencyCodeModel, "Currency that the figure is in units of.", "NOK"),
    value: form.text("The figure as printed, in units of `quote` per 1 unit of `base`.", "118.529"),
    rule: form.text("Name of the rule that holds it.", "implausible_jump"),
    reason: form.text("Why, with the numbers.", "118.529 is 10 times the 11.8301 of 2026-04-10"),
    retrieved_at: form.instant("When the figure was read, UTC.", "2026-04-13T14:05:00Z"),
  },
);

const Contradictions = form.named(
  "Contradictions",
  "Figures that routes of a source state differently from what is served, or no longer have, and that nothing has settled yet.",
  {
    count: form.count("How many figures of how many routes.", 2),
    since: form.instant("When the oldest of them was first read, UTC.", "2026-04-13T14:05:00Z"),
    example: form.text(
      "The newest of them.",
      "ecb_csv states EUR/NOK 11.8529 for 2026-04-13; 11.8301 is served",
    ),
  },
);

const CurrencyBehind = form.named("CurrencyBehind", "A currency that the newest figures of a source lack.", {
  currency: field.CurrencyCodeModel,
  last_date: form.day("Day of its last figure of the source.", "2026-04-10"),
});

const ContradictionsOrNull = Type.Unsafe<Static<typeof Contradictions> | null>({
  anyOf: [Contradictions, { type: "null" }],
  description: "What the routes of the source state against each other; null where they agree.",
  examples: [null],
});

export const DailyCheck = form.named("DailyCheck", "Collection of one daily source.", {
  status: form.oneOf(
    ["ok", "contradicted", "stale", "failing", "missing"],
    "The first that applies: `missing`: nothing was ever collected. `stale`: a newer publication was due. `failing`: the last attempt to collect failed. `contradicted`: a route states something else than what is served; see `contradictions`.",
  ),
  newest_date: form.dayOrNull("Newest day with a figure.", "2026-04-13"),
  covered_through: form.dayOrNull("Last day that the source's documents cover.", "2026-04-13"),
  last_attempt_at: form.instantOrNull("Last attempt to collect, UTC.", "2026-04-13T16:05:00Z"),
  last_success_at: form.instantOrNull(
    "Last attempt that read an intact document, UTC.",
    "2026-04-13T16:05:00Z",
  ),
  whole_read_at: form.instantOrNull(
    "When the source's whole history was last read, UTC; null where that is not known.",
    "2026-04-12T03:26:00Z",
  ),
  whole_read_due_at: form.instantOrNull("From when on it is read again, UTC.", "2026-04-19T08:11:00Z"),
  outcome: form.oneOf(
    ["never", "figures", "unchanged", "holiday", "empty", "failed"],
    "How the last attempt went; `never` before the first one of this process.",
  ),
  detail: form.textOrNull("Why the last attempt failed or was empty.", "the server answered 503"),
  held_count: form.count("Number of figures held back.", 0),
  held: Type.Array(HeldFigure, {
    maxItems: 50,
    description: "The 50 of the newest days, the newest first.",
    examples: [[]],
  }),
  contradictions: ContradictionsOrNull,
  missing_currencies: form.list(
    CurrencyBehind,
    "Currencies with no figure of `newest_date`, and a last one of up to 14 days before. A holiday of one series is the usual reason; the status does not change.",
    [],
  ),
  suspended_currencies: form.list(
    CurrencyBehind,
    "Currencies with no figure of the source for more than 14 days before `newest_date`: no latest rate is made of it.",
    [],
  ),
});

export function dailyBody(source: DailyStatus) {
  return {
    status: source.status,
    newest_date: printedDay(source.newestDay),
    covered_through: printedDay(source.coveredThrough),
    last_attempt_at: printedInstant(source.lastAttemptAt),
    last_success_at: printedInstant(source.lastSuccessAt),
    whole_read_at: printedInstant(source.wholeReadAt),
    whole_read_due_at: printedInstant(source.wholeReadDueAt),
    outcome: source.outcome,
    detail: source.detail,
    held_count: source.heldCount,
    held: source.held.map((figure) => ({
      date: formatDay(figure.date),
      base: figure.base,
      quote: figure.quote,
      value: figure.printed,
      rule: figure.rule,
      reason: figure.reason,
      retrieved_at: formatInstant(figure.retrievedAt),
    })),
    contradictions: contradictionsBody(source.contradictions),
    missing_currencies: behindBody(source.behind.filter(({ isSuspended }) => !isSuspended)),
    suspended_currencies: behindBody(source.behind.filter(({ isSuspended }) => isSuspended)),
  } satisfies Body<typeof DailyCheck>;
}

function contradictionsBody(contradictions: DailyStatus["contradictions"]) {
  if (contradictions === null) return null;
  const { count, since, example } = contradictions;
  return { count, since: formatInstant(since), example };
}

function behindBody(behind: DailyStatus["behind"]) {
  return behind.map(({ code, lastDate }) => ({ currency: code, last_date: formatDay(lastDate) }));
}

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
  contradictions: null,
  missing_currencies: [],
  suspended_currencies: [],
};

const MOST_PUBLICATIONS_LISTED = 20;

const OfficialCheck = form.named("OfficialCheck", "Collection of one official table.", {
  status: form.oneOf(
    ["ok", "failing", "missing"],
    "`failing`: the last attempt to collect failed; what was collected before is served. `missing`: nothing was collected yet.",
  ),
  newest_publication: form.textOrNull("Name of the newest publication, by validity.", "2026-04-13"),
  newest_valid_from: form.dayOrNull("First day of its validity.", "2026-04-13"),
  last_attempt_at: form.instantOrNull("Last attempt to collect, UTC.", "2026-04-13T16:05:00Z"),
  last_success_at: form.instantOrNull(
    "Last attempt that read an intact document, UTC.",
    "2026-04-13T16:05:00Z",
  ),
  outcome: form.oneOf(
    ["never", "publications", "empty", "failed"],
    "How the last attempt went; `empty`: nothing was published in the time requested.",
  ),
  detail: form.textOrNull(
    "Why the last attempt failed or was empty, or what of it could not be read.",
    "API: timeout: the document is not complete after 30 s",
  ),
  held_count: form.count("Number of publications held back.", 0),
  held: Type.Array(Type.String(), {
    maxItems: 20,
    description:
      "The first 20 of them. They wait for a second reading, for the authority, or for the operator's decision.",
    examples: [[]],
  }),
});

export const OFFICIAL_CHECKS_EXAMPLE = {
  mex_fix: {
    status: "ok",
    newest_publication: "2026-04-13",
    newest_valid_from: "2026-04-13",
    last_attempt_at: "2026-04-13T18:05:00Z",
    last_success_at: "2026-04-13T18:05:00Z",
    outcome: "publications",
    detail: null,
    held_count: 0,
    held: [],
  },
};

export const OfficialChecks = Type.Unsafe<Readonly<Record<string, Static<typeof OfficialCheck>>>>({
  type: "object",
  propertyNames: { pattern: "^[a-z0-9_]+$" },
  additionalProperties: OfficialCheck,
  description:
    "Official tables by id; empty where they are switched off. None of them changes the overall `status`: a caller that needs one watches its entry.",
  examples: [OFFICIAL_CHECKS_EXAMPLE],
});

export function officialChecksBody(tables: readonly OfficialTableCheck[]) {
  return Object.fromEntries(
    tables.map(({ table, newest, lastAttemptAt, lastSuccessAt, ...check }) => [
      table,
      {
        status: check.status,
        newest_publication: newest?.publication ?? null,
        newest_valid_from: printedDay(newest?.validFrom ?? null),
        last_attempt_at: printedInstant(lastAttemptAt),
        last_success_at: printedInstant(lastSuccessAt),
        outcome: check.outcome,
        detail: check.detail,
        held_count: check.held.length,
        held: check.held.slice(0, MOST_PUBLICATIONS_LISTED),
      },
    ]),
  ) satisfies Body<typeof OfficialChecks>;
}
