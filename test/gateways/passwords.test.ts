/** Passwords: which are accepted, and that the process answers while hashing. */

import { expect, test } from "bun:test";
import { openPasswords } from "#gateways/passwords.ts";

const GOOD = "a fine long password";
const FROM = "192.0.2.7";

test("the right password matches its hash, any other does not, and the same password hashes differently", async () => {
  const passwords = openPasswords();
  const [hash, again] = [await passwords.hash(GOOD, FROM), await passwords.hash(GOOD, FROM)];
  expect(hash).toStartWith("$argon2id$v=19$m=19456,t=4,p=1$");
  expect(again).not.toBe(hash);
  expect(await passwords.verify(GOOD, hash, FROM)).toBe(true);
  expect(await passwords.verify(`${GOOD} `, hash, FROM)).toBe(false);
  expect(await passwords.verify("", hash, FROM)).toBe(false);
});

test.each([
  ["123456789", "too_short"],
  ["🔑".repeat(9), "too_short"],
  ["x".repeat(9).concat("y"), "too_common"],
  ["Password123", "too_common"],
  ["QWERTYUIOP", "too_common"],
  ["ＰＡＳＳＷＯＲＤ１２３", "too_common"],
  [`${"ab1".repeat(67)}`, "too_long"],
  ["no\0null in text", "not_text"],
  ["half a pair \uD83D", "not_text"],
  ["0123456789a", null],
  ["🔑🚪🏠🌲🌊🔥🌍⭐🎈🎁", null],
  [`${"ab1".repeat(66)}xy`, null],
  ["all lower case", null],
] as const)("the rules for setting %p: %p", (password, fault) => {
  expect(openPasswords().fault(password)).toBe(fault);
});

test("a password that breaks the rules is not hashed", async () => {
  await expect(openPasswords().hash("short", FROM)).rejects.toThrow("too_short");
});

test("one password typed on two keyboards is the same password", async () => {
  const passwords = openPasswords();
  const hash = await passwords.hash("cafe\u0301 cafe\u0301", FROM);
  expect(await passwords.verify("caf\u00e9 caf\u00e9", hash, FROM)).toBe(true);
});

test("a text that is no argon2id hash matches nothing, and is no error", async () => {
  const passwords = openPasswords();
  const bcrypt = await Bun.password.hash(GOOD, { algorithm: "bcrypt", cost: 4 });
  for (const stored of ["", "plain", GOOD, bcrypt, "$argon2id$v=19$m=19456,t=4,p=1$broken"]) {
    expect(await passwords.verify(GOOD, stored, FROM)).toBe(false);
  }
});

test("an absurdly long password costs no more than a long one, and a broken text does not match", async () => {
  const passwords = openPasswords();
  const hash = await passwords.hash("\uFFFD long enough now", FROM);
  expect(await passwords.verify("x".repeat(5_000_000), hash, FROM)).toBe(false);
  expect(await passwords.verify("\uD83D long enough now", hash, FROM)).toBe(false);
});

test("a hash with other parameters asks to be made again", async () => {
  const passwords = openPasswords();
  const weaker = await Bun.password.hash(GOOD, { algorithm: "argon2id", memoryCost: 8192, timeCost: 1 });
  expect(passwords.needsRehash(weaker)).toBe(true);
  expect(await passwords.verify(GOOD, weaker, FROM)).toBe(true);
  expect(passwords.needsRehash(await passwords.hash(GOOD, FROM))).toBe(false);
});

test("too many at once are refused with a documented failure, and the rest are done", async () => {
  const passwords = openPasswords(2);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => passwords.verify(GOOD, null, FROM)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "fulfilled",
    "rejected",
    "rejected",
  ]);
  const [refused] = outcomes.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  expect(refused?.reason).toMatchObject({ name: "Failure", code: "auth_unavailable" });
});

test("the process continues to answer while eight hashes are made", async () => {
  const passwords = openPasswords();
  let answered = 0;
  const hashes = Promise.all(Array.from({ length: 8 }, () => passwords.hash(GOOD, FROM)));
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("ok") });
  let done = false;
  hashes.finally(() => {
    done = true;
  });
  while (!done) {
    expect(await (await fetch(server.url)).text()).toBe("ok");
    answered++;
  }
  await hashes;
  await server.stop(true);
  // Hashing on the event loop would let at most one request through between two hashes.
  expect(answered).toBeGreaterThan(16);
});
