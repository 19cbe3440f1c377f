/** Between the databases' values and ours, the one place: 64-bit integers are text from Postgres and rounded by SQLite above 2^53. */

/** Numbers must be safe integers: they are instants, counts and truth values. */
export type Param = string | number | null;

export type Row = Readonly<Record<string, unknown>>;

/** Throws for a number that would not come back as it is. */
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

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** Throws rather than give a rounded number. */
export function integer(row: Row, column: string): number {
  const value = row[column];
  const number = typeof value === "string" || typeof value === "bigint" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number) || value === "") {
    throw new TypeError(`${column} is not a whole number below 2^53: ${String(value)}`);
  }
  return number;
}

export function integerOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : integer(row, column);
}

/** A value that the schema limits to a few words. */
export function word<W extends string>(row: Row, column: string, words: readonly W[]): W {
  const value = text(row, column);
  const found = words.find((one) => one === value);
  if (found === undefined) throw new TypeError(`${column} is none of ${words.join(", ")}: ${value}`);
  return found;
}

/** `$first, $first+1, …`: as many placeholders, for an IN list. */
export function placeholders(count: number, first: number): string {
  return Array.from({ length: count }, (_, nth) => `$${first + nth}`).join(", ");
}
