/** Parses Internet addresses strictly into bytes, refusing notations that two readers could understand differently; and finds the client address that keyless callers are counted by. */

/** 4 bytes, or 16 for IPv6. IPv4 mapped into IPv6 (::ffff:192.0.2.1) is IPv4. */
export type AddressBytes = readonly number[];

const DOTTED = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
const LONGEST = 64;

/** Null for anything but one whole address. A zone (`fe80::1%eth0`) is left out. */
export function parseAddress(text: string): AddressBytes | null {
  if (text.length > LONGEST) return null;
  if (!text.includes(":")) return parseDotted(text);
  return unmapped(parseGroups(text.replace(/%[\w.-]+$/, "")));
}

function parseDotted(text: string): AddressBytes | null {
  const match = DOTTED.exec(text);
  if (match === null) return null;
  const bytes: number[] = [];
  for (const digits of match.slice(1)) {
    // 010 is eight to some readers and ten to others.
    if (Number(digits) > 255 || (digits.length > 1 && digits.startsWith("0"))) return null;
    bytes.push(Number(digits));
  }
  return bytes;
}

/** URL has one form for every notation of an address: groups in hexadecimal, the longest run of zeros as "::". */
function parseGroups(text: string): AddressBytes | null {
  const host = /^[\da-f:.]+$/i.test(text) ? URL.parse(`http://[${text}]`)?.hostname : undefined;
  if (host === undefined) return null;
  const [first = [], last = []] = host.slice(1, -1).split("::").map(bytesOf);
  return [...first, ...Array<number>(16 - first.length - last.length).fill(0), ...last];
}

function bytesOf(groups: string): number[] {
  if (groups === "") return [];
  const values = groups.split(":").map((group) => Number.parseInt(group, 16));
  return values.flatMap((value) => [value >> 8, value & 0xff]);
}

function unmapped(bytes: AddressBytes | null): AddressBytes | null {
  if (bytes === null) return null;
  const isMapped = bytes[10] === 0xff && bytes[11] === 0xff && bytes.slice(0, 10).every((byte) => byte === 0);
  return isMapped ? bytes.slice(12) : bytes;
}

/** The addresses that share the first `bits` bits of `bytes`. */
export interface Network {
  readonly bytes: AddressBytes;
  readonly bits: number;
}

/** `10.0.0.0/8`, `fd00::/8`, or one address. Null when malformed, also when bits after the prefix are set. */
export function parseNetwork(text: string): Network | null {
  const [address = "", length, ...rest] = text.split("/");
  const bytes = parseAddress(address);
  if (bytes === null || rest.length > 0) return null;
  const most = bytes.length * 8;
  if (length === undefined) return { bytes, bits: most };
  if (!/^(0|[1-9]\d{0,2})$/.test(length) || Number(length) > most) return null;
  const network = { bytes, bits: Number(length) };
  return bytes.every((byte, place) => (byte & ~maskOf(network.bits, place) & 0xff) === 0) ? network : null;
}

/**
 * The client's address: IPv4 in full, IPv6 as its /64, which one subscriber has. `peer` is the other end of the connection.
 * `forwarded`, the X-Forwarded-For header, is read from the right as far as trusted proxies wrote it: the first other address is the
 * client. Where that entry is malformed the peer counts.
 */
export function clientAddress(peer: string, forwarded: string | null, trusted: readonly Network[]): string {
  const connected = parseAddress(peer);
  if (connected === null) return peer;
  let client = connected;
  let end = forwarded?.length ?? 0;
  while (forwarded !== null && end > 0 && isWithin(client, trusted)) {
    const comma = forwarded.lastIndexOf(",", end - 1);
    const entry = parseAddress(withoutPort(forwarded.slice(comma + 1, end).trim()));
    if (entry === null) return addressText(connected);
    client = entry;
    end = comma;
  }
  return addressText(client);
}

export function isWithin(address: AddressBytes, networks: readonly Network[]): boolean {
  return networks.some(
    ({ bytes, bits }) =>
      bytes.length === address.length &&
      bytes.every((byte, place) => ((byte ^ (address[place] ?? 0)) & maskOf(bits, place)) === 0),
  );
}

/** Bits of the byte at `place` that a prefix of `bits` covers. */
function maskOf(bits: number, place: number): number {
  const covered = Math.min(8, Math.max(0, bits - place * 8));
  return (0xff << (8 - covered)) & 0xff;
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d{1,5})?|([\d.]+):\d{1,5})$/.exec(entry) ?? [];
  return bracketed ?? dotted ?? entry;
}

/** IPv4 in full, IPv6 as its /64: `2001:db8:0:1::/64`. */
function addressText(bytes: AddressBytes): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = [0, 2, 4, 6].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  return `${groups.join(":")}::/64`;
}

const NARROW_END = "::/64";

/**
 * The networks of an address in full or from `clientAddress`. `narrow`: of IPv4 the address, of IPv6 its /64, as `clientAddress` writes it.
 * `wide`, with its prefix length: of IPv4 the /24, of IPv6 the /56, the smallest block that providers give one customer. Other text (the
 * path of a Unix socket) is returned as both.
 */
export function networksOf(address: string) {
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
