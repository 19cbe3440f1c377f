/** Starts a session for a person who has proved an identity, with a short description of client and network. The session of the request ends. */

import type { Identity, Session } from "#domain/account/identity.ts";
import { parseAddress } from "#domain/net/address.ts";
import { MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { IdentityDeps, Visit } from "./deps.ts";

/** From the sign-in, however busy it is: a stolen token has an end that its thief cannot put off. */
export const SESSION_SECONDS = (30 * MILLISECONDS_PER_DAY) / 1000;

export interface SignedIn {
  readonly identity: Identity;
  readonly session: Session;
  /** For its bearer alone: it is not stored. */
  readonly token: string;
}

/** By a password. */
export interface SignedInByPassword extends SignedIn {
  /** For the cookie by which this browser is recognized at the next sign-in; null where there are none. */
  readonly device: string | null;
}

/** The old session ends first: were the new one not to start, signing in again is all it takes. Rejects with LedgerUnavailable. */
export async function startSession(
  { ledger, tokens, clock }: Pick<IdentityDeps, "ledger" | "tokens" | "clock">,
  identity: Identity,
  visit: Visit,
): Promise<SignedIn> {
  const by = { at: clock.now(), actor: `identity:${identity.id}` } as const;
  const presented = visit.presented === null ? null : tokens.read("fxs_", visit.presented);
  if (presented !== null) {
    const found = await ledger.sessions.find(presented.id);
    if (found !== null && tokens.matches(presented, found.session.secretHash))
      await ledger.sessions.end(presented.id, found.session.identityId, by);
  }
  const { id, secretHash, token } = tokens.issue("fxs_");
  const session = await ledger.sessions.start(
    {
      id,
      identityId: identity.id,
      secretHash,
      expiresAt: by.at + SESSION_SECONDS * 1000,
      userAgent: clientSummary(visit.userAgent),
      address: networkSummary(visit.address),
    },
    by,
  );
  return { identity, session, token };
}

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

/** "Firefox on Linux", "curl"; null where the header names no program. */
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
