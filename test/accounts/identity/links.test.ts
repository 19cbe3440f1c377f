/** Links that work once: raced, replayed, replaced, too old, of another purpose, and accounts prepared by an attacker; and how much one network may try. */

import { beforeEach, expect, test } from "bun:test";
import { askLink, confirmReset, confirmVerification } from "#accounts/identity/links.ts";
import { changePassword } from "#accounts/identity/password.ts";
import { signIn, signUp } from "#accounts/identity/sign-in.ts";
import { ATTEMPT_LIMITS } from "#domain/limits/counts.ts";
import { openPasswords } from "#gateways/passwords.ts";
import { processorTimeOf } from "#test/support/processor-time.ts";
import { callerWith, codeOf, type IdentityFixture, openFixture, PASSWORD, SITE, VISIT } from "./fixture.ts";

const ADA = { email: "ada@example.com", password: PASSWORD };
const NEW = "eleven kites over Gouda";

let fixture: IdentityFixture;
beforeEach(async () => {
  fixture = await openFixture("served");
});

const join = (password = PASSWORD, email = ADA.email) => signUp(fixture.deps, { email, password }, VISIT);
const enter = (password = PASSWORD) => signIn(fixture.deps, { ...ADA, password }, VISIT);
const confirm = (token: string, password = PASSWORD) =>
  confirmVerification(fixture.deps, { token, password }, VISIT);
const reset = (token: string, password = NEW) => confirmReset(fixture.deps, { token, password }, VISIT);
const ask = (
  purpose: "reset_password" | "verify_email",
  email = ADA.email,
  address: string = VISIT.address,
) => askLink(fixture.deps, purpose, { email }, { address });
/** A person who can sign in, and a link that sets another password. */
async function withLink() {
  const ada = await fixture.person(ADA.email);
  await ask("reset_password");
  return { ada, token: await fixture.linkTo(ADA.email) };
}

test("a taken address is answered as a free one; its owner gets a message with a link to sign in", async () => {
  await fixture.person(ADA.email);
  const taken = await join("a stranger's password");
  expect(taken).toEqual(await join(PASSWORD, "grace@example.com"));
  const messages = await fixture.messages();
  expect(messages.map(({ to }) => to)).toEqual([[ADA.email], ["grace@example.com"]]);
  expect(messages[0]?.text).toContain(`${SITE}/reset-password#token=`);
  expect(messages[0]?.text).toContain("There is one already");
  // The other person's password has changed nothing.
  await enter();
});

test("a person who signs up with another's address never gets in: its owner's link needs their password", async () => {
  const strangers = "the stranger's password";
  await join(strangers);
  const token = await fixture.linkTo(ADA.email);
  await join();
  const owners = await fixture.linkTo(ADA.email);
  // The owner's mailbox holds both messages. The owner does not know the stranger's password.
  expect(await codeOf(confirm(token))).toBe("invalid_credentials");
  expect(await codeOf(enter(strangers))).toBe("invalid_credentials");
  await reset(owners);
  await enter(NEW);
  expect(await codeOf(enter(strangers))).toBe("invalid_credentials");
});

test("guesses at the password of a link count with those at signing in", async () => {
  await join();
  const token = await fixture.linkTo(ADA.email);
  const codes: string[] = [];
  for (let nth = 0; nth < 11; nth++) codes.push(await codeOf(confirm(token, "a wrong password")));
  expect(codes.indexOf("rate_limited")).toBe(10);
  expect(await codeOf(enter())).toBe("rate_limited");
});

test("a reset link sets the password once, however many race, ends every session, and confirms the address", async () => {
  const { ada, token } = await withLink();
  const { token: session } = await enter();
  const wanted = Array.from({ length: 8 }, (_, nth) => `new password number ${nth}`);
  const codes = await Promise.all(wanted.map((password) => codeOf(reset(token, password))));
  expect(codes.filter((code) => code === "it did not fail")).toHaveLength(1);
  expect(codes.filter((code) => code === "validation_error")).toHaveLength(7);
  await enter(wanted[codes.indexOf("it did not fail")]);
  expect(await codeOf(callerWith(fixture, session))).toBe("session_required");
  expect((await fixture.ledger.identities.byId(ada.id))?.emailVerifiedAt).not.toBeNull();
});

test("a link that is replaced, too old, of the other purpose, or mistyped does nothing", async () => {
  const { ada, token: replaced } = await withLink();
  await ask("reset_password");
  const token = await fixture.linkTo(ADA.email);
  const tries = [replaced, `${token.slice(0, -1)}~`, token.replace("fxo_", "fxs_"), "", "fxo_"];
  for (const dead of tries) expect(await codeOf(reset(dead))).toBe("validation_error");
  expect(await codeOf(confirm(token))).toBe("validation_error");
  fixture.clock.at += 3_600_000;
  expect(await codeOf(reset(token))).toBe("validation_error");
  expect((await fixture.ledger.identities.byId(ada.id))?.passwordHash).toBe(ada.passwordHash);
});

