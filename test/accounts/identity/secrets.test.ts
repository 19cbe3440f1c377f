/** After the whole lifecycle of an account only its bearer has a secret: no row, file, log or list contains one. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { askReset, confirmReset, confirmVerification } from "#accounts/identity/links.ts";
import { signUp } from "#accounts/identity/sign-in.ts";
import { openTestApp, post } from "#test/api/harness.ts";
import { type IdentityFixture, openFixture, PASSWORD, VISIT } from "./fixture.ts";

let fixture: IdentityFixture;
beforeEach(async () => {
  fixture = await openFixture("served");
});
afterEach(() => fixture.stop());

test("rows, files, logs, refusals and lists hold no password, token or link", async () => {
  const email = "ada@example.com";
  const [second, third] = ["eleven kites over Gouda", "a wrong password of hers"];
  const app = openTestApp({ identity: fixture.deps });
  const bodies: string[] = [];
  const ask = async (path: string, init: RequestInit) => {
    const response = await app.ask(path, init);
    bodies.push(await response.clone().text());
    return response;
  };

  await signUp(fixture.deps, { email, password: PASSWORD }, VISIT);
  const verification = await fixture.linkTo(email);
  await confirmVerification(fixture.deps, { token: verification }, VISIT);
  const signIn = async (password: string) => {
    const answer = await app.ask("/v1/auth/sign-in", post({ email, password }));
    return ((await answer.json()) as { token: string }).token;
  };
  const first = await signIn(PASSWORD);
  const mine = { authorization: `Bearer ${first}` };
  await ask("/v1/auth/password", post({ current: PASSWORD, new: second }, mine));
  await ask("/v1/auth/sign-in", post({ email, password: third }));
  await askReset(fixture.deps, { email }, VISIT);
  const reset = await fixture.linkTo(email);
  await ask("/v1/auth/password-reset/confirm", post({ token: reset, new: "short" }));
  await confirmReset(fixture.deps, { token: reset, password: third }, VISIT);
  await ask("/v1/auth/password-reset/confirm", post({ token: reset, new: second }));
  const last = await signIn(third);
  await ask("/v1/auth/sessions", { headers: { authorization: `Bearer ${last}` } });
  await ask("/v1/auth/me", { headers: { authorization: `Bearer ${last}` } });
  await ask("/v1/auth/me", { headers: mine });
  await ask("/v1/auth/sign-out", { method: "POST", headers: { authorization: `Bearer ${last}` } });
  await fixture.seen.flush();

  const places: Record<string, string> = {
    ...rowsOf(join(fixture.directory, "ledger.sqlite")),
    emitted: fixture.emitted.join("\n"),
    answers: bodies.join("\n"),
  };
  for (const name of readdirSync(fixture.directory)) {
    places[name] = readFileSync(join(fixture.directory, name), "latin1");
  }
  expect(Object.keys(places)).toContain("sessions");
  expect(places["identities"]).toContain("$argon2id$");
  for (const [place, text] of Object.entries(places)) {
    for (const password of [PASSWORD, second, third]) expect(text.includes(password), place).toBe(false);
    for (const token of [first, last, verification, reset]) {
      // The id part is no secret: 20 characters after the kind. What follows is, and the whole is.
      expect(text.includes(token), place).toBe(false);
      expect(text.includes(token.slice(24, 56)), place).toBe(false);
    }
  }
  // Hashes stay in their tables: neither a list nor the audit log contains them.
  for (const place of ["audit_log", "answers", "emitted"]) {
    expect(places[place]).not.toMatch(/\$argon2|[0-9a-f]{64}/);
  }
});

/** Every row of every table, as text. */
function rowsOf(path: string): Record<string, string> {
  const database = new Database(path, { readonly: true });
  const names = database.query("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
    name: string;
  }[];
  const rows = names.map(({ name }) => [
    name,
    JSON.stringify(database.query(`SELECT * FROM "${name}"`).all()),
  ]);
  database.close();
  return Object.fromEntries(rows);
}
