/** The networks that a client address belongs to. Bounds for each keep one customer with many addresses from taking all there is. */

import { type AddressBytes, parseAddress } from "./address.ts";
import { addressText } from "./client-address.ts";

export interface ClientNetworks {
  /** IPv4: the address (/32). IPv6: its /64, as `clientAddress` writes it. */
  readonly narrow: string;
  /** IPv4: the /24. IPv6: the /56, the least that providers give one customer in whole. With its prefix length. */
  readonly wide: string;
}

/** IPv6 /64 as clientAddress writes it. */
const NARROW_END = "::/64";

/**
 * Of an address in full, or as `clientAddress` gives it. Text that is no address (the path of a Unix socket) is both its own
 * networks.
 */
export function networksOf(address: string): ClientNetworks {
  const isNarrow = address.endsWith(NARROW_END);
  const bytes = parseAddress(isNarrow ? `${address.slice(0, -NARROW_END.length)}::` : address);
  if (bytes === null) return { narrow: address, wide: address };
  return { narrow: isNarrow ? address : addressText(bytes), wide: wideOf(bytes) };
}

function wideOf(bytes: AddressBytes): string {
  if (bytes.length === 4) return `${bytes.slice(0, 3).join(".")}.0/24`;
  const first = [...bytes.slice(0, 7), ...Array<number>(9).fill(0)];
  return addressText(first).replace(NARROW_END, "::/56");
}
