/** Which currencies the figures of some days can ever have joined: where a rate may have existed that does not now. */

import { CURRENCY_COUNT, type CurrencyIndex } from "#domain/currency/currency.ts";
import { rowsDated } from "#domain/point-in-time/timeline.ts";
import type { Day } from "#domain/time/day.ts";
import type { ObservationColumns } from "./history.ts";

/** True when figures dated from `first` to `last`, whatever became of them, lead from one currency to the other. */
export type Linked = (base: CurrencyIndex, symbol: CurrencyIndex, first: Day, last: Day) => boolean;

/** `columns` hold every revision. What was found for the stretch of days asked about last is remembered. */
export function createLinks(columns: ObservationColumns): Linked {
  let found: { readonly first: Day; readonly last: Day; readonly group: Int8Array } | null = null;
  return (base, symbol, first, last) => {
    if (found?.first !== first || found.last !== last)
      found = { first, last, group: groupsOf(columns, first, last) };
    const { group } = found;
    return (group[base] as number) >= 0 && group[base] === group[symbol];
  };
}

/** A number per currency, equal for those that are joined; -1 for one without a figure. */
function groupsOf(columns: ObservationColumns, first: Day, last: Day): Int8Array {
  const group = new Int8Array(CURRENCY_COUNT).fill(-1);
  for (const [begin, end] of rowsDated(columns, first, last)) {
    for (let row = begin; row < end; row++) {
      const [a, b] = [columns.base[row] as CurrencyIndex, columns.quote[row] as CurrencyIndex];
      if (group[a] === -1) group[a] = a;
      if (group[b] === -1) group[b] = b;
      if (group[a] !== group[b]) replace(group, group[b] as number, group[a] as number);
    }
  }
  return group;
}

function replace(group: Int8Array, from: number, to: number): void {
  for (let index = 0; index < group.length; index++) if (group[index] === from) group[index] = to;
}
