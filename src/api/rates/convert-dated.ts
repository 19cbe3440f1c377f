/** POST /v1/convert/dated: amounts that each have a day of their own, as JSON, or as a table that comes back with more columns. */

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { MIME } from "#api/file-types.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import * as official from "#api/official/model.ts";
import { type OfTables, tablesOf } from "#api/official/official.ts";
import { code, query } from "#api/parameters.ts";
import { asOfFields, asOfHeader, asOfParameters } from "#api/point-in-time.ts";
import { print } from "#api/print.ts";
import {
  mediaTypeOf,
  readBody,
  readExactJson,
  readText,
  requireJson,
  SHAPED,
  shaped,
  shapeOf,
} from "#api/request/body.ts";
import { earliestOf } from "#api/request/query.ts";
import { modeOf } from "#api/response/headers.ts";
import type { TurnDeps } from "#api/response/json.ts";
import { codedPayload, respond } from "#api/response/respond.ts";
import { operation } from "#api/words.ts";
import type { CurrencyCode } from "#domain/currency/currency.ts";
import { noticeText, officialNotice, type Simulated } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import {
  ADDED_COLUMNS,
  type DatedConversion,
  type DatedItem,
  type DatedSheet,
  itemsOfSheet,
  MOST_DATED,
  readDatedItems,
  readDatedSheet,
  type SentItem,
  TABLE_GRAMMAR,
} from "#domain/rates/dated.ts";
import { csvLine } from "#domain/text/csv.ts";
import { COVERAGE_START, formatDay } from "#domain/time/day.ts";
import { officialConvert } from "#official/convert.ts";
import type { OfficialDeps } from "#official/deps.ts";
import { findTable } from "#official/tables.ts";
import {
  type ConvertDatedDeps,
  convertDated as convertItems,
  type DatedBatch,
  type DatedQuery,
} from "#rates/convert-dated.ts";
import { converted } from "./convert.ts";
import { numberOrText } from "./convert-batch.ts";

/** 1,000 items, each of 260 bytes. */
const LARGEST_BATCH_BYTES = 256 * 1024;

const Item = form.named("DatedItem", "One amount and its day.", {
  from: form.meaning(code, "Currency of the amount, in upper or in lower case.", "USD"),
  to: form.meaning(code, "Currency wanted, in upper or in lower case.", "EUR"),
  amount: numberOrText({
    description: "Amount in units of `from`, as a number or as a decimal string.",
    examples: ["49.90"],
  }),
  date: form.text("The day, `YYYY-MM-DD`.", "2026-04-10"),
  table: Type.Optional(
    form.text(
      "An official table by country and type, as in `/v1/official`: its publication in force on the day converts, as the call of one official conversion does. Absent: the daily reference rates.",
      "mex/fix",
      { pattern: TABLE_GRAMMAR.source },
    ),
  ),
});

const ConvertDatedRequest = form.named("ConvertDatedRequest", "Amounts that each have a day of their own.", {
  items: Type.Array(Item, {
    minItems: 1,
    maxItems: MOST_DATED,
    description: "1 to 1,000 items.",
    examples: [[{ from: "USD", to: "EUR", amount: "49.90", date: "2026-04-10" }]],
  }),
});

/** Codes, days and amounts are read one by one: a refusal names every fault of every item. */
const RequestShape = shapeOf(ConvertDatedRequest);

const DatedConversionModel = form.named("DatedConversion", "One amount at the rate of its day.", {
  from: form.anyCurrency("Currency of `amount`; with a table also one outside the catalog.", "USD"),
  to: form.anyCurrency("Currency of `converted`.", "EUR"),
  amount: form.meaning(field.amount, field.amount.description ?? "", 49.9),
  date: form.day("The day of the item.", "2026-04-12"),
  rate: form.meaning(field.rate, field.rate.description ?? "", 0.8568980291),
  converted: form.meaning(converted, converted.description ?? "", 42.75921165209),
  rate_date: form.day(
    "The day of the figure: of the oldest one behind the rate, or the first day of the validity of the table's publication.",
    "2026-04-10",
  ),
  source: form.text("`ecb_daily` or `fred_daily`, or the id of the official table.", "ecb_daily"),
  derived: field.derived,
  is_filled: form.flag(
    "True when nothing was published on `date` itself, and a figure of at most 14 days before it is used. False with a table, which says on which days it is valid.",
    true,
  ),
  citation: form.text(
    "One line with everything that finds the rate again. It begins with SIMULATED where the rate is made up.",
    "European Central Bank, 2026-04-10, 1 EUR = 1.167 USD, retrieved 2026-04-10T14:31:00Z",
  ),
});

const ConvertDatedResponse = field.answer("ConvertDatedResponse", "The converted amounts.", {
  conversions: form.list(DatedConversionModel, "One for each item, in the order of the request."),
  ...asOfFields,
  market_session: field.marketSession,
  timestamp: field.timestamp,
  notice: field.notice,
});

const convertDatedBody = ({ conversions, asOf, session }: DatedBatch) =>
  print(ConvertDatedResponse, {
    conversions: conversions.map((one) => ({
      ...{ ...one.item, ...one, date: one.item.day, rateDate: one.rateDay },
    })),
    ...(asOf && { asOf: asOf.instant, asOfBasis: asOf.basis, asOfReconstructed: asOf.reconstructed }),
    marketSession: session,
    notice: noticeOf(conversions),
  });

/** Prints every row as it was sent, followed by the columns of its conversion. */
function convertedSheet({ mark, header, rows }: DatedSheet, conversions: readonly DatedConversion[]): string {
  const added = conversions.map(({ rate, converted, rateDay, source, derived, isFilled, citation }) =>
    // In the order of ADDED_COLUMNS.
    csvLine([rate, converted, formatDay(rateDay), source, String(derived), String(isFilled), citation]),
  );
  const lines = rows.map(({ text }, index) => `${text},${added[index]}\r\n`);
  return `${mark}${header.text},${ADDED_COLUMNS.join(",")}\r\n${lines.join("")}`;
}

