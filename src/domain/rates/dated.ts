/** Amounts that each have a day of their own: read from a JSON list or an uploaded table, and what they convert to. */

import { currencyIndex, mixedCaseHint } from "#domain/currency/currency.ts";
import { Failure, type ValidationIssue } from "#domain/faults/errors.ts";
import type { ExactNumber } from "#domain/net/message.ts";
import { parseBodyAmount } from "#domain/number/amount.ts";
import type { Decimal } from "#domain/number/decimal.ts";
import { CsvFault, type CsvRecord, csvRecords } from "#domain/text/csv.ts";
import { type Day, parseDay } from "#domain/time/day.ts";

/** Most items of one call. */
export const MOST_DATED = 1000;

export interface DatedItem {
  /** Upper case. With a table, also currencies outside the catalog. */
  readonly from: string;
  readonly to: string;
  readonly amount: Decimal;
  readonly day: Day;
  /** An official table by country and type; null: the daily reference rates. */
  readonly table: readonly [country: string, type: string] | null;
  /** Names the item in a refusal: "/items/3", "line 4". */
  readonly place: string;
}

export interface DatedConversion {
  readonly item: DatedItem;
  /** Units of `to` per one `from`. */
  readonly rate: string;
  /** `rate` times the amount, to at most 15 significant digits. */
  readonly converted: string;
  /** The day of the oldest figure behind the rate; for an official table, the first day of the publication's validity. */
  readonly rateDay: Day;
  /** A daily source, or the id of an official table. */
  readonly source: string;
  readonly derived: boolean;
  /** True when a daily figure is of an earlier day than the item. */
  readonly isFilled: boolean;
  readonly simulated: boolean;
  /** One line with everything that finds the rate again. */
  readonly citation: string;
}

const NEEDED = ["from", "to", "amount", "date"] as const;
const COLUMNS = [...NEEDED, "table"] as const;

type Member = (typeof COLUMNS)[number];

/** The members of an item as they were sent, of the right types. */
export type SentItem = Readonly<Record<Exclude<Member, "amount" | "table">, string>> & {
  readonly amount: string | ExactNumber;
  readonly table?: string | undefined;
};

export const TABLE_GRAMMAR = /^([A-Za-z]{3})\/([A-Za-z0-9_-]{1,32})$/;
const CODE = /^([A-Z]{3}|[a-z]{3})$/;

/** Failure `validation_error` names every fault of every item. */
export function readDatedItems(list: readonly SentItem[]): readonly DatedItem[] {
  return readAll(list, (sent, issues, index) =>
    itemOf(sent, issues, { place: `/items/${index}`, placeOf: (member) => `/items/${index}/${member}` }),
  );
}

/** `read` adds the faults of one item, and returns null where it has some. */
function readAll<Sent>(
  list: readonly Sent[],
  read: (sent: Sent, issues: ValidationIssue[], index: number) => DatedItem | null,
): readonly DatedItem[] {
  const issues: ValidationIssue[] = [];
  const items = list.flatMap((sent, index) => read(sent, issues, index) ?? []);
  if (issues.length > 0) throw refusedItems(issues);
  return items;
}

/** Nothing is converted: a sum over the other items would be wrong unnoticed. */
export function refusedItems(issues: readonly ValidationIssue[]): Failure {
  const faults = issues.length === 1 ? "one fault" : `${issues.length} faults`;
  return new Failure("validation_error", {
    wording: `nothing was converted: ${faults} in the items, each named in errors`,
    members: { errors: issues },
  });
}

interface Place {
  readonly place: string;
  readonly placeOf: (member: Member) => string;
}

