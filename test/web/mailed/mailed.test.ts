/** The pages behind mailed links, and the one that the payment provider leads back to: they do once what a link is for. */

import { describe, expect, test } from "bun:test";
import { LEAST_CHARACTERS, MOST_CHARACTERS } from "#gateways/passwords.ts";
import { PASSWORD } from "#test/metered/client.ts";
import { openDashboardServer, plainBrowser } from "#test/web/dashboard/dashboard-server.ts";

const server = await openDashboardServer({ mail: true });

const read = async (path: string) => await (await fetch(server.url + path)).text();

describe("a mailed link", () => {
  /** Does what the link in the newest letter is for, then tries the same again. */
  async function followTwice(email: string, another: string, leadsTo: string, more: Record<string, string>) {
    const link = await server.linkTo(email);
    const path = link.slice(server.url.length, link.indexOf("#"));
    const browser = plainBrowser(server.url);
    // Without a script the whole link is pasted.
    const done = await browser.post(path, { token: link, ...more });
    expect([done.status, done.path]).toEqual([200, leadsTo]);
    const again = await browser.post(path, { token: link, ...more });
    expect(again.status).toBe(422);
    expect(again.text).toContain(
      "Link: this link was used, was replaced by a newer one, or is too old; if you used it, sign in",
    );
    expect(again.html).not.toContain(link);
    expect(again.html).toContain(`href="${another}"`);
    return done.text;
  }

  test("confirms an address, or sets a password, once", async () => {
    const email = "link@example.com";
    const browser = plainBrowser(server.url);
    await browser.post("/dashboard/sign-up", { email, password: PASSWORD });
    const own = { password: PASSWORD };
    expect(await followTwice(email, "/dashboard/verify-email", "/dashboard", own)).toContain(
      "address is confirmed",
    );
    const before = server.smtp.mails.length;
    await browser.post("/dashboard/password-reset", { email });
    while (server.smtp.mails.length === before) await Bun.sleep(10);
    const password = `${PASSWORD}s`;
    const [another, leadsTo] = ["/dashboard/password-reset", "/dashboard/sign-in"];
    expect(await followTwice(email, another, leadsTo, { new: password })).toContain(
      "Your password was changed",
    );
    expect((await browser.post("/dashboard/sign-in", { email, password })).path).toBe("/dashboard");
  });

  test("stays in the form where the password is refused", async () => {
    const fields = { token: "fxo_none", new: "1234567890" };
    const refused = await plainBrowser(server.url).post("/reset-password", fields);
    expect(refused.status).toBe(422);
    expect(refused.html).toMatch(/id="token"[^>]*? value="fxo_none"/);
    expect(refused.text).toContain("New password: too common");
    expect(refused.html).not.toContain("1234567890");
  });
});

test("/account claims nothing about a payment that the address does not say, and never that it was made", async () => {
  expect(await read("/account")).not.toMatch(/Thank you|You bought nothing/);
  expect(await read("/account?checkout=paid")).not.toMatch(/Thank you|You bought nothing/);
  expect(await read("/account?checkout=cancelled")).toContain("You bought nothing.");
  expect(await read("/account?checkout=success")).toContain("when the payment provider confirms");
});

test("the printed rules for passwords are the rules in force", async () => {
  const rules = `${LEAST_CHARACTERS} to ${MOST_CHARACTERS} characters of any kind`;
  expect((await read("/reset-password")).split(rules)).toHaveLength(2);
});

test("the sign-in names no identity provider where none is configured", async () => {
  expect(await read("/dashboard/sign-in")).not.toContain("oidc");
});
