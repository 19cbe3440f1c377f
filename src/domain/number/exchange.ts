/** Finds values that were exchanged in a table: two rows that have each other's values of the day before. */

export interface Move {
  readonly value: number;
  readonly before: number;
  /** Only rows of one kind are compared. */
  readonly kind?: string;
}

/** From one day to the next. Over a month real moves come to each other's values, too: rates of two such dates need more. */
const LEAST_APART = 0.03;

/**
 * Maps each exchanged row to the row whose value it has: each moved by more than `apart`, and is three times nearer to the other's
 * earlier value than to its own, within `apart`.
 */
export function exchanges<T extends Move>(rows: readonly T[], apart = LEAST_APART): ReadonlyMap<T, T> {
  const isNear = ({ kind, value, before }: T, other: T) => {
    const near = distance(value, other.before);
    return kind === other.kind && near <= apart && near <= distance(value, before) / 3;
  };
  const moved = rows.filter(({ value, before }) => distance(value, before) > apart);
  const partners = new Map<T, T>();
  for (const one of moved) {
    const other = moved.find((row) => isNear(one, row) && isNear(row, one));
    if (other !== undefined) partners.set(one, other);
  }
  return partners;
}

function distance(one: number, other: number): number {
  return Math.abs(Math.log(one / other));
}
