/** Links that work once: raced, replayed, replaced, too old, of another purpose, and the accounts that others prepare. */

import { afterEach, expect, test } from "bun:test";
import { changePassword } from "#accounts/identity/password.ts";
import { askReset, confirmReset } from "#accounts/identity/reset.ts";
import { signIn } from "#accounts/identity/sign-in.ts";
import { signUp } from "#accounts/identity/sign-up.ts";
import { askVerification, confirmVerification } from "#accounts/identity/verify.ts";
import { sessionCaller } from "#accounts/limits/caller.ts";
import { ATTEMPT_LIMITS } from "#domain/limits/attempts.ts";
import { openPasswords } from "#gateways/passwords.ts";
import { processorTimeOf } from "#test/processor-time.ts";
import { codeOf, type IdentityRig, openRig, PASSWORD, SITE, VISIT } from "./rig.ts";

let rig: IdentityRig;
afterEach(() => rig.stop());

const ADA = { email: "ada@example.com", password: PASSWORD };
const NEW = "eleven kites over Gouda";

test("signing up mails a link; after it the password works, before it nothing does", async () => {
  rig = await openRig("served");
  expect(await signUp(rig.deps, ADA, VISIT)).toEqual({ kind: "mailed", sent: true });
  expect(await codeOf(signIn(rig.deps, ADA, VISIT))).toBe("invalid_credentials");
  const token = await rig.linkTo(ADA.email);
  const identity = await confirmVerification(rig.deps, { token }, VISIT);
  expect(identity.emailVerifiedAt).toBe(rig.clock.now());
  await signIn(rig.deps, ADA, VISIT);
  expect(await codeOf(confirmVerification(rig.deps, { token }, VISIT))).toBe("validation_error");
});

test("a taken address answers as a free one does; its owner gets a letter with a way in", async () => {
  rig = await openRig("served");
  await rig.person(ADA.email);
  const taken = await signUp(rig.deps, { ...ADA, password: "a stranger's password" }, VISIT);
  const free = await signUp(rig.deps, { email: "grace@example.com", password: PASSWORD }, VISIT);
  expect(taken).toEqual(free);
  const letters = await rig.letters();
  expect(letters.map(({ to }) => to)).toEqual([[ADA.email], ["grace@example.com"]]);
  expect(letters[0]?.text).toContain(`${SITE}/reset-password#token=`);
  expect(letters[0]?.text).toContain("There is one already");
  // The stranger's password has changed nothing.
  await signIn(rig.deps, ADA, VISIT);
});

test("who signs up with another's address first does not get in by the owner's confirmation", async () => {
  rig = await openRig("served");
  await signUp(rig.deps, { ...ADA, password: "the stranger's password" }, VISIT);
  const strangers = await rig.linkTo(ADA.email);
  await signUp(rig.deps, ADA, VISIT);
  // The owner's mailbox holds both letters: only the newer one works, and it asks for a password.
  expect(await codeOf(confirmVerification(rig.deps, { token: strangers }, VISIT))).toBe("validation_error");
  await confirmReset(rig.deps, { token: await rig.linkTo(ADA.email), password: NEW }, VISIT);
  await signIn(rig.deps, { ...ADA, password: NEW }, VISIT);
  expect(await codeOf(signIn(rig.deps, { ...ADA, password: "the stranger's password" }, VISIT))).toBe(
    "invalid_credentials",
  );
});

test("without mail signing up signs in, and a taken address is a conflict", async () => {
  rig = await openRig();
  const signedUp = await signUp(rig.deps, ADA, VISIT);
  expect(signedUp.kind).toBe("signed_in");
  expect(await codeOf(signUp(rig.deps, ADA, VISIT))).toBe("conflict");
});

test("of twelve who sign up with one address at once, one does", async () => {
  rig = await openRig();
  const codes = await Promise.all(Array.from({ length: 12 }, () => codeOf(signUp(rig.deps, ADA, VISIT))));
  expect(codes.filter((code) => code === "it did not fail")).toHaveLength(1);
  expect(codes.filter((code) => code === "conflict")).toHaveLength(11);
}, 30_000);

test("asking for a new password says the same for every address, and writes to the known one only", async () => {
  rig = await openRig("served");
  await rig.person(ADA.email);
  expect(await askReset(rig.deps, ADA, VISIT)).toBe(
    await askReset(rig.deps, { email: "no@example.com" }, VISIT),
  );
  expect((await rig.letters()).map(({ to }) => to)).toEqual([[ADA.email]]);
});

test("a reset link sets the password once, however many race, ends every session, and confirms the address", async () => {
  rig = await openRig("served");
  const ada = await rig.person(ADA.email);
  const { token: session } = await signIn(rig.deps, ADA, VISIT);
  await askReset(rig.deps, ADA, VISIT);
  const token = await rig.linkTo(ADA.email);
  const wanted = Array.from({ length: 8 }, (_, nth) => `new password number ${nth}`);
  const codes = await Promise.all(
    wanted.map((password) => codeOf(confirmReset(rig.deps, { token, password }, VISIT))),
  );
  expect(codes.filter((code) => code === "it did not fail")).toHaveLength(1);
  expect(codes.filter((code) => code === "validation_error")).toHaveLength(7);
  const winner = wanted[codes.indexOf("it did not fail")] as string;
  await signIn(rig.deps, { ...ADA, password: winner }, VISIT);
  const caller = sessionCaller(rig.deps, {
    authorization: `Bearer ${session}`,
    cookie: null,
    origin: null,
    mutates: false,
  });
  expect(await codeOf(caller)).toBe("session_required");
  expect((await rig.ledger.identities.byId(ada.id))?.emailVerifiedAt).not.toBeNull();
}, 30_000);