function itemOf(sent: SentItem, issues: ValidationIssue[], { place, placeOf }: Place): DatedItem | null {
  const before = issues.length;
  const fault = (member: Member, message: string) => void issues.push({ path: placeOf(member), message });
  const parts = sent.table === undefined ? [] : TABLE_GRAMMAR.exec(sent.table);
  if (parts === null) fault("table", "not a table: write country/type, such as gbr/vat");
  for (const member of ["from", "to"] as const) {
    const reason = codeFault(sent[member], sent.table !== undefined);
    if (reason !== null) fault(member, reason);
  }
  const [from, to] = [sent.from.toUpperCase(), sent.to.toUpperCase()];
  if (sent.table !== undefined && from === to)
    fault("table", `from and to are both ${from}: leave the table out, or leave the item out`);
  const day = parseDay(sent.date);
  if (day === null) fault("date", `${excerpt(sent.date)} is no calendar day: write YYYY-MM-DD`);
  const amount = amountIn(sent.amount, (message) => fault("amount", message));
  if (issues.length > before || day === null || amount === null || parts === null) return null;
  const [, country, type] = parts;
  const table = country === undefined || type === undefined ? null : ([country, type] as const);
  return { from, to, amount, day, table, place };
}

function codeFault(code: string, isOfTable: boolean): string | null {
  if (isOfTable ? CODE.test(code) : currencyIndex(code) >= 0) return null;
  if (isOfTable) return `${excerpt(code)} is no code of three letters such as USD`;
  return (
    mixedCaseHint(code) ?? `${excerpt(code)} is no currency of /v1/currencies; official tables have more`
  );
}

function amountIn(sent: SentItem["amount"], fault: (message: string) => void): Decimal | null {
  try {
    return parseBodyAmount(sent);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    fault(thrown.message);
    return null;
  }
}

function excerpt(text: string): string {
  return text === "" ? "an empty text" : text.slice(0, 20);
}

// ── Uploaded tables ──────────────────────────────────────────────────────────────────────────────

export const ADDED_COLUMNS = [
  "rate",
  "converted",
  "rate_date",
  "source",
  "derived",
  "is_filled",
  "citation",
] as const;

export type DatedSheet = ReturnType<typeof readDatedSheet>;

/** The first record names the columns. Failure `invalid_request` where a column is missing, the text is no table, or it has no row. */
export function readDatedSheet(text: string) {
  // The byte order mark, by which spreadsheets recognize UTF-8.
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const [header, ...rows] = recordsOf(text.slice(mark.length));
  if (header === undefined)
    throw unreadable("the table is empty: a line with the names of its columns is needed");
  const names = namesOf(header);
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    const advice = /[;\t]/.test(header.text) ? "; columns are separated by commas" : "";
    throw unreadable(`line ${header.line} has no column ${missing.join(", ")}${advice}`);
  }
  const twice = COLUMNS.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (twice !== undefined) throw unreadable(`line ${header.line} has two columns ${twice}`);
  const added = ADDED_COLUMNS.find((name) => names.includes(name));
  if (added !== undefined)
    throw unreadable(
      `line ${header.line} has a column ${added}, which the answer adds: give it another name`,
    );
  if (rows.length === 0) throw unreadable(`the table has no row below line ${header.line}`);
  return { mark, header, rows };
}

/** Failure `validation_error` names every fault by its line. */
export function itemsOfSheet({ header, rows }: DatedSheet): readonly DatedItem[] {
  const names = namesOf(header);
  return readAll(rows, ({ line, cells }, issues) => {
    const place = `line ${line}`;
    if (cells.length !== names.length) {
      issues.push({
        path: place,
        message: `${cells.length} columns, and the first line has ${names.length}`,
      });
      return null;
    }
    const cell = (name: Member) => cells[names.indexOf(name)]?.trim() ?? "";
    const sent = { from: cell("from"), to: cell("to"), amount: cell("amount"), date: cell("date") };
    const table = cell("table") === "" ? undefined : cell("table");
    return itemOf({ ...sent, table }, issues, { place, placeOf: (member) => `${place}, ${member}` });
  });
}

function recordsOf(text: string): readonly CsvRecord[] {
  try {
    return [...csvRecords(text)];
  } catch (fault) {
    if (fault instanceof CsvFault) throw unreadable(`line ${fault.line}: ${fault.message}`);
    throw fault;
  }
}

function namesOf({ cells }: CsvRecord): readonly string[] {
  return cells.map((name) => name.trim().toLowerCase());
}

function unreadable(reason: string): Failure {
  return new Failure("invalid_request", { reason });
}
