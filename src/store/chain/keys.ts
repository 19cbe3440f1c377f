/** The keys that sign the history: from the setting, or `signing.key` in the data directory, made once with mode 0600. */

import { generateKeyPairSync } from "node:crypto";
import { existsSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { readSigningKey, type SigningKey } from "#domain/chain/entry.ts";
import { makeOnce } from "#store/delta/log.ts";
import { syncPath } from "#store/disk/durable.ts";

const KEY_FILE = "signing.key";
/** A new key until the history names it. */
const NEXT_FILE = `${KEY_FILE}.next`;

/** A key that cannot be used. The message has nothing of its content. */
class SigningKeyFault extends Error {
  constructor(where: string, what: string, cause?: unknown) {
    super(`${where}: ${what}`, cause === undefined ? undefined : { cause });
    this.name = "SigningKeyFault";
  }
}

export interface SigningKeys {
  readonly signer: SigningKey;
  /** Former keys that are still here: one of them signs the change of key. */
  readonly former: readonly SigningKey[];
}

export interface KeyPlace {
  readonly dataDir: string;
  /** Keys of the setting, the newest first. */
  readonly fromSetting: readonly SigningKey[];
}

/** Returns null without a key. Throws SigningKeyFault for a file that is no Ed25519 key. */
export function readKeys({ dataDir, fromSetting }: KeyPlace): SigningKeys | null {
  const files = () => [NEXT_FILE, KEY_FILE].flatMap((name) => keyIn(join(dataDir, name)) ?? []);
  // Beside the setting a file does not count: a person who can write into the directory could put another key there.
  const [signer, ...former] = fromSetting.length > 0 ? fromSetting : files();
  return signer === undefined ? null : { signer, former };
}

/** Makes the key and reads it: several processes that start at once all read the same one. */
export function makeKey(place: KeyPlace): SigningKeys {
  writeKey(join(place.dataDir, KEY_FILE));
  return readKeys(place) as SigningKeys;
}

/** Makes the next key, which signs after the next opening. Throws SigningKeyFault when LAKE_SIGNING_KEY has the key. */
export function makeNextKey({ dataDir, fromSetting }: KeyPlace): void {
  if (fromSetting.length > 0)
    throw new SigningKeyFault("LAKE_SIGNING_KEY", "it has the key: put the new one before it, with a comma");
  writeKey(join(dataDir, NEXT_FILE));
}

/** Renames signing.key.next to signing.key, once the history has named it. Does nothing when LAKE_SIGNING_KEY has the key. */
export function adoptNextKey({ dataDir, fromSetting }: KeyPlace): void {
  const next = join(dataDir, NEXT_FILE);
  if (fromSetting.length > 0 || !existsSync(next)) return;
  renameSync(next, join(dataDir, KEY_FILE));
  syncPath(dataDir);
}

function writeKey(path: string): void {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" });
  makeOnce(path, pem as string);
}

function keyIn(path: string): SigningKey | null {
  if (!existsSync(path)) return null;
  let text: string;
  try {
    text = readFileSync(path, "latin1");
  } catch (fault) {
    throw new SigningKeyFault(path, "it cannot be read: let this user read it", fault);
  }
  const key = readSigningKey(text);
  if (key !== null) return key;
  throw new SigningKeyFault(
    path,
    "it is no Ed25519 key in PEM: restore it from a backup; without it nothing can be added to the signed history",
  );
}