test("a link that is replaced, too old, of the other purpose, or mistyped does nothing", async () => {
  rig = await openRig("served");
  const ada = await rig.person(ADA.email);
  await askReset(rig.deps, ADA, VISIT);
  const replaced = await rig.linkTo(ADA.email);
  await askReset(rig.deps, ADA, VISIT);
  const token = await rig.linkTo(ADA.email);
  const tries = [replaced, `${token.slice(0, -1)}~`, token.replace("fxo_", "fxs_"), "", "fxo_"];
  for (const dead of tries) {
    expect(await codeOf(confirmReset(rig.deps, { token: dead, password: NEW }, VISIT))).toBe(
      "validation_error",
    );
  }
  expect(await codeOf(confirmVerification(rig.deps, { token }, VISIT))).toBe("validation_error");
  rig.clock.at += 3_600_000;
  expect(await codeOf(confirmReset(rig.deps, { token, password: NEW }, VISIT))).toBe("validation_error");
  expect((await rig.ledger.identities.byId(ada.id))?.passwordHash).toBe(ada.passwordHash);
});

test("a password that may not be set leaves the link unused", async () => {
  rig = await openRig("served");
  await rig.person(ADA.email);
  await askReset(rig.deps, ADA, VISIT);
  const token = await rig.linkTo(ADA.email);
  for (const password of ["short", "aaaaaaaaaaaa", "x".repeat(201)]) {
    expect(await codeOf(confirmReset(rig.deps, { token, password }, VISIT))).toBe("validation_error");
  }
  await confirmReset(rig.deps, { token, password: NEW }, VISIT);
});

test("an account of an identity provider gets no password by mail", async () => {
  rig = await openRig("served");
  await rig.ledger.identities.ensureExternal(
    { iss: "https://id.example.com", sub: "1" },
    { email: ADA.email, emailVerifiedAt: rig.clock.now() },
    { at: rig.clock.now(), actor: "system" },
  );
  await askReset(rig.deps, ADA, VISIT);
  await signUp(rig.deps, ADA, VISIT);
  const letters = await rig.letters();
  expect(letters).toHaveLength(2);
  for (const { text } of letters) {
    expect(text).toContain("identity provider");
    expect(text).not.toContain("#token=");
  }
});

test("nobody's mailbox is flooded: letters to one address are limited, known or not", async () => {
  rig = await openRig("served");
  await rig.person(ADA.email);
  const { most } = ATTEMPT_LIMITS["mail to"];
  for (const email of [ADA.email, "nobody@example.com"]) {
    for (let nth = 0; nth < most; nth++) await askReset(rig.deps, { email }, { address: `192.0.2.${nth}` });
    for (const ask of [askReset, askVerification]) {
      expect(await codeOf(ask(rig.deps, { email }, { address: "198.51.100.1" }))).toBe("rate_limited");
    }
  }
  expect(await rig.letters()).toHaveLength(most);
});

test("signing in to an unconfirmed address does not fill its mailbox either", async () => {
  rig = await openRig("served");
  await signUp(rig.deps, ADA, VISIT);
  const { most } = ATTEMPT_LIMITS["mail to"];
  for (let nth = 0; nth < most + 2; nth++) await codeOf(signIn(rig.deps, ADA, VISIT));
  expect(await rig.letters()).toHaveLength(most);
});

test("changing the password takes the force out of links that are on their way", async () => {
  rig = await openRig("served");
  await rig.person(ADA.email);
  const { token: session } = await signIn(rig.deps, ADA, VISIT);
  await askReset(rig.deps, ADA, VISIT);
  const token = await rig.linkTo(ADA.email);
  const credentials = { authorization: `Bearer ${session}`, cookie: null, origin: null, mutates: true };
  const caller = await sessionCaller(rig.deps, credentials);
  await changePassword(rig.deps, caller, { current: PASSWORD, new: NEW }, VISIT);
  expect(await codeOf(confirmReset(rig.deps, { token, password: PASSWORD }, VISIT))).toBe("validation_error");
});

test("signing up with a free and with a taken address costs the same", async () => {
  rig = await openRig("served", { passwords: openPasswords() });
  const taken: number[] = [];
  const free: number[] = [];
  for (let round = 0; round < 5; round++) {
    await rig.person(`taken-${round}@example.com`);
    for (const [times, email] of [
      [taken, `taken-${round}@example.com`],
      [free, `free-${round}@example.com`],
    ] as const) {
      times.push(await processorTimeOf(() => signUp(rig.deps, { email, password: PASSWORD }, VISIT)));
    }
  }
  const [a, b] = [taken, free].map((times) => times.sort((x, y) => x - y)[2] as number) as [number, number];
  // Half of it would be a hash or a letter left out: the rest is noise.
  expect(Math.min(a, b)).toBeGreaterThan(Math.max(a, b) / 2);
}, 30_000);

test("another link to confirm goes to unconfirmed addresses only", async () => {
  rig = await openRig("served");
  await rig.person("grace@example.com");
  await signUp(rig.deps, ADA, VISIT);
  const first = await rig.linkTo(ADA.email);
  await askVerification(rig.deps, ADA, VISIT);
  await askVerification(rig.deps, { email: "grace@example.com" }, VISIT);
  const second = await rig.linkTo(ADA.email);
  expect((await rig.letters()).map(({ to }) => to)).toEqual([[ADA.email], [ADA.email]]);
  expect(await codeOf(confirmVerification(rig.deps, { token: first }, VISIT))).toBe("validation_error");
  await confirmVerification(rig.deps, { token: second }, VISIT);
});
