/** The keyring's two settings: what they accept, and that each fault is reported without the secret in it. */

import { expect, test } from "bun:test";
import { keyringFaults, markOf, readKeyring } from "#gateways/vault/keyring.ts";
import { countingKey, keyringOf } from "./keyrings.ts";

const KEY = countingKey(0);
const OTHER = countingKey(100);

const faultsOf = (masterKeys: string | null, keyPepper: string | null = null) =>
  readKeyring({ masterKeys, keyPepper }).faults;

test("the first key encrypts, and spaces around entries do not matter", () => {
  const { masterKeys } = keyringOf(` new:${OTHER} , old:${KEY} `, countingKey(7));
  expect(masterKeys.map(({ id }) => id)).toEqual(["new", "old"]);
  expect(Buffer.from(masterKeys[1]?.bytes as Uint8Array).toString("base64")).toBe(KEY);
});

test("both alphabets of base64 are read, with and without padding", () => {
  const text = Buffer.from(Uint8Array.from({ length: 32 }, (_, index) => 255 - index)).toString("base64");
  expect(text).toContain("/");
  for (const spelling of [text, text.replace(/=/g, ""), text.replaceAll("/", "_").replaceAll("+", "-")]) {
    expect(keyringOf(`k:${spelling}`).masterKeys[0].bytes[0]).toBe(255);
  }
});

test.each([
  [null, "write <id>:<base64>"],
  ["", "write <id>:<base64>"],
  [KEY, "write <id>:<base64>"],
  [`:${KEY}`, "write <id>:<base64>"],
  [`a b:${KEY}`, "write <id>:<base64>"],
  [`k:${KEY.slice(4)}`, "32 random bytes"],
  [`k:${KEY}AAAA`, "32 random bytes"],
  ["k:not base64 at all", "32 random bytes"],
  [`k:${Buffer.alloc(32).toString("base64")}`, "32 random bytes"],
  [`k:${KEY},k:${OTHER}`, "twice"],
  [`k:${KEY},l:${KEY}`, "same key"],
  [Array.from({ length: 17 }, (_, index) => `k${index}:${countingKey(index)}`).join(","), "at most 16"],
])("faulty master keys are refused: %#", (masterKeys, message) => {
  const faults = faultsOf(masterKeys, countingKey(7));
  expect(faults.join("\n")).toContain(message);
  expect(faults.join("\n")).not.toContain(KEY.slice(0, 12));
});

test.each([
  ["hkdf:gone", "has to name"],
  ["short", "32 random bytes"],
  [Buffer.alloc(32, 1).toString("base64"), "32 random bytes"],
])("a faulty pepper is refused: %s", (keyPepper, message) => {
  expect(faultsOf(`k:${KEY}`, keyPepper).join("\n")).toContain(message);
});

test("with several master keys the pepper must be configured, so that an order never decides it", () => {
  expect(faultsOf(`new:${OTHER},old:${KEY}`).join()).toContain("hkdf:<id>");
  expect(faultsOf(`new:${OTHER},old:${KEY}`, "hkdf:old")).toEqual([]);
  expect(keyringOf(`new:${OTHER},old:${KEY}`, "hkdf:old").pepper).toEqual(keyringOf(`old:${KEY}`).pepper);
});

test("a derived pepper can be pinned as bytes, after which its master key may go", () => {
  const derived = keyringOf(`old:${KEY}`).pepper;
  const pinned = keyringOf(`new:${OTHER}`, Buffer.from(derived).toString("base64"));
  expect(pinned.pepper).toEqual(derived);
  expect(markOf(pinned.pepper)).toBe(markOf(derived));
});

test("production refuses to start without master keys of its own", () => {
  const nothing = { masterKeys: null, keyPepper: null };
  expect(keyringFaults(nothing, true).join()).toMatch(/^MASTER_KEYS is empty: .*secrets\/master.key/);
  expect(keyringFaults(nothing, false)).toEqual([]);
  expect(keyringFaults({ masterKeys: `k:${KEY}`, keyPepper: null }, true)).toEqual([]);
  expect(keyringFaults({ masterKeys: "k:bad", keyPepper: null }, false)).not.toEqual([]);
  expect(keyringFaults({ masterKeys: null, keyPepper: KEY }, false).join()).toContain("KEY_PEPPER is set");
});
