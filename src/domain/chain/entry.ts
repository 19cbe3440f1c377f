/** One entry of the signed history: its canonical form, its hash and its signature. docs/signed-history.md is the public description. */

import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

export const CHAIN_FORMAT = "crossrate-chain/1";
/** `previous` of the first entry. */
export const NO_HASH = "0".repeat(64);

interface Common {
  /** 0 for the first entry, then one more for each. */
  readonly sequence: number;
  /** Lower-case hex SHA-256 of the canonical form of the entry before, without its signature. */
  readonly previous: string;
  /** UTC with milliseconds. For a commit, the instant in its log entry: the entry is then determined by the commit alone. */
  readonly at: string;
  readonly key: string;
}

export interface BeginBody extends Common {
  readonly kind: "begin";
  readonly format: typeof CHAIN_FORMAT;
  /** Random: it distinguishes histories. */
  readonly chain: string;
  readonly mode: "real" | "simulated";
  readonly public_key: string;
}

/** Versions of the tables that follow `daily`. */
export interface Pinned {
  readonly revisions: number;
  readonly held: number;
  /** Absent in entries from before that table existed. */
  readonly statements?: number;
}

export interface CommitBody extends Common {
  readonly kind: "commit";
  readonly table: string;
  readonly version: number;
  /** Lower-case hex SHA-256 of the bytes of the commit in `_delta_log`. */
  readonly sha256: string;
  /** Lower-case hex SHA-256 of `filesText` of this version. */
  readonly files: string;
  /** For `daily`: the versions of other tables that belong to this version. */
  readonly with?: Pinned;
}

export type SignedCommit = CommitBody & { readonly signature: string };

/** A new key, signed by the old one. */
interface KeyBody extends Common {
  readonly kind: "key";
  readonly new_key: string;
  readonly public_key: string;
}

/** After a repair: the table continues after `version`, and its later signed versions are given up. */
interface ResumeBody extends Common {
  readonly kind: "resume";
  readonly table: string;
  readonly version: number;
}

export type EntryBody = BeginBody | CommitBody | KeyBody | ResumeBody;
/** `signature`: base64 of the Ed25519 signature of the canonical form of everything else. */
export type Entry = EntryBody & { readonly signature: string };

const TEXTS = {
  begin: ["format", "chain", "public_key"],
  commit: ["table", "sha256", "files"],
  key: ["new_key", "public_key"],
  resume: ["table"],
};

/** Returns null for what has not the form of an entry, such as one of a kind that is not known here. */
export function readEntry(value: unknown): Entry | null {
  const entry = Object(value) as Record<string, unknown>;
  const texts = Object.entries(TEXTS).find(([kind]) => kind === entry["kind"])?.[1];
  const numbers = ["sequence", ...(texts?.includes("table") ? ["version"] : [])];
  const isEntry =
    texts !== undefined &&
    ["previous", "at", "key", "signature", ...texts].every((name) => typeof entry[name] === "string") &&
    numbers.every((name) => Number.isSafeInteger(entry[name]));
  return isEntry ? (value as Entry) : null;
}

/** The canonical JSON of RFC 8785, for the values in entries: ASCII texts, whole numbers and objects of them. */
export function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(",")}}`;
}

function signedText({ signature: _, ...body }: Entry): string {
  return canonical(body);
}

/** The hash that the next entry names as `previous`. */
export function hashOf(entry: Entry): string {
  return sha256(signedText(entry));
}

export function sealed(body: EntryBody, { privateKey }: SigningKey): Entry {
  return { ...body, signature: sign(null, Buffer.from(canonical(body)), privateKey).toString("base64") };
}

/** Whether a public key (base64 of its 32 bytes) has signed an entry. */
export function isSignedBy(entry: Entry, publicKey: string): boolean {
  const key = publicKeyOf(publicKey);
  if (key === null || typeof entry.signature !== "string") return false;
  return verify(null, Buffer.from(signedText(entry)), key, Buffer.from(entry.signature, "base64"));
}

export interface ListedFile {
  /** Relative to the table's folder. */
  readonly path: string;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** The text with the SHA-256 `files`: one line per data file of the version, by path, as `sha256sum` prints and checks it. */
export function filesText(files: Iterable<ListedFile>): string {
  return [...files]
    .sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ path, sha256: digest }) => `${digest}  ${path}\n`)
    .join("");
}

/** Lower-case hex. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

export interface SigningKey {
  /** The first 16 hex digits of the SHA-256 of the public key's bytes. */
  readonly id: string;
  /** Base64 of its 32 bytes. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

/** What DER writes before the 32 bytes of an Ed25519 public key. */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");
const KEY_BYTES = 32;

function publicKeyOf(base64: string): KeyObject | null {
  const raw = Buffer.from(base64, "base64");
  if (raw.length !== KEY_BYTES) return null;
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: "der", type: "spki" });
}

export function keyIdOf(publicKey: string): string {
  return sha256(Buffer.from(publicKey, "base64")).slice(0, 16);
}

/** Reads an Ed25519 private key in PKCS #8, as PEM or as base64 of its DER; null for anything else. */
export function readSigningKey(text: string): SigningKey | null {
  try {
    const privateKey = text.includes("-----BEGIN")
      ? createPrivateKey(text)
      : createPrivateKey({ key: Buffer.from(text, "base64"), format: "der", type: "pkcs8" });
    return privateKey.asymmetricKeyType === "ed25519" ? signingKey(privateKey) : null;
  } catch {
    // An unreadable text is no key. The caller names its place, never its content.
    return null;
  }
}

function signingKey(privateKey: KeyObject): SigningKey {
  const spki = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  const publicKey = spki.subarray(SPKI_PREFIX.length).toString("base64");
  return { id: keyIdOf(publicKey), publicKey, privateKey };
}
