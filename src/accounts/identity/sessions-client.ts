/** What the list of sessions says of where one is used: enough to recognize one's own, too little to identify anybody. */

import { parseAddress } from "#domain/net/address.ts";

/** Each is looked for in turn: later browsers call themselves by the earlier ones' names, too. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
  [/^([A-Za-z][A-Za-z0-9._-]{0,30})\//, "$1"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPad)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];
const LONGEST_READ = 512;

/** "Firefox on Linux", "curl"; null where the header says nothing of the kind. */
export function clientSummary(userAgent: string | null): string | null {
  const text = (userAgent ?? "").slice(0, LONGEST_READ);
  const program = named(text, PROGRAMS);
  if (program === null) return null;
  const system = named(text, SYSTEMS);
  return system === null ? program : `${program} on ${system}`;
}

/** The network that an address is in, such as 192.0.2.0/24 or 2001:db8:1::/48; null for what is no address. */
export function networkSummary(address: string): string | null {
  // Callers by IPv6 come as the /64 that limits count by.
  const bytes = parseAddress(address.replace(/\/\d+$/, ""));
  if (bytes === null) return null;
  if (bytes.length === 4) return `${bytes.slice(0, 3).join(".")}.0/24`;
  const groups = [0, 2, 4].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  return `${groups.join(":")}::/48`;
}

function named(text: string, names: readonly (readonly [RegExp, string])[]): string | null {
  for (const [pattern, name] of names) {
    const match = pattern.exec(text);
    if (match !== null) return name === "$1" ? (match[1] ?? null) : name;
  }
  return null;
}
