/** Parses Internet addresses strictly into bytes. Notations that two readers could understand differently are refused. */

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

function parseGroups(text: string): AddressBytes | null {
  const [head = "", tail, ...rest] = text.split("::");
  if (rest.length > 0) return null;
  const first = bytesOf(head, tail === undefined);
  const last = tail === undefined ? [] : bytesOf(tail, true);
  if (first === null || last === null) return null;
  const missing = 16 - first.length - last.length;
  // "::" replaces at least one group.
  if (tail === undefined ? missing !== 0 : missing < 2) return null;
  return [...first, ...Array<number>(missing).fill(0), ...last];
}

/** Groups of up to four hexadecimal digits; at the end of the address the last two may be dotted. */
function bytesOf(part: string, isEnd: boolean): number[] | null {
  if (part === "") return [];
  const bytes: number[] = [];
  const groups = part.split(":");
  for (const [place, group] of groups.entries()) {
    if (isEnd && place === groups.length - 1 && group.includes(".")) {
      const dotted = parseDotted(group);
      if (dotted === null) return null;
      bytes.push(...dotted);
    } else {
      if (!/^[\da-f]{1,4}$/i.test(group)) return null;
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    }
  }
  return bytes;
}

function unmapped(bytes: AddressBytes | null): AddressBytes | null {
  if (bytes === null) return null;
  const isMapped = bytes[10] === 0xff && bytes[11] === 0xff && bytes.slice(0, 10).every((byte) => byte === 0);
  return isMapped ? bytes.slice(12) : bytes;
}
