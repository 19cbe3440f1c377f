/** The networks whose addresses are counted together besides each by itself: one customer can have all /64 of an IPv6 /56 or /48. */

import { type Allowance, type Caller, LARGEST_LIMIT } from "./caller.ts";
import type { Taken } from "./quota-status.ts";

/** By their prefix length, narrow to wide: how many times the limit of one address all of its addresses get together. */
const TIMES = { 56: 4, 48: 16 } as const;
/** As `clientAddress` writes an IPv6 /64. */
const NARROW = /^([\da-f]{1,4}:[\da-f]{1,4}:[\da-f]{1,4}):([\da-f]{1,4})::\/64$/;

/** The caller, and for an IPv6 address the networks around it, each a caller of its own: a call is charged to all of them or to none. */
export function countedAs(caller: Caller): readonly Caller[] {
  const { kind, id, allowance } = caller;
  if (kind !== "address" || !id.endsWith("::/64")) return [caller];
  const [, site = "", subnet = ""] = NARROW.exec(id) ?? [];
  if (site === "") return [caller];
  const customer = (Number.parseInt(subnet, 16) & 0xff00).toString(16);
  return [
    caller,
    { kind, id: `${site}:${customer}::/56`, allowance: times(allowance, TIMES[56]) },
    { kind, id: `${site}:0::/48`, allowance: times(allowance, TIMES[48]) },
  ];
}

/** The outcome at the nth of `countedAs`: a refusal says which network's limit it is. */
export function ofNetwork<Outcome extends Taken>(
  taken: Outcome,
  counted: readonly Caller[],
  nth: number,
): Outcome {
  const network = counted[nth]?.id;
  return nth === 0 || taken.outcome !== "refused" || network === undefined ? taken : { ...taken, network };
}

function times({ minute, hour, month }: Allowance, factor: number): Allowance {
  const most = (limit: number) => Math.min(LARGEST_LIMIT, factor * limit);
  return { minute: most(minute), hour: hour === null ? null : most(hour), month };
}
