/** A password that is the person's address, or the service's name with figures to it, is not taken, wherever one is set. */

import { describe, expect, test } from "bun:test";
import { askLink, confirmReset } from "#accounts/identity/links.ts";
import { changePassword } from "#accounts/identity/password.ts";
import { signIn, signUp } from "#accounts/identity/sign-in.ts";
import { guessableName } from "#domain/account/identity.ts";
import { callerWith, codeOf, openFixture, PASSWORD, VISIT } from "./fixture.ts";

const EMAIL = "Ada.Lovelace+rates@Example.org";

describe("what is not taken", () => {
  test.each([
    ["ada.lovelace+rates@example.org", "address"],
    ["ADA.LOVELACE+RATES@EXAMPLE.ORG", "address"],
    ["ada.lovelace+rates", "address"],
    ["ada.lovelace", "address"],
    ["Ada.Lovelace1815", "address"],
    ["!!AdaLovelace!!", "address"],
    ["ada-lovelace-rates-2026", "address"],
    ["ＡＤＡ．ＬＯＶＥＬＡＣＥ", "address"],
    ["crossrate123", "product"],
    ["Crossrate2026!", "product"],
    ["123-CROSSRATE", "product"],
    ["cross.rate.2026", "product"],
    ["crossrate crossrate", "product"],
  ] as const)("%p: %p", (password, name) => {
    expect(guessableName(password, EMAIL)).toBe(name);
  });

  test.each([
    "seven kites above Delft",
    "crossrates are fun",
    "my crossrate password",
    "ada lovelace wrote notes",
    "1234 5678 9012",
    "🔑🚪🏠🌲🌊🔥🌍⭐🎈🎁",
    "lovelace.ada.1815",
  ])("but %p is", (password) => {
    expect(guessableName(password, EMAIL)).toBeNull();
  });

  test("a short name before the @ is refused as it is, and with figures to it only where that says something", () => {
    expect(guessableName("a123456789@example.org", "a123456789@example.org")).toBe("address");
    expect(guessableName("a123456789", "a123456789@example.org")).toBe("address");
    expect(guessableName("a123456789!", "a123456789@example.org")).toBe("address");
    expect(guessableName("2026 ada1815!", "ada1815@example.org")).toBe("address");
    expect(guessableName("a987654321", "a123456789@example.org")).toBeNull();
    expect(guessableName("7a-55-0182-93", "a@example.org")).toBeNull();
    expect(guessableName("0123456789", "0123456789@example.org")).toBe("address");
    expect(guessableName("9876543210!", "0123456789@example.org")).toBeNull();
  });

  test("a person without an address has to avoid only the product's name", () => {
    expect(guessableName("crossrate2026", null)).toBe("product");
    expect(guessableName("ada.lovelace", null)).toBeNull();
  });
});

async function refusalOf(work: Promise<unknown>) {
  const failure = await work.then(
    () => null,
    (fault) => fault,
  );
  expect(failure).toMatchObject({ code: "validation_error", status: 422 });
  return failure.details.members.errors[0] as { path: string; message: string };
}

test("at signing up, changing and resetting the refusal says where and what to do, and the old password stays", async () => {
  const fixture = await openFixture("served");
  const { deps } = fixture;
  const email = "ada.lovelace@example.com";
  const asOwner = { email, password: "Ada.Lovelace1815" };
  expect(await refusalOf(signUp(deps, asOwner, VISIT))).toEqual({
    path: "/password",
    message:
      "easily guessed: it is the e-mail address or the name in it; choose words that have nothing to do with it",
  });
  await fixture.person(email);
  const { token } = await signIn(deps, { email, password: PASSWORD }, VISIT);
  const caller = await callerWith(fixture, token);
  const wanted = { current: PASSWORD, new: "Crossrate2026!" };
  expect(await refusalOf(changePassword(deps, caller, wanted, VISIT))).toEqual({
    path: "/new",
    message: "easily guessed: it is the name of this service; choose words that have nothing to do with it",
  });
  await askLink(deps, "reset_password", { email }, VISIT);
  const link = await fixture.linkTo(email);
  expect((await refusalOf(confirmReset(deps, { token: link, password: email }, VISIT))).path).toBe("/new");
  await signIn(deps, { email, password: PASSWORD }, VISIT);
  await confirmReset(deps, { token: link, password: "eleven kites over Gouda" }, VISIT);
});

test("a password that was set before the rule continues to work", async () => {
  const fixture = await openFixture();
  const { deps } = fixture;
  const email = "ada.lovelace@example.com";
  const password = "ada.lovelace";
  const { id } = await fixture.person(email);
  const passwordHash = await Bun.password.hash(password, {
    algorithm: "argon2id",
    memoryCost: 64,
    timeCost: 1,
  });
  await fixture.ledger.identities.change(id, { passwordHash }, { at: 1, actor: "system" });
  expect(await codeOf(signIn(deps, { email, password }, VISIT))).toBe("it did not fail");
});
