/** Links that work once: raced, replayed, replaced, too old, of another purpose, and accounts prepared by an attacker. */

import { expect, test } from "bun:test";
import { askLink, confirmReset, confirmVerification } from "#accounts/identity/links.ts";
import { changePassword } from "#accounts/identity/password.ts";
import { signIn, signUp } from "#accounts/identity/sign-in.ts";
import { ATTEMPT_LIMITS } from "#domain/limits/counts.ts";
import { openPasswords } from "#gateways/passwords.ts";
import { processorTimeOf } from "#test/support/processor-time.ts";
import { callerWith, codeOf, openFixture, PASSWORD, SITE, VISIT } from "./fixture.ts";

const ADA = { email: "ada@example.com", password: PASSWORD };
const NEW = "eleven kites over Gouda";

test("a taken address is answered as a free one; its owner gets a message with a link to sign in", async () => {
  const fixture = await openFixture("served");
  await fixture.person(ADA.email);
  const taken = await signUp(fixture.deps, { ...ADA, password: "a stranger's password" }, VISIT);
  const free = await signUp(fixture.deps, { email: "grace@example.com", password: PASSWORD }, VISIT);
  expect(taken).toEqual(free);
  const messages = await fixture.messages();
  expect(messages.map(({ to }) => to)).toEqual([[ADA.email], ["grace@example.com"]]);
  expect(messages[0]?.text).toContain(`${SITE}/reset-password#token=`);
  expect(messages[0]?.text).toContain("There is one already");
  // The other person's password has changed nothing.
  await signIn(fixture.deps, ADA, VISIT);
});

test("a person who signs up with another's address never gets in: its owner's link needs their password", async () => {
  const fixture = await openFixture("served");
  const stranger = { ...ADA, password: "the stranger's password" };
  await signUp(fixture.deps, stranger, VISIT);
  const token = await fixture.linkTo(ADA.email);
  await signUp(fixture.deps, ADA, VISIT);
  const owners = await fixture.linkTo(ADA.email);
  // The owner's mailbox holds both messages. The owner does not know the stranger's password.
  expect(await codeOf(confirmVerification(fixture.deps, { token, password: PASSWORD }, VISIT))).toBe(
    "invalid_credentials",
  );
  expect(await codeOf(signIn(fixture.deps, stranger, VISIT))).toBe("invalid_credentials");
  await confirmReset(fixture.deps, { token: owners, password: NEW }, VISIT);
  await signIn(fixture.deps, { ...ADA, password: NEW }, VISIT);
  expect(await codeOf(signIn(fixture.deps, stranger, VISIT))).toBe("invalid_credentials");
});

test("guesses at the password of a link count with those at signing in", async () => {
  const fixture = await openFixture("served");
  await signUp(fixture.deps, ADA, VISIT);
  const token = await fixture.linkTo(ADA.email);
  const guess = () =>
    codeOf(confirmVerification(fixture.deps, { token, password: "a wrong password" }, VISIT));
  const codes: string[] = [];
  for (let nth = 0; nth < 11; nth++) codes.push(await guess());
  expect(codes.indexOf("rate_limited")).toBe(10);
  expect(await codeOf(signIn(fixture.deps, ADA, VISIT))).toBe("rate_limited");
});

test("of twelve who sign up with one address at once, one does", async () => {
  const fixture = await openFixture();
  const codes = await Promise.all(Array.from({ length: 12 }, () => codeOf(signUp(fixture.deps, ADA, VISIT))));
  expect(codes.filter((code) => code === "it did not fail")).toHaveLength(1);
  expect(codes.filter((code) => code === "conflict")).toHaveLength(11);
});

test("a reset link sets the password once, however many race, ends every session, and confirms the address", async () => {
  const fixture = await openFixture("served");
  const ada = await fixture.person(ADA.email);
  const { token: session } = await signIn(fixture.deps, ADA, VISIT);
  await askLink(fixture.deps, "reset_password", ADA, VISIT);
  const token = await fixture.linkTo(ADA.email);
  const wanted = Array.from({ length: 8 }, (_, nth) => `new password number ${nth}`);
  const codes = await Promise.all(
    wanted.map((password) => codeOf(confirmReset(fixture.deps, { token, password }, VISIT))),
  );
  expect(codes.filter((code) => code === "it did not fail")).toHaveLength(1);
  expect(codes.filter((code) => code === "validation_error")).toHaveLength(7);
  const winner = wanted[codes.indexOf("it did not fail")] as string;
  await signIn(fixture.deps, { ...ADA, password: winner }, VISIT);
  expect(await codeOf(callerWith(fixture, session))).toBe("session_required");
  expect((await fixture.ledger.identities.byId(ada.id))?.emailVerifiedAt).not.toBeNull();
});

