/** One network's flood of sign-ins is refused on its own: a caller from elsewhere signs in meanwhile, after a hash or two. */

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { askLink, confirmReset, confirmVerification } from "#accounts/identity/links.ts";
import { signIn, signUp } from "#accounts/identity/sign-in.ts";
import { openPasswords } from "#gateways/passwords.ts";
import { codeOf, type IdentityFixture, openFixture, PASSWORD, VISIT } from "./fixture.ts";

// Hashes are real, a tenth of a second of a core each.
setDefaultTimeout(60_000);

let fixture: IdentityFixture | null = null;
afterEach(() => fixture?.stop());

/** Different addresses of one /24, and of one /56. */
const NETWORKS: readonly (readonly [string, (nth: number) => string])[] = [
  ["an IPv4 /24", (nth) => `203.0.113.${nth % 256}`],
  ["an IPv6 /56", (nth) => `2001:db8:7:${(nth % 256).toString(16)}::/64`],
];
const FLOOD = 400;

const counts = (codes: readonly string[]) => {
  const sums: Record<string, number> = {};
  for (const code of codes) sums[code] = (sums[code] ?? 0) + 1;
  return sums;
};

test("from an IPv4 /24, with people of other networks in between", async () => {
  const addressOf = NETWORKS[0]?.[1] ?? (() => "");
  const passwords = openPasswords();
  fixture = await openFixture("none", { passwords });
  const { deps } = fixture;
  const people = ["ada", "grace", "mary"].map((name) => `${name}@example.com`);
  for (const email of people)
    await deps.ledger.identities.create(
      { email, passwordHash: await passwords.hash(PASSWORD, "own"), emailVerifiedAt: null, role: "user" },
      { at: deps.clock.now(), actor: "system" },
    );
  let refusedOrDone = 0;
  const flood = Array.from({ length: FLOOD }, (_, nth) => {
    const visit = { ...VISIT, address: addressOf(nth) };
    const attempt = signIn(deps, { email: `nobody-${nth}@example.com`, password: PASSWORD }, visit);
    return codeOf(attempt).finally(() => {
      refusedOrDone += 1;
    });
  });
  const others = people.map(async (email, nth) => {
    const address = ["198.51.100.9", "203.0.114.1", "2001:db8:8::/64"][nth] ?? "";
    const { identity } = await signIn(deps, { email, password: PASSWORD }, { ...VISIT, address });
    return [identity.email, refusedOrDone < FLOOD];
  });
  // Each is through while the flood still waits for its turns.
  expect(await Promise.all(others)).toEqual(people.map((email) => [email, true]));
  const {
    auth_unavailable: unavailable = 0,
    rate_limited: limited = 0,
    ...rest
  } = counts(await Promise.all(flood));
  expect(limited).toBe(FLOOD - 300);
  expect(unavailable).toBeGreaterThanOrEqual(270);
  // A few had their turns, and were wrong.
  expect(Object.keys(rest)).toEqual(["invalid_credentials"]);
});

test.each(NETWORKS.slice(1))(
  "what is tried from %s is bounded as a whole, each kind by itself",
  async (_, addressOf) => {
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
      mail: [
        100,
        (nth: number) => askLink(deps, "reset_password", { email: `c-${nth}@example.com` }, at(nth)),
      ],
      link: [
        300,
        (nth: number) =>
          nth % 2 === 0
            ? confirmReset(deps, { token: "fxo_none", password: PASSWORD }, at(nth))
            : confirmVerification(deps, { token: "fxo_none" }, at(nth)),
      ],
    } as const;
    const at = (nth: number) => ({ ...VISIT, address: addressOf(nth) });
    for (const [kind, [most, attempt]] of Object.entries(kinds)) {
      const codes: string[] = [];
      for (let nth = 0; nth < most + 20; nth++) codes.push(await codeOf(attempt(nth)));
      expect([kind, codes.indexOf("rate_limited")]).toEqual([kind, most]);
      expect([kind, counts(codes)["rate_limited"]]).toEqual([kind, 20]);
      expect(await codeOf(attempt(100_000))).toBe("rate_limited");
    }
  },
);
