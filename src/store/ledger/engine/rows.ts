/** Converts between the databases' values and the program's, and makes parts of statements from many values. */

/** Numbers must be safe integers: they are instants, counts and truth values. */
export type Param = string | number | null;

export type Row = Readonly<Record<string, unknown>>;

/** A statement or a part of one; its text has $1, $2, … for its values. */
export interface Sql {
  readonly text: string;
  readonly params: readonly Param[];
}

/** Makes the part sql`… id = ${id} AND ${other}`: values become parameters, other parts are inserted. */
export function sql(texts: TemplateStringsArray, ...values: readonly (Param | Sql)[]): Sql {
  const params: Param[] = [];
  const inserted = values.map((one) =>
    typeof one === "object" && one !== null ? placed(one, params) : `$${params.push(one)}`,
  );
  return { text: texts.map((text, nth) => text + (inserted[nth] ?? "")).join(""), params };
}

function placed({ text, params }: Sql, before: Param[]): string {
  const first = before.length;
  before.push(...params);
  return text.replace(/\$(\d+)/g, (_, position) => `$${first + Number(position)}`);
}

/** Makes a part of trusted text, such as names of columns or a lock. */
export function raw(text: string): Sql {
  return { text, params: [] };
}

export function joined(parts: readonly Sql[], between = ", "): Sql {
  const params: Param[] = [];
  return { text: parts.map((part) => placed(part, params)).join(between), params };
}

/** Returns a statement as it is sent, from a tag or from a text with its values. */
export function sqlOf(text: string | TemplateStringsArray, ...values: readonly (Param | Sql)[]): Sql {
  return typeof text === "string" ? { text, params: values as readonly Param[] } : sql(text, ...values);
}

/** Throws RangeError for a number that is not a safe integer: the database would round it. */
export function checkParams(params: readonly Param[]): Param[] {
  for (const param of params) {
    if (typeof param === "number" && !Number.isSafeInteger(param)) {
      throw new RangeError(`not a whole number below 2^53: ${param}`);
    }
  }
  return [...params];
}

export function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`${column} is not text but ${typeof value}`);
  return value;
}

/** Throws TypeError for anything but a safe integer. */
export function integer(row: Row, column: string): number {
  const value = row[column];
  const number = typeof value === "string" || typeof value === "bigint" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number) || value === "") {
    throw new TypeError(`${column} is not a whole number below 2^53: ${String(value)}`);
  }
  return number;
}

/** Makes the reader of a text that the schema limits to a few values. */
export function among<W extends string>(words: readonly W[]): (row: Row, column: string) => W {
  return (row, column) => {
    const value = text(row, column);
    const match = words.find((one) => one === value);
    if (match === undefined) throw new TypeError(`${column} is not one of ${words.join(", ")}: ${value}`);
    return match;
  };
}

export function orNull<T>(read: (row: Row, column: string) => T): (row: Row, column: string) => T | null {
  return (row, column) => (row[column] === null ? null : read(row, column));
}

export const textOrNull = orNull(text);
export const integerOrNull = orNull(integer);

/** A truth value, which both databases store as 0 or 1. */
export function truth(row: Row, column: string): boolean {
  return integer(row, column) !== 0;
}

/** Returns `billing_customer_id` for `billingCustomerId`. */
function columnOf(member: string): string {
  return member.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** A record as its row: each member is in the column of its name in snake case. */
export interface Mapping<T> {
  /** In the order of the members, with commas between them. */
  readonly columns: Sql;
  /** Throws TypeError when a column does not have the type of its member. */
  of(row: Row): T;
  /** The same from columns that begin with a prefix, as `select` names them. */
  under(prefix: string): (row: Row) => T;
  /** The columns of a table in a statement that joins others: `table.column AS prefix_column, …`. */
  select(table: string, prefix?: string): string;
}

export function mapping<T extends object>(
  readers: {
    readonly [member in keyof T]-?: (row: Row, column: string) => T[member];
  },
): Mapping<T> {
  const members = Object.keys(readers) as (keyof T & string)[];
  const columns = members.map(columnOf);
  const under = (prefix: string) => {
    const fields = members.map((member, nth) => [member, readers[member], prefix + columns[nth]] as const);
    return (row: Row) => {
      const record: Partial<T> = {};
      for (const [member, read, column] of fields) record[member] = read(row, column);
      return record as T;
    };
  };
  return {
    columns: raw(columns.join(", ")),
    of: under(""),
    under,
    select: (table, prefix = "") => columns.map((name) => `${table}.${name} AS ${prefix}${name}`).join(", "),
  };
}

/** Makes `INSERT INTO table (…) VALUES (…), …` from records with the same members. A member's column is its name in snake case. */
export function insertion(table: string, ...records: readonly object[]): Sql {
  const members = Object.keys(records[0] ?? {});
  const rows = records.map((record) => {
    const values: Readonly<Record<string, unknown>> = { ...record };
    return sql`(${joined(members.map((member) => sql`${stored(values[member])}`))})`;
  });
  return sql`INSERT INTO ${raw(table)} (${raw(members.map(columnOf).join(", "))}) VALUES ${joined(rows)}`;
}

/** Rows of the longest statement: a thousand take the embedded database a few milliseconds. */
const LARGEST = 128;

/** Splits rows, in order, into chunks of 128, 64, 32 … 1. */
export function chunksOf<R>(rows: readonly R[]): readonly (readonly R[])[] {
  const chunks: (readonly R[])[] = [];
  let start = 0;
  for (let size = LARGEST; size >= 1; size /= 2) {
    for (; rows.length - start >= size; start += size) chunks.push(rows.slice(start, start + size));
  }
  return chunks;
}

/** Repeats the last value up to the next power of two: an IN list has the same set, and statements have few different texts. */
export function padded<V>(values: readonly V[]): readonly V[] {
  const last = values.at(-1);
  if (last === undefined) return [];
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...new Array<V>(size - values.length).fill(last)];
}

export function listOf(values: readonly Param[]): Sql {
  return joined(padded(values).map((value) => sql`${value}`));
}

/**
 * The members that a patch changes, and `column = value, other = value`; null when it changes nothing. `names` are all members that a patch
 * may have.
 */
export function assignments<P extends object>(
  present: Required<P>,
  patch: P,
  names: readonly (keyof P & string)[],
) {
  const members = names.filter(
    (name) => patch[name] !== undefined && stored(patch[name]) !== stored(present[name]),
  );
  if (members.length === 0) return null;
  const set = joined(members.map((name) => sql`${raw(columnOf(name))} = ${stored(patch[name])}`));
  return { members, set };
}

function stored(value: unknown): Param {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (Array.isArray(value)) return JSON.stringify(value);
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new TypeError(`a ${typeof value} cannot be stored`);
}
