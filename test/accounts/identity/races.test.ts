/** A password that is set while the old one is still being checked: what the old one began does not outlive it. */

import { beforeEach, expect, test } from "bun:test";
import { confirmReset, issueResetLink } from "#accounts/identity/links.ts";
import { changePassword } from "#accounts/identity/password.ts";
import { signIn } from "#accounts/identity/sign-in.ts";
import type { Identity } from "#domain/account/identity.ts";
import { callerWith, codeOf, type IdentityFixture, openFixture, PASSWORD, VISIT } from "./fixture.ts";

const ADA = { email: "ada@example.com", password: PASSWORD };
const OWNERS = "eleven kites over Gouda";
const THIEFS = "nine crows upon a wire";

let fixture: IdentityFixture;
let ada: Identity;
beforeEach(async () => {
  fixture = await openFixture();
  ada = await fixture.person(ADA.email);
});

const by = () => ({ at: fixture.clock.now(), actor: "operator" }) as const;
const setHash = (passwordHash: string) => fixture.ledger.identities.change(ada.id, { passwordHash }, by());
/** Of PASSWORD, at a cost of earlier. */
const oldHash = () => Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 1024, timeCost: 1 });
const enter = (password = PASSWORD, deps = fixture.deps) => signIn(deps, { ...ADA, password }, VISIT);
const asAda = async () => await callerWith(fixture, (await enter()).token);
async function resetByLink(): Promise<() => Promise<unknown>> {
  const link = await issueResetLink(fixture.deps, ada, by());
  const token = link.split("#token=")[1] ?? "";
  return () => confirmReset(fixture.deps, { token, password: OWNERS }, VISIT);
}

/** The right password was verified, and before that has an effect `meanwhile` happens, once. */
function slowly(step: "verify" | "hash", meanwhile: () => Promise<unknown>): IdentityFixture["deps"] {
  const { passwords } = fixture.deps;
  let isOver = false;
  const after = async <T>(outcome: Promise<T>): Promise<T> => {
    const settled = await outcome;
    if (!isOver) {
      isOver = true;
      await meanwhile();
    }
    return settled;
  };
  const verify: typeof passwords.verify = (...args) => after(passwords.verify(...args));
  const hash: typeof passwords.hash = (...args) => after(passwords.hash(...args));
  return { ...fixture.deps, passwords: { ...passwords, ...(step === "verify" ? { verify } : { hash }) } };
}

test("a sign-in with the old password that is under way while a new one is set starts no session", async () => {
  const slow = slowly("verify", await resetByLink());
  expect(await codeOf(enter(PASSWORD, slow))).toBe("invalid_credentials");
  expect(await fixture.ledger.sessions.list(ada.id, fixture.clock.now())).toEqual([]);
  await enter(OWNERS);
});

test("a sign-in beside another one that renews the hash of the same password starts its session", async () => {
  const renewed = await fixture.deps.passwords.hash(PASSWORD, "own");
  await setHash(await oldHash());
  const slow = slowly("verify", () => setHash(renewed));
  await callerWith(fixture, (await enter(PASSWORD, slow)).token);
});

test("a sign-in that renews the hash of the old password does not undo a change that comes in between", async () => {
  const caller = await asAda();
  const passwordHash = await oldHash();
  await setHash(passwordHash);
  // The caller as a request of now would have it.
  const owner = { ...caller, identity: { ...caller.identity, passwordHash } };
  const slow = slowly("hash", () =>
    changePassword(fixture.deps, owner, { current: PASSWORD, new: OWNERS }, VISIT),
  );
  expect(await codeOf(enter(PASSWORD, slow))).toBe("invalid_credentials");
  await enter(OWNERS);
});

test.each(["verify", "hash"] as const)(
  "a change with the old password does not undo a reset that came between (%s)",
  async (step) => {
    const caller = await asAda();
    const slow = slowly(step, await resetByLink());
    const change = changePassword(slow, caller, { current: PASSWORD, new: THIEFS }, VISIT);
    expect(await codeOf(change)).toBe("invalid_credentials");
    expect(await codeOf(enter(THIEFS))).toBe("invalid_credentials");
    await enter(OWNERS);
  },
);
