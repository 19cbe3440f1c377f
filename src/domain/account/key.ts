/** API keys and their states (active, in its grace period, revoked), and the formats of all issued credentials: a mistyped one is refused without a lookup. See docs/security.md. */

import { createHash, timingSafeEqual } from "node:crypto";
import { type Instant, MILLISECONDS_PER_DAY } from "#domain/time/day.ts";
import type { Organization } from "./organization.ts";

export interface ApiKey {
  readonly id: string;
  readonly organizationId: string;
  /** The first characters, by which users recognize it. */
  readonly prefix: string;
  readonly createdAt: Instant;
  /** Written in batches, so up to a minute behind. */
  readonly lastUsedAt: Instant | null;
  /** End of the grace period, for a key that was rotated. */
  readonly revokeAt: Instant | null;
  readonly revokedAt: Instant | null;
}

export interface NewKey {
  readonly id: string;
  readonly prefix: string;
  /** Keyed hash by which the key is found. */
  readonly lookup: string;
  /** Encrypted plaintext, as text; bound to organization and key. */
  readonly envelope: string;
}

export interface KeyWithEnvelope extends ApiKey {
  readonly envelope: string;
}

export interface KeyHolder {
  readonly key: ApiKey;
  readonly organization: Organization;
  readonly ownerSuspendedAt: Instant | null;
}

type KeyState = "active" | "grace" | "revoked";

/** A rotated key works for this long, and not a millisecond longer. */
export const ROTATION_GRACE_MILLISECONDS = MILLISECONDS_PER_DAY;

type KeyTimes = Pick<ApiKey, "revokeAt" | "revokedAt">;

export function keyState({ revokeAt, revokedAt }: KeyTimes, now: Instant): KeyState {
  if (revokedAt !== null || (revokeAt !== null && now >= revokeAt)) return "revoked";
  return revokeAt === null ? "active" : "grace";
}

/** The one key that is neither replaced nor revoked. */
export function currentKey<K extends KeyTimes>(keys: readonly K[]): K | null {
  return keys.find(({ revokeAt, revokedAt }) => revokeAt === null && revokedAt === null) ?? null;
}

interface Rotation {
  /** Gets its `revokeAt`. */
  readonly replaced: { readonly id: string; readonly revokeAt: Instant } | null;
  /** End at once: those that were still in the grace of an earlier rotation. */
  readonly revoked: readonly string[];
}

/** What a rotation does to the keys there are, before the new one joins them. */
export function rotation(keys: readonly ApiKey[], now: Instant): Rotation {
  const current = currentKey(keys);
  return {
    replaced: current && { id: current.id, revokeAt: now + ROTATION_GRACE_MILLISECONDS },
    revoked: keys.filter((key) => keyState(key, now) === "grace").map(({ id }) => id),
  };
}

/** That many bytes of unpredictable randomness. */
export type Random = (bytes: number) => Uint8Array;

/** What a token of two parts opens: a session, or a mailed link that works once. */
export type TokenKind = "fxs_" | "fxo_";
type IdPrefix = "org_" | "key_" | "idn_" | "ses_" | "otk_" | "whe_";

/** For secret scanners: it finds every API key, and next to nothing else. */
export const API_KEY_PATTERN = "\\bfxk_[0-9A-Za-z]{38}\\b";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = ALPHABET.length;
/** The largest multiple of 62 that a byte can hold: higher bytes are drawn again, so that all characters are equally likely. */
const FAIR_BYTES = 248;

const SECRET_CHARACTERS = 32; // 190 bits
const ID_CHARACTERS = 20; // 119 bits
const CHECK_CHARACTERS = 6; // 62^6 > 2^32
const SHOWN_CHARACTERS = 8;

const API_KEY = /^fxk_[0-9A-Za-z]{38}$/;
const TOKEN = /^(?:fxs|fxo)_[0-9A-Za-z]{58}$/;
const HASH = /^[0-9a-f]{64}$/;
const ID = /^(?:org|key|idn|ses|otk|whe)_[0-9A-Za-z]{20}$/;

/** `fxk_`, 32 random characters, and the check over these 36: 42 characters. */
export function newApiKey(random: Random): string {
  return withCheck(`fxk_${randomText(random, SECRET_CHARACTERS)}`);
}

/** Whether a text has the shape of a key and its check is right. The key need not exist. */
export function isApiKey(text: string): boolean {
  return API_KEY.test(text) && hasCheck(text);
}

/** What may be displayed and logged of a key: `fxk_` and the first 8 characters; 24 more stay unknown. */
export function shownPrefix(key: string): string {
  return key.slice(0, 4 + SHOWN_CHARACTERS);
}

/** `org_` and the like, and 20 random characters. */
export function newId(prefix: IdPrefix, random: Random): string {
  return `${prefix}${randomText(random, ID_CHARACTERS)}`;
}

export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(prefix) && ID.test(text);
}

/** What is stored of a token: the id of its row, `ses_…` or `otk_…`, and the SHA-256 of its secret, 64 hex digits. */
export interface StoredToken {
  readonly id: string;
  readonly secretHash: string;
}

const ID_OF_TOKEN = { fxs_: "ses_", fxo_: "otk_" } as const satisfies Record<TokenKind, IdPrefix>;

/** The token: its kind, the id's 20 characters, the secret's 32, and the check over these 56: 62 characters. */
export function issueToken(kind: TokenKind, random: Random): StoredToken & { readonly token: string } {
  const id = newId(ID_OF_TOKEN[kind], random);
  const secret = randomText(random, SECRET_CHARACTERS);
  return { id, secretHash: hashOf(secret), token: withCheck(`${kind}${id.slice(4)}${secret}`) };
}

/** The row of a presented token, and the hash to compare; null for what was never issued in this form. */
export function readToken(kind: TokenKind, text: string): StoredToken | null {
  if (!text.startsWith(kind) || !TOKEN.test(text) || !hasCheck(text)) return null;
  const secretAt = 4 + ID_CHARACTERS;
  return {
    id: `${ID_OF_TOKEN[kind]}${text.slice(4, secretAt)}`,
    secretHash: hashOf(text.slice(secretAt, -CHECK_CHARACTERS)),
  };
}

/** Whether the presented token has the secret that was stored. Takes as long for every hash. */
export function matchesHash({ secretHash }: StoredToken, storedHash: string): boolean {
  if (!HASH.test(secretHash) || !HASH.test(storedHash)) return false;
  return timingSafeEqual(Buffer.from(secretHash, "hex"), Buffer.from(storedHash, "hex"));
}

/** A fast hash is right here: 190 random bits cannot be guessed, however fast the guesses are. */
function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** `characters` of base62, all equally likely. */
export function randomText(random: Random, characters: number): string {
  let text = "";
  while (text.length < characters) {
    for (const byte of random(characters - text.length)) {
      if (byte < FAIR_BYTES) text += ALPHABET[byte % BASE];
    }
  }
  return text;
}

function withCheck(text: string): string {
  return `${text}${checkOf(text)}`;
}

function hasCheck(text: string): boolean {
  return text.endsWith(checkOf(text.slice(0, -CHECK_CHARACTERS)));
}

/** CRC-32 in base62, most significant digit first: it differs after any change of one character and any swap of two. */
function checkOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let place = 0; place < CHECK_CHARACTERS; place++) {
    digits = `${ALPHABET[rest % BASE]}${digits}`;
    rest = Math.floor(rest / BASE);
  }
  return digits;
}

/** CRC-32/ISO-HDLC, that of gzip and PNG, of a text in ASCII: reflected 0x04C11DB7, all ones before and after. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
