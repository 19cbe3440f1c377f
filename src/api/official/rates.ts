/** GET /v1/official/{country}/{type}/rates and …/in-force: rates with their validity, as JSON, CSV, Parquet or a workbook. */

import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { csvType, MIME, typesOf } from "#api/file-types.ts";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { choice, day, type Parameter } from "#api/parameters.ts";
import { namedPeriod, periodOf, windowOf } from "#api/period.ts";
import { FileText } from "#api/plugins/house.ts";
import { print } from "#api/print.ts";
import type { CallerDeps } from "#api/request/metering.ts";
import { columnName } from "#domain/dataset/dataset.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { HeldPublication } from "#domain/official/doubts.ts";
import { csvLine } from "#domain/text/csv.ts";
import { ABOUT_CELLS, type Cell, typedCell, type Workbook, XLSX } from "#domain/text/workbook.ts";
import { formatDay } from "#domain/time/day.ts";
import {
  DEFAULT_SERIES_PUBLICATIONS,
  FILE_ROWS,
  MOST_SERIES_PUBLICATIONS,
  officialSeries,
  type RatesInForce,
  ratesInForce,
  SERIES_VERSIONS,
  type SeriesPage,
  type ValidRate,
  type ValidRates,
} from "#official/rates.ts";
import type { Exports } from "#ports.ts";
import * as official from "./model.ts";

const ValidRateModel = form.named("OfficialValidRate", "One rate with its validity and its origin.", {
  ...official.OfficialRate.properties,
  ...official.versionFields,
  source_url: official.sourceUrl,
  document_sha256: official.documentSha256,
  citation: official.citation,
});

const flat = ({ row, publication, citation }: ValidRate) => ({ ...publication, ...row, citation });
const rowBody = (rate: ValidRate) => print(ValidRateModel, flat(rate));

const rowsFields = {
  rows: form.list(ValidRateModel, "The newest validity first, then by base, quote and kind."),
  missing_symbols: form.list(Type.String(), "Those of `symbols` without a row here.", []),
  authority: official.authority,
  terms: official.terms,
  notice: official.notice,
};

const rowsFacts = ({ table, type, rates, missing }: ValidRates & { readonly type: string }) => ({
  ...official.tableFacts(table, type),
  rows: rates.map(flat),
  missingSymbols: missing,
});

const OfficialRatesResponse = field.answer("OfficialRatesResponse", "Rates of a table over a time.", {
  ...official.tableFields,
  start_date: form.day("First day, of the table's zone.", "2026-04-13"),
  end_date: form.day("Last day.", "2026-04-13"),
  ...rowsFields,
  held_publications: Type.Optional(
    form.list(
      Type.String(),
      "Publications of the window that this server holds back until its operator decides: they have no row, and a question for one of their days is refused. Absent where there is none; of files the header `X-Held-Publications`.",
      ["2026-04-10"],
    ),
  ),
  has_more: official.hasMore,
  next_cursor: official.nextCursor,
});

const names = (held: readonly HeldPublication[]) => held.map(({ publication }) => publication);

/** Says which days of the window have no row: those of held publications, and those without a known rate. */
function noticeOf(made: ValidRates & Partial<SeriesPage>): string {
  const { simulated, held = [], unknown = [], unread = null } = made;
  const parts = [official.tableNotice(simulated, unread)];
  if (held.length > 0) parts.push(`Held back on this server, and without a row: ${names(held).join(", ")}.`);
  const days = unknown.map(({ from, to }) => `from ${formatDay(from)} to ${formatDay(to)}`).join(", ");
  if (days !== "") parts.push(`No rate of the window's days ${days} is known here.`);
  return parts.join(" ");
}

const ratesBody = (page: SeriesPage) => {
  const { start: startDate, end: endDate, nextCursor, held } = page;
  return print(OfficialRatesResponse, {
    ...rowsFacts(page),
    ...(held.length > 0 && { heldPublications: names(held) }),
    notice: noticeOf(page),
    startDate,
    endDate,
    nextCursor,
    hasMore: nextCursor !== null,
  });
};

const OfficialInForceResponse = field.answer("OfficialInForceResponse", "The table of a day.", {
  ...official.tableFields,
  on: form.day("The day, on the calendar of the table's zone.", "2026-04-13"),
  ...rowsFields,
});

