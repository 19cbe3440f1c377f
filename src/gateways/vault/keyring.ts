/** Parses the master keys and the pepper from two settings. No fault message repeats a secret. */

import { createHash, hkdfSync } from "node:crypto";
import { fromAnyBase64 } from "./encoding.ts";

export interface KeyringSettings {
  /** `id:base64,id2:base64`, 32 bytes each: the first encrypts, all decrypt. */
  readonly masterKeys: string | null;
  /** 32 bytes in base64, or `hkdf:<id>` for the pepper that follows from that master key. */
  readonly keyPepper: string | null;
}

export interface MasterKey {
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface Keyring {
  /** Not empty; the first encrypts. */
  readonly masterKeys: readonly [MasterKey, ...MasterKey[]];
  /** 32 bytes. */
  readonly pepper: Uint8Array<ArrayBuffer>;
}

export const KEY_BYTES = 32;
const MOST_KEYS = 16;
const KEY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

/**
 * What makes a configuration unusable before anything is opened. A production process never generates its keys: a new
 * container would start with others, and what the last one sealed would be lost.
 */
export function keyringFaults(settings: KeyringSettings, production: boolean): readonly string[] {
  if (settings.masterKeys !== null) return readKeyring(settings).faults;
  const faults: string[] = [];
  if (production)
    faults.push(
      "MASTER_KEYS is empty: in production set it to <id>:<32 bytes in base64>, made with: openssl rand -base64 32",
    );
  if (settings.keyPepper !== null)
    faults.push("KEY_PEPPER is set and MASTER_KEYS is not: set both, or neither outside production");
  return faults;
}

/** The keyring of the two settings, or what is wrong with them. */
export function readKeyring(
  settings: KeyringSettings,
): { readonly keyring: Keyring; readonly faults: readonly [] } | { readonly faults: readonly string[] } {
  const faults: string[] = [];
  const [first, ...others] = masterKeysOf(settings.masterKeys ?? "", faults);
  if (first === undefined || faults.length > 0) return { faults };
  const pepper = pepperOf(settings.keyPepper, [first, ...others], faults);
  return pepper === null ? { faults } : { keyring: { masterKeys: [first, ...others], pepper }, faults: [] };
}

/** A key for one use only, 32 bytes: no two uses share one, and none gives the master key away. */
export function deriveKey(master: Uint8Array, use: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync("sha256", master, "", `crossrate/${use}/v1`, KEY_BYTES));
}

function masterKeysOf(text: string, faults: string[]): MasterKey[] {
  const words = text.split(",").map((word) => word.trim());
  if (words.length > MOST_KEYS) faults.push(`MASTER_KEYS: at most ${MOST_KEYS} keys`);
  const keys: MasterKey[] = [];
  for (const [index, word] of words.slice(0, MOST_KEYS).entries()) {
    const colon = word.indexOf(":");
    const id = word.slice(0, Math.max(colon, 0));
    const which = KEY_ID.test(id) ? id : `entry ${index + 1}`;
    const bytes = fromAnyBase64(word.slice(colon + 1));
    if (!KEY_ID.test(id))
      faults.push(`MASTER_KEYS ${which}: write <id>:<base64>; an id is of A-Z a-z 0-9 . _ -`);
    else if (keys.some((key) => key.id === id)) faults.push(`MASTER_KEYS ${which}: this id is there twice`);
    else if (!isStrong(bytes))
      faults.push(`MASTER_KEYS ${which}: ${KEY_BYTES} random bytes in base64 are needed`);
    else if (keys.some((key) => Buffer.from(key.bytes).equals(bytes)))
      faults.push(`MASTER_KEYS ${which}: another id has the same key`);
    else keys.push({ id, bytes });
  }
  return keys;
}

function pepperOf(
  text: string | null,
  keys: readonly [MasterKey, ...MasterKey[]],
  faults: string[],
): Uint8Array<ArrayBuffer> | null {
  if (text === null) {
    if (keys.length === 1) return deriveKey(keys[0].bytes, "pepper");
    // A rotation puts a new key in front: whose pepper stays must not depend on an order.
    faults.push(
      "KEY_PEPPER is empty and MASTER_KEYS has several keys: set hkdf:<id> with the id of the key that was there first",
    );
    return null;
  }
  if (text.startsWith("hkdf:")) {
    const key = keys.find(({ id }) => id === text.slice("hkdf:".length));
    if (key !== undefined) return deriveKey(key.bytes, "pepper");
    faults.push("KEY_PEPPER: hkdf:<id> has to name one of the MASTER_KEYS");
    return null;
  }
  const bytes = fromAnyBase64(text);
  if (isStrong(bytes)) return bytes;
  faults.push(`KEY_PEPPER: ${KEY_BYTES} random bytes in base64 are needed, or hkdf:<id>`);
  return null;
}

/** 32 bytes that are not a placeholder such as all zeros. */
function isStrong(bytes: Uint8Array<ArrayBuffer> | null): bytes is Uint8Array<ArrayBuffer> {
  return bytes !== null && bytes.length === KEY_BYTES && new Set(bytes).size > 8;
}

/** 16 hex digits that name a pepper, or a master key, without giving it away. */
export function markOf(secret: Uint8Array, use: "pepper-mark" | "master-mark" = "pepper-mark"): string {
  return createHash("sha256").update(deriveKey(secret, use)).digest("hex").slice(0, 16);
}
