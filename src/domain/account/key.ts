/** API keys and their states (active, in its grace period, revoked), and the formats of all issued credentials: a mistyped one is refused without a lookup. See docs/security.md. */

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
const ROTATION_GRACE_MILLISECONDS = MILLISECONDS_PER_DAY;

type KeyTimes = Pick<ApiKey, "revokeAt" | "revokedAt">;

export function keyState({ revokeAt, revokedAt }: KeyTimes, now: Instant): KeyState {
  if (revokedAt !== null || (revokeAt !== null && now >= revokeAt)) return "revoked";
  return revokeAt === null ? "active" : "grace";
}

/** False only for a key that every process refuses: by another process's clock a grace period may still run. */
export function mayWork({ revokedAt }: KeyTimes): boolean {
  return revokedAt === null;
}

/** The one key that is neither replaced nor revoked. */
export function currentKey<K extends KeyTimes>(keys: readonly K[]): K | null {
  return keys.find(({ revokeAt, revokedAt }) => revokeAt === null && revokedAt === null) ?? null;
}

/** What a new key replaces: the current key, with the end of its grace period; and keys of earlier rotations, which end at once. */
export function rotation(keys: readonly ApiKey[], now: Instant) {
  const current = currentKey(keys);
  return {
    replaced: current && { id: current.id, revokeAt: now + ROTATION_GRACE_MILLISECONDS },
    revoked: keys.filter((key) => key.id !== current?.id && mayWork(key)),
  };
}

/** Returns so many unpredictable bytes. */
export type Random = (bytes: number) => Uint8Array;

export type IdPrefix = "org_" | "key_" | "idn_" | "ses_" | "otk_" | "whe_";

/** For secret scanners: it finds every API key, and next to nothing else. */
export const API_KEY_PATTERN = "\\bfxk_[0-9A-Za-z]{38}\\b";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = ALPHABET.length;
/** The largest multiple of 62 in a byte's range. Higher bytes are drawn again: all characters are then equally likely. */
const FAIR_BYTES = 248;

export const SECRET_CHARACTERS = 32; // 190 bits
export const ID_CHARACTERS = 20; // 119 bits
export const CHECK_CHARACTERS = 6; // 62^6 > 2^32
const SHOWN_CHARACTERS = 8;

const API_KEY = /^fxk_[0-9A-Za-z]{38}$/;
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

export function withCheck(text: string): string {
  return `${text}${checkOf(text)}`;
}

export function hasCheck(text: string): boolean {
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

/**
 * CRC-32/ISO-HDLC, as in gzip and PNG, of an ASCII text: reflected 0x04C11DB7, all ones before and after. Written out because browser
 * scripts import this file, and browsers have no CRC-32.
 */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
