/** The keys that sign the history: from the setting, or `signing.key` in the data directory, made once with mode 0600. */

import { generateKeyPairSync } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readSigningKey, type SigningKey } from "#domain/chain/entry.ts";
import { makeFolder, syncPath } from "#store/disk/durable.ts";

const KEY_FILE = "signing.key";
/** A new key until the history names it. */
const NEXT_FILE = `${KEY_FILE}.next`;

/** A key cannot be used; the message holds nothing of its content. */
class SigningKeyFault extends Error {
  constructor(where: string, what: string, cause?: unknown) {
    super(`${where}: ${what}`, cause === undefined ? undefined : { cause });
    this.name = "SigningKeyFault";
  }
}

export interface SigningKeys {
  /** The key that is to sign from now on. */
  readonly wanted: SigningKey;
  /** Former ones that are still at hand: one of them signs the change. */
  readonly others: readonly SigningKey[];
}

/** `given` are those of the setting, the wanted one first. */
export interface KeyPlace {
  readonly dataDir: string;
  readonly given: readonly SigningKey[];
}

/** Null where there is none. Throws SigningKeyFault for a file that is no such key. */
export function readKeys({ dataDir, given }: KeyPlace): SigningKeys | null {
  const files = [NEXT_FILE, KEY_FILE].flatMap((name) => keyIn(join(dataDir, name)) ?? []);
  const [wanted, ...others] = [...given, ...files];
  return wanted === undefined ? null : { wanted, others };
}

/** Of several processes that start at once one makes the key, and all read the same. */
export function makeKey({ dataDir, given }: KeyPlace): SigningKeys {
  writeKey(join(dataDir, KEY_FILE));
  return readKeys({ dataDir, given }) as SigningKeys;
}

/** Makes the next key; from the next opening on it is the wanted one. Throws SigningKeyFault where a setting has the key. */
export function makeNextKey({ dataDir, given }: KeyPlace): void {
  if (given.length > 0)
    throw new SigningKeyFault("LAKE_SIGNING_KEY", "it has the key: put the new one before it, with a comma");
  writeKey(join(dataDir, NEXT_FILE));
}

/** After the history has named the next key. */
export function adoptNextKey({ dataDir, given }: KeyPlace): void {
  const next = join(dataDir, NEXT_FILE);
  if (given.length > 0 || !existsSync(next)) return;
  renameSync(next, join(dataDir, KEY_FILE));
  syncPath(dataDir);
}

/** Complete under its name or not there; a file that exists is never replaced. */
function writeKey(path: string): void {
  makeFolder(dirname(path));
  const made = `${path}.${process.pid}.tmp`;
  rmSync(made, { force: true });
  try {
    const pem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" });
    writeFileSync(made, pem, { flag: "wx", mode: 0o600 });
    syncPath(made);
    linkSync(made, path);
    syncPath(dirname(path));
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "EEXIST") throw fault;
  } finally {
    rmSync(made, { force: true });
  }
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
