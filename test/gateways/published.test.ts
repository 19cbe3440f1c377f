/** docs/security.md publishes what others rely on; it is what the code does. */

import { expect, test } from "bun:test";
import { API_KEY_PATTERN, isApiKey } from "#domain/account/key.ts";
import { openCookies } from "#gateways/cookies.ts";
import { readKeyring } from "#gateways/vault/keyring.ts";
import vectors from "./vault/vectors.json";

const text = await Bun.file(`${import.meta.dir}/../../docs/security.md`).text();

test("the pattern for secret scanners is published", () => {
  expect(text).toContain(`\n${API_KEY_PATTERN}\n`);
});

test("every published example key has a valid check", () => {
  const keys = text.match(new RegExp(API_KEY_PATTERN, "g")) ?? [];
  expect(keys.length).toBeGreaterThanOrEqual(3);
  expect(keys.filter((key) => !isApiKey(key))).toEqual([]);
});

test("the vault's vector is the one that is tested", () => {
  const [, example = ""] = /```json\n([\s\S]*?)```/.exec(text) ?? [];
  expect(JSON.parse(example)).toEqual(vectors);
});

test("the published command prints the pepper of a master key that is to be taken out", () => {
  const [, command = ""] = /```sh\n(bun -e .*) < old-key\n```/.exec(text) ?? [];
  const [id, oldKey = ""] = vectors.masterKeys.split(":");
  const { stdout } = Bun.spawnSync(["sh", "-c", command], { stdin: Buffer.from(`${oldKey}\n`) });
  const settings = { masterKeys: vectors.masterKeys, keyPepper: stdout.toString().trim() };
  expect(readKeyring(settings)).toEqual(readKeyring({ ...settings, keyPepper: `hkdf:${id}` }));
  expect(readKeyring(settings).faults).toEqual([]);
});

test.each(["https://rates.example.com", "http://localhost:3000"])(
  "the cookies of %s have the published names",
  (site) => {
    const { session, device, signIn } = openCookies(site);
    for (const { name } of [session, device, signIn]) expect(text).toContain(`\`${name}\``);
  },
);
