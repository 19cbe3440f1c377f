/** Seals secrets that are displayed again, in two layers, and computes the hash by which a key is found. */

import { createHmac } from "node:crypto";
import type { Random } from "#domain/account/key.ts";
import type { Envelope, SealedFor, Vault, VaultRefusal } from "#ports/identity.ts";
import {
  base64url,
  deriveKey,
  fromBase64url,
  KEY_BYTES,
  type Keyring,
  type MasterKey,
  markOf,
} from "./keyring.ts";

/** An envelope did not open. The message holds nothing of it. */
export class VaultFault extends Error {
  readonly refusal: VaultRefusal;
  constructor(refusal: VaultRefusal, detail: string) {
    super(detail);
    this.name = "VaultFault";
    this.refusal = refusal;
  }
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const WRAPPED_BYTES = NONCE_BYTES + KEY_BYTES + TAG_BYTES;
const LARGEST_PLAINTEXT = 16_384;
/** Names have no separator: different triples never join to the same text. */
const NAME = /^[A-Za-z0-9_.:-]{1,64}$/;

const UTF8 = new TextEncoder();
const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

type Bytes = Uint8Array<ArrayBuffer>;

/** `random` makes data keys and nonces: it must never repeat. */
export async function openVault(keyring: Keyring, random: Random): Promise<Vault> {
  const keks = new Map<string, CryptoKey>();
  for (const { id, bytes } of keyring.masterKeys) keks.set(id, await importKey(deriveKey(bytes, "kek")));
  const pepper = Buffer.from(keyring.pepper);
  const [first] = keyring.masterKeys;

  async function unwrap(envelope: Envelope, sealedFor: SealedFor) {
    const parts = partsOf(envelope);
    const kek = keks.get(envelope.kek_id);
    if (kek === undefined) throw new VaultFault("unknown_key", `no master key has the id ${envelope.kek_id}`);
    const nonce = parts.wrapped.subarray(0, NONCE_BYTES);
    const aad = wrapContext(envelope.kek_id, sealedFor);
    return { dek: await decrypt(kek, nonce, aad, parts.wrapped.subarray(NONCE_BYTES)), parts };
  }

  async function wrap(dek: Bytes, sealedFor: SealedFor): Promise<{ kek_id: string; wrapped_dek: string }> {
    const nonce = fresh(random, NONCE_BYTES);
    const aad = wrapContext(first.id, sealedFor);
    const wrapped = await encrypt(keks.get(first.id) as CryptoKey, nonce, aad, dek);
    return { kek_id: first.id, wrapped_dek: base64url(Buffer.concat([nonce, wrapped])) };
  }

  return {
    lookup: (key) => createHmac("sha256", pepper).update(key).digest("hex"),
    pepperMark: markOf(keyring.pepper),
    masterMarks: new Map(keyring.masterKeys.map(({ id, bytes }) => [id, markOf(bytes, "master-mark")])),

    async seal(plaintext, sealedFor) {
      const bytes = UTF8.encode(plaintext);
      if (bytes.length > LARGEST_PLAINTEXT)
        throw new RangeError(`at most ${LARGEST_PLAINTEXT} bytes can be sealed`);
      const [dek, nonce] = [fresh(random, KEY_BYTES), fresh(random, NONCE_BYTES)];
      const ciphertext = await encrypt(await importKey(dek), nonce, contextOf(sealedFor), bytes);
      return { v: 1, ...(await wrap(dek, sealedFor)), nonce: base64url(nonce), ct: base64url(ciphertext) };
    },

    async open(envelope, sealedFor) {
      const { dek, parts } = await unwrap(envelope, sealedFor);
      const bytes = await decrypt(await importKey(dek), parts.nonce, contextOf(sealedFor), parts.ciphertext);
      return STRICT_UTF8.decode(bytes);
    },

    async rewrap(envelope, sealedFor) {
      const { dek } = await unwrap(envelope, sealedFor);
      return { ...envelope, ...(await wrap(dek, sealedFor)) };
    },

    needsRewrap: (envelope) => envelope.kek_id !== first.id,
  };
}

/** The owner that an envelope is bound to, authenticated with the ciphertext. */
function contextOf({ org, id, purpose }: SealedFor): Bytes {
  for (const name of [org, id, purpose]) {
    if (!NAME.test(name)) throw new TypeError("a secret is sealed for three names of A-Z a-z 0-9 _ . : -");
  }
  return UTF8.encode(`${org}|${id}|${purpose}`);
}

/** A data key is bound to the same names, to the format's version, and to the master key that wraps it. */
function wrapContext(kekId: MasterKey["id"], sealedFor: SealedFor): Bytes {
  return UTF8.encode(`1|${kekId}|${STRICT_UTF8.decode(contextOf(sealedFor))}`);
}

/** The envelope's bytes. It comes from a database, so its shape is checked. */
function partsOf(envelope: Envelope) {
  const { v, kek_id, wrapped_dek, nonce, ct } = envelope;
  if (v !== 1 || [kek_id, wrapped_dek, nonce, ct].some((text) => typeof text !== "string")) throw malformed();
  const parts = [wrapped_dek, nonce, ct].map(fromBase64url);
  const [wrapped, nonceBytes, ciphertext] = parts;
  if (wrapped?.length !== WRAPPED_BYTES || nonceBytes?.length !== NONCE_BYTES) throw malformed();
  if (ciphertext == null || ciphertext.length < TAG_BYTES) throw malformed();
  return { wrapped, nonce: nonceBytes, ciphertext };
}

function malformed(): VaultFault {
  return new VaultFault("malformed", "not an envelope of this product");
}

function fresh(random: Random, length: number): Bytes {
  return new Uint8Array(random(length));
}

function importKey(bytes: Bytes): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
}

async function encrypt(key: CryptoKey, iv: Bytes, additionalData: Bytes, plain: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData }, key, plain));
}

async function decrypt(key: CryptoKey, iv: Bytes, additionalData: Bytes, sealed: Bytes): Promise<Bytes> {
  try {
    return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData }, key, sealed));
  } catch {
    throw new VaultFault("not_authentic", "the envelope was changed, or belongs to something else");
  }
}