test("a link that is replaced, too old, of the other purpose, or mistyped does nothing", async () => {
  const fixture = await openFixture("served");
  const ada = await fixture.person(ADA.email);
  await askLink(fixture.deps, "reset_password", ADA, VISIT);
  const replaced = await fixture.linkTo(ADA.email);
  await askLink(fixture.deps, "reset_password", ADA, VISIT);
  const token = await fixture.linkTo(ADA.email);
  const tries = [replaced, `${token.slice(0, -1)}~`, token.replace("fxo_", "fxs_"), "", "fxo_"];
  for (const dead of tries) {
    expect(await codeOf(confirmReset(fixture.deps, { token: dead, password: NEW }, VISIT))).toBe(
      "validation_error",
    );
  }
  expect(await codeOf(confirmVerification(fixture.deps, { token, password: PASSWORD }, VISIT))).toBe(
    "validation_error",
  );
  fixture.clock.at += 3_600_000;
  expect(await codeOf(confirmReset(fixture.deps, { token, password: NEW }, VISIT))).toBe("validation_error");
  expect((await fixture.ledger.identities.byId(ada.id))?.passwordHash).toBe(ada.passwordHash);
});

test("a password that may not be set leaves the link unused", async () => {
  const fixture = await openFixture("served");
  await fixture.person(ADA.email);
  await askLink(fixture.deps, "reset_password", ADA, VISIT);
  const token = await fixture.linkTo(ADA.email);
  for (const password of ["short", "aaaaaaaaaaaa", "x".repeat(201)]) {
    expect(await codeOf(confirmReset(fixture.deps, { token, password }, VISIT))).toBe("validation_error");
  }
  await confirmReset(fixture.deps, { token, password: NEW }, VISIT);
});

test("an account of an identity provider gets no password by mail", async () => {
  const fixture = await openFixture("served");
  await fixture.ledger.identities.ensureExternal(
    { iss: "https://id.example.com", sub: "1" },
    { email: ADA.email, emailVerifiedAt: fixture.clock.now() },
    { at: fixture.clock.now(), actor: "system" },
  );
  await askLink(fixture.deps, "reset_password", ADA, VISIT);
  await signUp(fixture.deps, ADA, VISIT);
  const messages = await fixture.messages();
  expect(messages).toHaveLength(2);
  for (const { text } of messages) {
    expect(text).toContain("identity provider");
    expect(text).not.toContain("#token=");
  }
});

test("messages to one address are limited, whether it is known or not", async () => {
  const fixture = await openFixture("served");
  await fixture.person(ADA.email);
  const { most } = ATTEMPT_LIMITS["mail to"];
  for (const email of [ADA.email, "nobody@example.com"]) {
    for (let nth = 0; nth < most; nth++)
      await askLink(fixture.deps, "reset_password", { email }, { address: `192.0.2.${nth}` });
    for (const purpose of ["reset_password", "verify_email"] as const) {
      const asked = askLink(fixture.deps, purpose, { email }, { address: "198.51.100.1" });
      expect(await codeOf(asked)).toBe("rate_limited");
    }
  }
  expect(await fixture.messages()).toHaveLength(most);
});

test("signing in to an unconfirmed address does not fill its mailbox either", async () => {
  const fixture = await openFixture("served");
  await signUp(fixture.deps, ADA, VISIT);
  const { most } = ATTEMPT_LIMITS["mail to"];
  for (let nth = 0; nth < most + 2; nth++) await codeOf(signIn(fixture.deps, ADA, VISIT));
  expect(await fixture.messages()).toHaveLength(most);
});

test("changing the password takes the force out of links that are on their way", async () => {
  const fixture = await openFixture("served");
  await fixture.person(ADA.email);
  const { token: session } = await signIn(fixture.deps, ADA, VISIT);
  await askLink(fixture.deps, "reset_password", ADA, VISIT);
  const token = await fixture.linkTo(ADA.email);
  const caller = await callerWith(fixture, session);
  await changePassword(fixture.deps, caller, { current: PASSWORD, new: NEW }, VISIT);
  expect(await codeOf(confirmReset(fixture.deps, { token, password: PASSWORD }, VISIT))).toBe(
    "validation_error",
  );
});

test("signing up with a free and with a taken address costs the same", async () => {
  const fixture = await openFixture("served", { passwords: openPasswords() });
  const taken: number[] = [];
  const free: number[] = [];
  for (let round = 0; round < 3; round++) {
    await fixture.person(`taken-${round}@example.com`);
    for (const [times, email] of [
      [taken, `taken-${round}@example.com`],
      [free, `free-${round}@example.com`],
    ] as const) {
      times.push(await processorTimeOf(() => signUp(fixture.deps, { email, password: PASSWORD }, VISIT)));
    }
  }
  const [a, b] = [taken, free].map((times) => times.sort((x, y) => x - y)[1] as number) as [number, number];
  // Half of it would be a hash or a message left out: the rest is noise.
  expect(Math.min(a, b)).toBeGreaterThan(Math.max(a, b) / 2);
});

test("another link to confirm goes to unconfirmed addresses only", async () => {
  const fixture = await openFixture("served");
  await fixture.person("grace@example.com");
  await signUp(fixture.deps, ADA, VISIT);
  const first = await fixture.linkTo(ADA.email);
  await askLink(fixture.deps, "verify_email", ADA, VISIT);
  await askLink(fixture.deps, "verify_email", { email: "grace@example.com" }, VISIT);
  const second = await fixture.linkTo(ADA.email);
  expect((await fixture.messages()).map(({ to }) => to)).toEqual([[ADA.email], [ADA.email]]);
  expect(await codeOf(confirmVerification(fixture.deps, { token: first, password: PASSWORD }, VISIT))).toBe(
    "validation_error",
  );
  await confirmVerification(fixture.deps, { token: second, password: PASSWORD }, VISIT);
});
