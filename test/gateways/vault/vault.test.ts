/** The vault: what is sealed comes back for its owner alone; any change is noticed; master keys can be changed. */

import { expect, test } from "bun:test";
import { createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import { openVault, VaultFault } from "#gateways/vault/vault.ts";
import type { Envelope, SealedFor } from "#ports/identity.ts";
import { seededBytes } from "#test/gateways/random.ts";
import { countingKey, keyringOf } from "./keyrings.ts";
import vectors from "./vectors.json";

const OWNER: SealedFor = { org: "org_0", id: "key_0", purpose: "api_key" };
const OLD = `old:${countingKey(0)}`;
const NEW = `new:${countingKey(100)}`;
const FIXED_PEPPER = countingKey(50);
const SECRET = "fxk_0123456789ABCDEFGHIJKLMNOPQRSTUV2ojSWu";

const openOld = (seed = 1) => openVault(keyringOf(OLD, FIXED_PEPPER), seededBytes(seed));

async function refusalOf(opening: Promise<unknown>): Promise<string> {
  try {
    await opening;
  } catch (error) {
    if (error instanceof VaultFault) return error.refusal;
    throw error;
  }
  return "opened";
}

test.each(["", SECRET, "whsec_ünï…\u0000🔑", "\uFEFFmark", "x".repeat(16_384)])(
  "what was sealed comes back: %#",
  async (plaintext) => {
    const vault = await openOld();
    expect(await vault.open(await vault.seal(plaintext, OWNER), OWNER)).toBe(plaintext);
  },
);

test("more than 16,384 bytes are not sealed", async () => {
  const vault = await openOld();
  await expect(vault.seal("é".repeat(8193), OWNER)).rejects.toThrow(RangeError);
});

test("the published vectors hold: sealing, look-up and mark", async () => {
  const { masterKeys, keyPepper, sealedFor, plaintext, envelope, lookup, pepperMark } = vectors;
  const vault = await openVault(keyringOf(masterKeys, keyPepper), (count) => new Uint8Array(count).fill(7));
  expect(await vault.seal(plaintext, sealedFor)).toEqual(envelope as Envelope);
  expect(await vault.open(envelope as Envelope, sealedFor)).toBe(plaintext);
  expect(vault.lookup(plaintext)).toBe(lookup);
  expect(vault.pepperMark).toBe(pepperMark);
});

test("an envelope can be opened with nothing but the documented steps", () => {
  const { masterKeys, keyPepper, sealedFor, plaintext, envelope, lookup } = vectors;
  const bytes = (text: string) => Buffer.from(text, "base64url");
  const [id = "", master = ""] = masterKeys.split(":");
  const context = `${sealedFor.org}|${sealedFor.id}|${sealedFor.purpose}`;
  const kek = Buffer.from(hkdfSync("sha256", bytes(master), "", "crossrate/kek/v1", 32));
  const wrapped = bytes(envelope.wrapped_dek);
  const dek = decrypt(kek, wrapped.subarray(0, 12), `1|${id}|${context}`, wrapped.subarray(12));
  expect(decrypt(dek, bytes(envelope.nonce), context, bytes(envelope.ct)).toString()).toBe(plaintext);
  expect(createHmac("sha256", bytes(keyPepper)).update(plaintext).digest("hex")).toBe(lookup);
});

function decrypt(key: Buffer, nonce: Buffer, aad: string, sealed: Buffer): Buffer {
  const cipher = createDecipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(Buffer.from(aad));
  cipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()]);
}

test("a change of any character of an envelope is refused, one that means the same bytes too", async () => {
  const vault = await openOld();
  const envelope = await vault.seal("14 bytes long!", OWNER);
  for (const field of ["kek_id", "wrapped_dek", "nonce", "ct"] as const) {
    for (let at = 0; at < envelope[field].length; at++) {
      for (const other of "AQgwB_- =") {
        const text = envelope[field].slice(0, at) + other + envelope[field].slice(at + 1);
        if (text === envelope[field]) continue;
        expect(await refusalOf(vault.open({ ...envelope, [field]: text }, OWNER))).not.toBe("opened");
      }
    }
  }
});

test("an envelope of another shape is refused as malformed", async () => {
  const vault = await openOld();
  const envelope = await vault.seal(SECRET, OWNER);
  const misshapen: unknown[] = [
    {},
    { ...envelope, v: 2 },
    { ...envelope, v: "1" },
    { ...envelope, nonce: 7 },
    { ...envelope, ct: "" },
    { ...envelope, ct: envelope.ct.slice(0, 20) },
    { ...envelope, nonce: envelope.nonce.slice(4) },
    { ...envelope, wrapped_dek: `${envelope.wrapped_dek}AAAA` },
  ];
  for (const shape of misshapen) {
    expect(await refusalOf(vault.open(shape as Envelope, OWNER))).toBe("malformed");
  }
});

