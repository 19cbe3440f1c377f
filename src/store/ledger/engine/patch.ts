/** A patch as the SET clause of an UPDATE: only what differs from the present is written and audited. */

import type {} from "./engine.ts";
import type { Param } from "./rows.ts";

export interface Assignments {
  /** Names of the members that change. */
  readonly members: readonly string[];
  /** `column = $2, other = $3`: $1 is left for the key. */
  readonly sql: string;
  readonly params: readonly Param[];
}

/** Null when the patch changes nothing. `columns` names the column of every member that a patch may have. */
export function assignments<P extends object>(
  present: Required<P>,
  patch: P,
  columns: { readonly [member in keyof Required<P>]: string },
): Assignments | null {
  const members = (Object.keys(columns) as (keyof P & string)[]).filter(
    (member) => patch[member] !== undefined && patch[member] !== present[member],
  );
  if (members.length === 0) return null;
  return {
    members,
    sql: members.map((member, nth) => `${columns[member]} = $${nth + 2}`).join(", "),
    params: members.map((member) => stored(patch[member])),
  };
}

function stored(value: unknown): Param {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new TypeError(`a ${typeof value} cannot be stored`);
}
