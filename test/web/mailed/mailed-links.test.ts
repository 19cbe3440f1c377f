/** From a mailed link by its page to the call that the page's script makes, with the script's own sending part. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type IdentityFixture, openFixture, PASSWORD } from "#test/accounts/identity/fixture.ts";
import { openTestApp, post as posted } from "#test/api/harness.ts";
import { post } from "#web/mailed/post.ts";

let fixture: IdentityFixture;
let server: Bun.Server<undefined>;
beforeAll(async () => {
  fixture = await openFixture("served");
  const app = openTestApp({ identity: fixture.deps, clock: fixture.clock });
  server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: app.answer });
});
afterAll(async () => {
  await server.stop(true);
  await fixture.stop();
});

const at = (path: string) => new URL(path, server.url).href;
const ask = (path: string, init?: RequestInit) => fetch(at(path), init);

describe("a mailed link", () => {
  /** The link in the newest message. */
  async function linkIn(email: string): Promise<URL> {
    const newest = (await fixture.messages()).findLast(({ to }) => to.includes(email));
    return new URL(/https:\S+#token=\w+/.exec(newest?.text ?? "")?.[0] ?? "");
  }

  const CASES = [
    { requested: "/v1/auth/verify-email/send", sent: "/v1/auth/verify-email", more: {} },
    {
      requested: "/v1/auth/password-reset",
      sent: "/v1/auth/password-reset/confirm",
      more: { new: `${PASSWORD}s` },
    },
  ];

  test.each(CASES)(
    "of $requested leads to a page whose script does what it is for",
    async ({ requested, sent, more }) => {
      const email = `link-${sent.length}@example.com`;
      const wanted = { email, passwordHash: null, emailVerifiedAt: null, role: "user" } as const;
      await fixture.ledger.identities.create(wanted, { at: fixture.clock.now(), actor: "system" });
      expect((await ask(requested, posted({ email }))).status).toBe(202);

      const link = await linkIn(email);
      const token = new URLSearchParams(link.hash.slice(1)).get("token");
      const html = await (await ask(link.pathname)).text();
      const scripts = Array.from(
        html.matchAll(/<script type="module" src="([^"]+)">/g),
        ([, path = ""]) => path,
      );
      const texts = await Promise.all(scripts.map(async (path) => await (await ask(path)).text()));
      expect(texts.join("\n")).toContain(`"${sent}"`);

      expect(await post(at(sent), { token, ...more })).toMatchObject({ answer: { result: "success" } });
      expect(await post(at(sent), { token, ...more })).toEqual({
        refusal: "this link was used, was replaced by a newer one, or is too old; ask for another",
        paths: ["/token"],
      });
    },
  );

  test("and a password that is refused says why, at its field", async () => {
    const body = { token: "fxo_none", new: "1234567890" };
    expect(await post(at("/v1/auth/password-reset/confirm"), body)).toEqual({
      refusal: "too common: it is among the first passwords that an attacker tries",
      paths: ["/new"],
    });
  });

  test("leads to a page that reports every obstacle: another refusal, a proxy's answer, no answer", async () => {
    const busy = { result: "error", code: "rate_limited", message: "too many attempts; wait a minute" };
    const answers = [
      Response.json(busy, { status: 429 }),
      new Response("<h1>Bad gateway</h1>", { status: 502 }),
    ];
    const between = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => answers.shift() as Response });
    const url = between.url.href;
    expect(await post(url, {})).toEqual({ refusal: busy.message, paths: [] });
    expect(await post(url, {})).toEqual({
      refusal: "the server answered with 502; try again in a moment",
      paths: [],
    });
    await between.stop(true);
    expect(await post(url, {})).toEqual({
      refusal: "the server cannot be reached; try again in a moment",
      paths: [],
    });
  });
});