test("a password that may not be set leaves the link unused", async () => {
  const { token } = await withLink();
  for (const password of ["short", "aaaaaaaaaaaa", "x".repeat(201)])
    expect(await codeOf(reset(token, password))).toBe("validation_error");
  await reset(token);
});

test("an account of an identity provider gets no password by mail", async () => {
  const at = fixture.clock.now();
  const outside = { iss: "https://id.example.com", sub: "1" };
  const facts = { email: ADA.email, emailVerifiedAt: at };
  await fixture.ledger.identities.ensureExternal(outside, facts, { at, actor: "system" });
  await ask("reset_password");
  await join();
  const messages = await fixture.messages();
  expect(messages).toHaveLength(2);
  for (const { text } of messages) {
    expect(text).toContain("identity provider");
    expect(text).not.toContain("#token=");
  }
});

test("messages to one address are limited, whether it is known or not", async () => {
  await fixture.person(ADA.email);
  const { most } = ATTEMPT_LIMITS["mail to"];
  for (const email of [ADA.email, "nobody@example.com"]) {
    for (let nth = 0; nth < most; nth++) await ask("reset_password", email, `192.0.2.${nth}`);
    for (const purpose of ["reset_password", "verify_email"] as const)
      expect(await codeOf(ask(purpose, email.toUpperCase(), "198.51.100.1"))).toBe("rate_limited");
  }
  expect(await fixture.messages()).toHaveLength(most);
});

test("signing in to an unconfirmed address does not fill its mailbox either", async () => {
  await join();
  const { most } = ATTEMPT_LIMITS["mail to"];
  for (let nth = 0; nth < most + 2; nth++) await codeOf(enter());
  expect(await fixture.messages()).toHaveLength(most);
});

test("changing the password takes the force out of links that are on their way", async () => {
  const { token } = await withLink();
  const caller = await callerWith(fixture, (await enter()).token);
  await changePassword(fixture.deps, caller, { current: PASSWORD, new: NEW }, VISIT);
  expect(await codeOf(reset(token, PASSWORD))).toBe("validation_error");
});

test("signing up with a free and with a taken address costs the same", async () => {
  fixture = await openFixture("served", { passwords: openPasswords() });
  const medianOf = async (name: string) => {
    const times: number[] = [];
    for (let round = 0; round < 3; round++)
      times.push(await processorTimeOf(() => join(PASSWORD, `${name}-${round}@example.com`)));
    return times.sort((a, b) => a - b)[1] as number;
  };
  for (let round = 0; round < 3; round++) await fixture.person(`taken-${round}@example.com`);
  const both = [await medianOf("taken"), await medianOf("free")];
  // Half of it would be a hash or a message left out: the rest is noise.
  expect(Math.min(...both)).toBeGreaterThan(Math.max(...both) / 2);
});

test("another link to confirm goes to unconfirmed addresses only", async () => {
  await fixture.person("grace@example.com");
  await join();
  const first = await fixture.linkTo(ADA.email);
  await ask("verify_email");
  await ask("verify_email", "grace@example.com");
  const second = await fixture.linkTo(ADA.email);
  expect((await fixture.messages()).map(({ to }) => to)).toEqual([[ADA.email], [ADA.email]]);
  expect(await codeOf(confirm(first))).toBe("validation_error");
  await confirm(second);
});

// That its flood lets others sign in meanwhile: test/domain/queues.
test("what is tried from an IPv6 /56 is bounded as a whole, each kind by itself", async () => {
  fixture = await openFixture();
  const { deps } = fixture;
  const kinds = {
    "sign-in": [
      300,
      (nth: number) => signIn(deps, { email: `a-${nth}@example.com`, password: PASSWORD }, at(nth)),
    ],
    "sign-up": [
      100,
      (nth: number) => signUp(deps, { email: `b-${nth}@example.com`, password: PASSWORD }, at(nth)),
    ],
    mail: [100, (nth: number) => askLink(deps, "reset_password", { email: `c-${nth}@example.com` }, at(nth))],
    link: [
      300,
      (nth: number) =>
        nth % 2 === 0
          ? confirmReset(deps, { token: "fxo_none", password: PASSWORD }, at(nth))
          : confirmVerification(deps, { token: "fxo_none", password: PASSWORD }, at(nth)),
    ],
  } as const;
  const at = (nth: number) => ({ ...VISIT, address: `2001:db8:7:${(nth % 256).toString(16)}::/64` });
  for (const [kind, [most, attempt]] of Object.entries(kinds)) {
    const codes: string[] = [];
    for (let nth = 0; nth < most + 20; nth++) codes.push(await codeOf(attempt(nth)));
    expect([kind, codes.indexOf("rate_limited")]).toEqual([kind, most]);
    expect([kind, codes.filter((code) => code === "rate_limited").length]).toEqual([kind, 20]);
    expect(await codeOf(attempt(100_000))).toBe("rate_limited");
  }
});