const inForceBody = (made: RatesInForce) =>
  print(OfficialInForceResponse, { ...rowsFacts(made), notice: noticeOf(made), on: made.on });

const types = typesOf(["csv", "parquet", "xlsx"]);
type TableForm = (typeof types.formats)[number];

const format = types.format(
  "`csv` for one row a rate, as spreadsheets import it; `parquet` and `xlsx` for the same with types.",
);

const COLUMNS = Object.keys(ValidRateModel.properties);
/** Rows printed in one step of about ten milliseconds. */
const STEP_ROWS = 1000;

async function csvOf({ rates, simulated }: ValidRates): Promise<string> {
  let text = `${COLUMNS.map((name) => columnName(name, name === "rate" && simulated)).join(",")}\r\n`;
  for (const [index, rate] of rates.entries()) {
    const body: Readonly<Record<string, unknown>> = rowBody(rate);
    text += `${csvLine(COLUMNS.map((name) => cellOf(body[name])))}\r\n`;
    if (index % STEP_ROWS === STEP_ROWS - 1) await new Promise((resolve) => setImmediate(resolve));
  }
  return text;
}

function cellOf(value: unknown): string {
  if (value === null) return "";
  return typeof value === "object" ? (value as { readonly rawJSON: string }).rawJSON : String(value);
}

/** The columns that a workbook has as numbers and dates; the others stay text, a publication named "2026" too. */
const TYPED = new Set(
  Object.entries<TSchema>(ValidRateModel.properties).flatMap(([name, { type, format }]) =>
    type === "number" || type === "integer" || format?.startsWith("date") ? [name] : [],
  ),
);
/** A workbook is made in memory, in one step: this many rows take about a tenth of a second. */
const MOST_WORKBOOK_ROWS = 2000;

function workbookOf(made: ValidRates, url: string): Workbook {
  const { table, rates } = made;
  if (rates.length > MOST_WORKBOOK_ROWS)
    throw new Failure("invalid_request", {
      reason: `a workbook (xlsx) of an official table has at most ${MOST_WORKBOOK_ROWS} rows, and this one would have ${rates.length}: send format=csv or parquet, symbols, or a shorter window`,
    });
  const cellIn = (body: Readonly<Record<string, unknown>>, name: string): Cell => {
    const text = cellOf(body[name]);
    return TYPED.has(name) ? typedCell(text) : text || null;
  };
  return {
    columns: COLUMNS,
    rows: rates.map((rate) => COLUMNS.map((name) => cellIn(rowBody(rate), name))),
    about: [
      ["notice", noticeOf(made)],
      ["unit", "A rate is units of the currency in `quote` for `unit` units of `base`."],
      ...ABOUT_CELLS,
      ["authority", table.authority],
      ["terms", table.terms],
      ["asked", url],
    ],
  };
}

const otherTypes = [
  csvType(COLUMNS),
  {
    mime: MIME.parquet,
    description:
      "With `format=parquet`: the same columns as VARCHAR, INTEGER, DATE and TIMESTAMPTZ, `rate` as DOUBLE; and `printed`, its digits as VARCHAR.",
  },
  {
    mime: XLSX,
    description: `With \`format=xlsx\`: the columns of the CSV as an Excel workbook of at most ${MOST_WORKBOOK_ROWS} rows, with real dates and numbers; a second sheet names units, authority, terms and the address asked.`,
  },
];

const CODES = /^[A-Za-z]{3}(, *[A-Za-z]{3})*$/;

/** Upper case; null when absent: all rows. */
const symbols: Parameter<readonly string[] | null> = {
  schema: Type.String({ pattern: CODES.source, maxLength: 512 }),
  description: "Only rows with one of these currencies as base or quote, separated by commas.",
  example: "USD",
  inSampleCall: false,
  refusals: ["invalid_request"],
  parse: (text) => {
    if (text === undefined) return null;
    if (CODES.test(text) && text.length <= 512) return [...new Set(text.toUpperCase().split(/, */))];
    throw new Failure("invalid_request", {
      reason: "symbols must be codes of three letters, separated by commas, such as USD,EUR",
    });
  },
};