test("an envelope opens for no other organization, row or purpose", async () => {
  const vault = await openOld();
  const envelope = await vault.seal(SECRET, OWNER);
  for (const other of [
    { ...OWNER, org: "org_1" },
    { ...OWNER, id: "key_1" },
    { ...OWNER, purpose: "webhook" },
    { ...OWNER, org: OWNER.id, id: OWNER.org },
  ]) {
    expect(await refusalOf(vault.open(envelope, other))).toBe("not_authentic");
    expect(await refusalOf(vault.rewrap(envelope, other))).toBe("not_authentic");
  }
});

test.each(["", "a|b", "org 0", "x".repeat(65)])(
  "%p is no name to seal for, so that no two owners read alike",
  async (org) => {
    const vault = await openOld();
    await expect(vault.seal(SECRET, { ...OWNER, org })).rejects.toThrow(TypeError);
  },
);

test("sealed twice, nothing of an envelope comes again, and parts of two do not make a third", async () => {
  const random = seededBytes(11);
  const drawn = new Set<string>();
  const vault = await openVault(keyringOf(OLD), (length) => {
    const bytes = random(length);
    drawn.add(Buffer.from(bytes).toString("hex"));
    return bytes;
  });
  const [a, b] = [await vault.seal("same", OWNER), await vault.seal("same", OWNER)];
  // Of each the data key, its nonce, and the nonce of its wrapping: none is part of another.
  expect(drawn.size).toBe(6);
  for (const part of ["ct", "nonce", "wrapped_dek"] as const) expect(a[part]).not.toBe(b[part]);
  expect(await refusalOf(vault.open({ ...a, ct: b.ct, nonce: b.nonce }, OWNER))).toBe("not_authentic");
  expect(await refusalOf(vault.open({ ...a, wrapped_dek: b.wrapped_dek }, OWNER))).toBe("not_authentic");
});

test("a new master key in front: old envelopes open, are rewrapped, and then need the old key no more", async () => {
  const old = await openOld();
  const envelope = await old.seal(SECRET, OWNER);
  const both = await openVault(keyringOf(`${NEW},${OLD}`, FIXED_PEPPER), seededBytes(2));
  expect(both.needsRewrap(envelope)).toBe(true);
  expect(await both.open(envelope, OWNER)).toBe(SECRET);

  const rewrapped = await both.rewrap(envelope, OWNER);
  expect(both.needsRewrap(rewrapped)).toBe(false);
  expect({ ct: rewrapped.ct, nonce: rewrapped.nonce }).toEqual({ ct: envelope.ct, nonce: envelope.nonce });

  const onlyNew = await openVault(keyringOf(NEW, FIXED_PEPPER), seededBytes(3));
  expect(await onlyNew.open(rewrapped, OWNER)).toBe(SECRET);
  expect(await refusalOf(onlyNew.open(envelope, OWNER))).toBe("unknown_key");
  expect(await refusalOf(old.open(rewrapped, OWNER))).toBe("unknown_key");
});

test("the name of a master key is bound to what it wraps", async () => {
  const envelope = await (await openOld()).seal(SECRET, OWNER);
  const renamed = await openVault(keyringOf(`renamed:${countingKey(0)}`, FIXED_PEPPER), seededBytes(4));
  expect(await refusalOf(renamed.open({ ...envelope, kek_id: "renamed" }, OWNER))).toBe("not_authentic");
});

test("look-ups depend on the pepper and on nothing else", async () => {
  const vaults = [
    await openVault(keyringOf(OLD, FIXED_PEPPER), seededBytes(5)),
    await openVault(keyringOf(`${NEW},${OLD}`, FIXED_PEPPER), seededBytes(6)),
    await openVault(keyringOf(NEW, FIXED_PEPPER), seededBytes(7)),
  ];
  expect(new Set(vaults.map((vault) => vault.lookup(SECRET))).size).toBe(1);
  expect(new Set(vaults.map((vault) => vault.pepperMark)).size).toBe(1);
  const other = await openVault(keyringOf(OLD, countingKey(51)), seededBytes(8));
  expect(other.lookup(SECRET)).not.toBe((vaults[0] as typeof other).lookup(SECRET));
  expect(other.pepperMark).not.toBe((vaults[0] as typeof other).pepperMark);
});