function simulatedOf(conversions: readonly DatedConversion[], isDemo: boolean): Simulated {
  const simulated = conversions.filter((one) => one.simulated);
  const codes = [...new Set(simulated.map(({ item }) => item.to as CurrencyCode))];
  return { isDemo, codes, isAll: simulated.length === conversions.length, isInPart: true };
}

function noticeOf(conversions: readonly DatedConversion[]): string {
  const simulated = simulatedOf(conversions, true);
  const isDaily = conversions.some(({ item }) => item.table === null);
  const isOfficial = conversions.some(({ item }) => item.table !== null);
  return isOfficial ? officialNotice(simulated, isDaily) : noticeText(simulated);
}

interface Batch {
  readonly items: readonly DatedItem[];
  /** Null for JSON. */
  readonly sheet: DatedSheet | null;
}

async function readBatch(request: Request): Promise<Batch> {
  if (mediaTypeOf(request) === "text/csv") {
    const sheet = readDatedSheet(await readText(request, LARGEST_BATCH_BYTES));
    refuseMany(sheet.rows.length, "rows");
    return { items: itemsOfSheet(sheet), sheet };
  }
  requireJson(request, "send the body as application/json or text/csv");
  const { rough, exact } = await readExactJson(request, LARGEST_BATCH_BYTES);
  refuseMany(shaped(RequestShape, rough).items.length, "items");
  return { items: readDatedItems((exact as { items: SentItem[] }).items), sheet: null };
}

function refuseMany(count: number, what: string): void {
  if (count > MOST_DATED)
    throw new Failure("invalid_request", {
      reason: `a call holds at most ${MOST_DATED} ${what}; this one has ${count}: split it`,
    });
}

/** Converts items by official tables. Fails as a single official conversion. */
function officialItems(tables: () => OfficialDeps, asOf: DatedQuery["asOf"]): ConvertDatedDeps["officially"] {
  const read: Parameters<typeof officialConvert>[2] = new Map();
  return async (item, [country, type]) => {
    const offered = findTable(tables(), country, type);
    const { from, to, amount, day: on } = item;
    const query = { offered, type, from, to, amount, on, rule: "in_force", kind: null } as const;
    const made = await officialConvert(tables(), { ...query, asOf: asOf?.instant ?? null }, read);
    return {
      ...{ item, converted: made.converted, citation: made.citation, simulated: made.simulated },
      rate: official.numberText(made.rate),
      rateDay: made.publication.validFrom,
      source: offered.table.id,
      derived: made.rows.length > 1,
      isFilled: false,
    };
  };
}

type RouteDeps = TurnDeps & Omit<ConvertDatedDeps, "officially" | "turn"> & OfTables;

export const convertDated = ({ house, official: collected, ...deps }: RouteDeps) => {
  const tables = tablesOf(collected);
  return new Elysia({ name: "convert-dated" }).use(house).post(
    "/v1/convert/dated",
    async ({ request, body: { items, sheet }, query: { as_of: asOf }, caller }) => {
      const days = items.flatMap(({ table, day }) => (table === null && day >= COVERAGE_START ? [day] : []));
      if (days.length > 0) caller.reach(earliestOf(Math.min(...days)));
      const turn = async () => {
        request.signal.throwIfAborted();
        await deps.turns.take(request, "continues");
      };
      return await deps.turns.slot(request, async () => {
        const made = await convertItems(
          { ...deps, turn, officially: officialItems(tables, asOf) },
          { items, asOf },
        );
        if (sheet === null) return convertDatedBody(made);
        const { conversions } = made;
        const headers = { ...asOfHeader(made.asOf), ...modeOf(simulatedOf(conversions, deps.simulated)) };
        const bytes = new TextEncoder().encode(convertedSheet(sheet, conversions));
        const fields = { mime: MIME.csv, cacheControl: "no-store", headers };
        return respond(request, deps, fields, () => codedPayload(request, bytes, deps.large));
      });
    },
    operation({
      // A batch counts as one call per item.
      metered: { cost: ({ body }: { readonly body: Batch }) => body.items.length, isLarge: true },
      reply: "no-store",
      query: query(asOfParameters),
      ...readBody(ConvertDatedRequest, readBatch, {
        refusals: SHAPED,
        otherTypes: [
          {
            mime: "text/csv",
            description:
              "A table whose first line names the columns `from`, `to`, `amount`, `date` and, where wanted, `table`, in any order and beside any others. The answer has every row as it was sent, with further columns.",
            example: "memo,from,to,amount,date\r\nTaxi,USD,EUR,49.90,2026-04-12\r\n",
          },
        ],
      }),
      id: "convertDatedItems",
      tag: "Conversion",
      summary: "Convert amounts, each at the rate of its day",
      description:
        "Converts up to 1,000 amounts, each by the daily reference rates of its own day or by the official table that it names. All are converted, or none: a refusal names every item with a fault (`errors`), and a table's rows by their lines. The answer has the type of the body. It counts as one call an item.",
      ok: {
        description: "The converted amounts, one for each item, in the order given.",
        schema: ConvertDatedResponse,
        otherTypes: [
          {
            mime: "text/csv",
            description: `Of a \`text/csv\` body: its columns, and ${ADDED_COLUMNS.join(", ")}. Lines end in CR LF.`,
          },
        ],
      },
      errors: ["plan_gated", "data_unavailable", "source_unavailable", "service_unavailable"],
    }),
  );
};