/** Upper-case text, null when absent. It is parsed later, because that needs the table's country. */
const period: Parameter<string | null> = {
  ...namedPeriod,
  schema: Type.String({ pattern: "^(\\d{4}(-(\\d{2}|Q[1-4]))?|[A-Z]{3}-\\d{4}-\\d{2})$" }),
  description: `${namedPeriod.description} In tables of that country a tax year is also \`2025-26\`. What can be a month is one: \`2011-12\` is December 2011.`,
  parse: (text) => text?.toUpperCase() ?? null,
};

export interface RatesDeps extends official.OfficialRouteDeps, CallerDeps {
  readonly exports: Pick<Exports, "officialParquet" | "workbook">;
}

export const rates = (deps: RatesDeps) => {
  const answer = async (
    request: Request,
    form: TableForm,
    made: ValidRates & Partial<Pick<SeriesPage, "held">>,
    body: () => object,
  ) => {
    if (form === "json") return body();
    const named = names(made.held ?? []).join(", ");
    const held: Record<string, string> = named === "" ? {} : { "X-Held-Publications": named };
    const disposition = {
      ...held,
      "Content-Disposition": `attachment; filename="crossrate_${made.table.id}.${form}"`,
    };
    if (form === "xlsx")
      return new FileText(XLSX, await deps.exports.workbook(workbookOf(made, request.url)), disposition);
    const csv = await csvOf(made);
    if (form === "csv") return new FileText(MIME.csv, csv, held);
    const bytes = await deps.exports.officialParquet(csv, deps.callerOf(request), request.signal);
    return new FileText(MIME.parquet, bytes, disposition);
  };
  const files = { otherTypes, ranged: "beside JSON" } as const;
  const series = official.tableRoute(
    deps,
    "/rates",
    ({ offered, type }, { as_of: asOf, format, ...query }, _, request) => {
      const form = types.typeFor(request, format);
      const window = windowOf(query, (named) => periodOf(named, offered.table.country));
      const read = officialSeries(deps.tables(), { ...query, ...window, offered, type, asOf });
      if (form !== "json" && query.cursor !== null)
        throw new Failure("invalid_request", {
          reason: "a file has the whole window: send it without cursor",
        });
      return async () => {
        const page = await read(form === "json" ? "page" : "file");
        return await answer(request, form, page, () => ratesBody(page));
      };
    },
    {
      query: {
        symbols,
        start_date: day({ description: "First day, of the table's zone.", example: "2026-04-13" }),
        end_date: day({ description: "Last day.", example: "2026-04-13" }),
        period,
        versions: choice(
          SERIES_VERSIONS,
          "`newest`: each publication in its newest version, or the one of `as_of`. `all`: in every version, the newest first.",
        ),
        as_of: official.asOf,
        limit: official.limit(MOST_SERIES_PUBLICATIONS, DEFAULT_SERIES_PUBLICATIONS),
        cursor: official.cursor,
        format,
      },
      id: "listOfficialRates",
      summary: "Rates of a table over a time",
      description: `A row for each rate of each publication that begins from \`start_date\` to \`end_date\`, and of the one that is valid on \`start_date\`: as printed, with its validity and a line to cite. \`limit\` counts publications; a page ends early at some 5,000 rows. CSV and Parquet are one file with the whole window, of at most ${FILE_ROWS} rows.`,
      ok: {
        description: "A page of rates.",
        schema: OfficialRatesResponse,
        ...files,
        headers: {
          "X-Held-Publications": ["Files only, where there are some: as `held_publications`.", "2026-04-10"],
        },
      },
      errors: ["missing_parameter"],
    },
  );
  const inForce = official.tableRoute(
    deps,
    "/in-force",
    ({ offered, type }, { as_of: asOf, format, ...query }, _, request) => {
      const form = types.typeFor(request, format);
      return async () => {
        const made = await ratesInForce(deps.tables(), { ...query, offered, type, asOf });
        return await answer(request, form, made, () => inForceBody(made));
      };
    },
    {
      query: { on: official.on, symbols, as_of: official.asOf, format },
      id: "getOfficialRatesInForce",
      summary: "The table of a day",
      description:
        "Every rate that is in force on a day, each with its publication, validity and a line to cite. Without a publication of the day the answer is 404 and names the one before.",
      ok: { description: "The rates of the day.", schema: OfficialInForceResponse, ...files },
    },
  );
  return new Elysia().use(series).use(inForce);
};
