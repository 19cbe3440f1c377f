/** What one network tries is bounded as a whole. That its flood lets others sign in meanwhile: test/domain/queues. */

import { expect, test } from "bun:test";
import { askLink, confirmReset, confirmVerification } from "#accounts/identity/links.ts";
import { signIn, signUp } from "#accounts/identity/sign-in.ts";
import { codeOf, openFixture, PASSWORD, VISIT } from "./fixture.ts";

const addressOf = (nth: number) => `2001:db8:7:${(nth % 256).toString(16)}::/64`;

test("what is tried from an IPv6 /56 is bounded as a whole, each kind by itself", async () => {
  const fixture = await openFixture();
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
  const at = (nth: number) => ({ ...VISIT, address: addressOf(nth) });
  for (const [kind, [most, attempt]] of Object.entries(kinds)) {
    const codes: string[] = [];
    for (let nth = 0; nth < most + 20; nth++) codes.push(await codeOf(attempt(nth)));
    expect([kind, codes.indexOf("rate_limited")]).toEqual([kind, most]);
    expect([kind, codes.filter((code) => code === "rate_limited").length]).toEqual([kind, 20]);
    expect(await codeOf(attempt(100_000))).toBe("rate_limited");
  }
});
