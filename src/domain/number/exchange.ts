/** Finds values that were exchanged in a table: two rows that have each other's values of the day before. */

export interface Move {
  readonly value: number;
  readonly before: number;
  /** Only rows of one kind are compared. */
  readonly kind?: string;
}

/** Two values are read as exchanged when each moved by more than LEAST_APART, and is this close to the other's earlier value. */
const TOLERANCE = 0.01;
const LEAST_APART = 0.03;

/** Maps each exchanged row to the row whose value it has. */
export function exchanges<T extends Move>(rows: readonly T[]): ReadonlyMap<T, T> {
  const moved = rows.filter(({ value, before }) => !isNear(value, before, LEAST_APART));
  const found = new Map<T, T>();
  for (const one of moved) {
    const other = moved.find(
      ({ kind, value, before }) =>
        kind === one.kind && isNear(one.value, before, TOLERANCE) && isNear(value, one.before, TOLERANCE),
    );
    if (other !== undefined) found.set(one, other);
  }
  return found;
}

function isNear(value: number, other: number, tolerance: number): boolean {
  return Math.abs(value / other - 1) <= tolerance;
}
