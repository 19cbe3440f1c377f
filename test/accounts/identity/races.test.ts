/** A password that is set while the old one is still being checked: what the old one began does not outlive it. */

import { expect, test } from "bun:test";
import { confirmReset, issueResetLink } from "#accounts/identity/links.ts";
import { changePassword } from "#accounts/identity/password.ts";
import { signIn } from "#accounts/identity/sign-in.ts";
import type { Passwords } from "#ports/identity.ts";
import { callerWith, codeOf, type IdentityFixture, openFixture, PASSWORD, VISIT } from "./fixture.ts";

const ADA = { email: "ada@example.com", password: PASSWORD };
const OWNERS = "eleven kites over Gouda";
const THIEFS = "nine crows upon a wire";

/** The right password was verified, and before that has an effect `meanwhile` happens, once. */
function slowly(passwords: Passwords, step: "verify" | "hash", meanwhile: () => Promise<unknown>): Passwords {
  let isOver = false;
  const after = async <T>(outcome: Promise<T>): Promise<T> => {
    const settled = await outcome;
    if (!isOver) {
      isOver = true;
      await meanwhile();
    }
    return settled;
  };
  return {
    ...passwords,
    verify: (...args) => (step === "verify" ? after(passwords.verify(...args)) : passwords.verify(...args)),
    hash: (...args) => (step === "hash" ? after(passwords.hash(...args)) : passwords.hash(...args)),
  };
}

async function ownersLink(fixture: IdentityFixture): Promise<string> {
  const ada = await fixture.ledger.identities.byEmail(ADA.email);
  if (ada === null) throw new Error("no such identity");
  const link = await issueResetLink(fixture.deps, ada, { at: fixture.clock.now(), actor: "operator" });
  return link.split("#token=")[1] ?? "";
}

test("a sign-in with the old password that is under way while a new one is set starts no session", async () => {
  const fixture = await openFixture();
  const { id } = await fixture.person(ADA.email);
  const token = await ownersLink(fixture);
  const passwords = slowly(fixture.deps.passwords, "verify", () =>
    confirmReset(fixture.deps, { token, password: OWNERS }, VISIT),
  );
  expect(await codeOf(signIn({ ...fixture.deps, passwords }, ADA, VISIT))).toBe("invalid_credentials");
  expect(await fixture.ledger.sessions.list(id, fixture.clock.now())).toEqual([]);
  await signIn(fixture.deps, { ...ADA, password: OWNERS }, VISIT);
});

test("a sign-in beside another one that renews the hash of the same password starts its session", async () => {
  const fixture = await openFixture();
  await fixture.person(ADA.email);
  const [old, renewed] = await Promise.all([
    Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 1024, timeCost: 1 }),
    fixture.deps.passwords.hash(PASSWORD, "own"),
  ]);
  const by = { at: fixture.clock.now(), actor: "system" } as const;
  const ada = await fixture.ledger.identities.byEmail(ADA.email);
  const setHash = (passwordHash: string) =>
    fixture.ledger.identities.change(ada?.id ?? "", { passwordHash }, by);
  await setHash(old);
  const passwords = slowly(fixture.deps.passwords, "verify", () => setHash(renewed));
  const { token } = await signIn({ ...fixture.deps, passwords }, ADA, VISIT);
  await callerWith(fixture, token);
});

test("a sign-in that renews the hash of the old password does not undo a change that comes in between", async () => {
  const fixture = await openFixture();
  const { id } = await fixture.person(ADA.email);
  const caller = await callerWith(fixture, (await signIn(fixture.deps, ADA, VISIT)).token);
  const passwordHash = await Bun.password.hash(PASSWORD, {
    algorithm: "argon2id",
    memoryCost: 1024,
    timeCost: 1,
  });
  await fixture.ledger.identities.change(id, { passwordHash }, { at: fixture.clock.now(), actor: "system" });
  // The caller as a request of now would have it.
  const owner = { ...caller, identity: { ...caller.identity, passwordHash } };
  const passwords = slowly(fixture.deps.passwords, "hash", () =>
    changePassword(fixture.deps, owner, { current: PASSWORD, new: OWNERS }, VISIT),
  );
  expect(await codeOf(signIn({ ...fixture.deps, passwords }, ADA, VISIT))).toBe("invalid_credentials");
  await signIn(fixture.deps, { ...ADA, password: OWNERS }, VISIT);
});

test.each(["verify", "hash"] as const)(
  "a change with the old password does not undo a reset that came between (%s)",
  async (step) => {
    const fixture = await openFixture();
    await fixture.person(ADA.email);
    const caller = await callerWith(fixture, (await signIn(fixture.deps, ADA, VISIT)).token);
    const token = await ownersLink(fixture);
    const passwords = slowly(fixture.deps.passwords, step, () =>
      confirmReset(fixture.deps, { token, password: OWNERS }, VISIT),
    );
    const change = changePassword(
      { ...fixture.deps, passwords },
      caller,
      { current: PASSWORD, new: THIEFS },
      VISIT,
    );
    expect(await codeOf(change)).toBe("invalid_credentials");
    expect(await codeOf(signIn(fixture.deps, { ...ADA, password: THIEFS }, VISIT))).toBe(
      "invalid_credentials",
    );
    await signIn(fixture.deps, { ...ADA, password: OWNERS }, VISIT);
  },
);

test("of two changes at once the one that counts is the one that was answered as done", async () => {
  const fixture = await openFixture();
  await fixture.person(ADA.email);
  const caller = await callerWith(fixture, (await signIn(fixture.deps, ADA, VISIT)).token);
  const wanted = [OWNERS, THIEFS];
  const codes = await Promise.all(
    wanted.map((password) =>
      codeOf(changePassword(fixture.deps, caller, { current: PASSWORD, new: password }, VISIT)),
    ),
  );
  const done = wanted.filter((_, nth) => codes[nth] === "it did not fail");
  expect(done).toHaveLength(1);
  await signIn(fixture.deps, { ...ADA, password: done[0] ?? "" }, VISIT);
});
