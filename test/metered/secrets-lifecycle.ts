/** The lifecycle of an account over HTTP and on the command line, for the search for secrets: the answers, and what they must not contain. */

import { expect } from "bun:test";
import { runInProcess } from "#test/commands/process.ts";
import type { ReplicaProcess } from "#test/live-redis/replica-process.ts";
import { bearer, from, json, PASSWORD, post } from "./client.ts";

const NEW_PASSWORD = "eleven kites over the river";
const LAST_PASSWORD = "thirteen kites behind the dune";
export const PASSWORDS = [PASSWORD, NEW_PASSWORD, LAST_PASSWORD] as const;

/** What must not be found, by its name. */
export type Secrets = Map<string, Buffer[]>;

export function addText(secrets: Secrets, name: string, text: string): void {
  // A key's or token's beginning is printed on purpose, its end never.
  const tail = /^(fx[a-z]|whsec)_/.test(text) ? [text.slice(-20)] : [];
  secrets.set(
    name,
    [text, ...tail].map((one) => Buffer.from(one)),
  );
}

export function addBytes(secrets: Secrets, name: string, bytes: Buffer): void {
  const texts = [bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex")];
  secrets.set(name, [bytes, ...texts.map((text) => Buffer.from(text))]);
}

export interface Received {
  /** Bodies of everything but what hands a secret to its owner. */
  readonly bodies: string[];
  readonly secrets: Secrets;
}

/** Everything that can be done without a provider and without Stripe, rightly and wrongly. */
export async function live(
  { url }: ReplicaProcess,
  { bodies, secrets }: Received,
  environment: Record<string, string>,
) {
  const place = from("203.0.113.50");
  const email = "ada@example.org";
  const send = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${path}`, { ...init, headers: { ...init.headers, ...place } });
    bodies.push(
      `${bodies.length} ${path.slice(0, 12)} ${answer.status} ${await answer.text()} ${JSON.stringify([...answer.headers])}`,
    );
    return answer.status;
  };
  const give = async (path: string, init: RequestInit, status = 200) =>
    await json(await fetch(`${url}${path}`, { ...init, headers: { ...init.headers, ...place } }), status);
  let nth = 0;
  const session = (token: string) => {
    nth += 1;
    addText(secrets, `session ${nth}`, token);
    return bearer(token);
  };
  const key = (plaintext: string) => {
    nth += 1;
    addText(secrets, `key ${nth}`, plaintext);
    return plaintext;
  };
  const auth = (path: string, password: string) => post({ email, [path]: password });

  const person = session((await give("/v1/auth/sign-up?cookie=0", auth("password", PASSWORD), 201)).token);
  await send("/v1/auth/sign-up", auth("password", PASSWORD));
  await send("/v1/auth/sign-up", post({ email: "b@example.org", password: PASSWORD.slice(0, 5) }));
  await send("/v1/auth/sign-in", auth("password", `${PASSWORD}, wrong`));
  await send("/v1/auth/sign-in", auth("passwort", PASSWORD));
  await send("/v1/auth/sign-in", { ...post({}), body: `{"email": "${email}", "password": "${PASSWORD}"` });
  const other = session((await give("/v1/auth/sign-in?cookie=0", auth("password", PASSWORD))).token);
  const withCookie = await fetch(`${url}/v1/auth/sign-in`, auth("password", PASSWORD));
  session((await json(withCookie)).token);
  await send("/v1/auth/me", { headers: person });
  await send("/v1/auth/sessions", { headers: person });

  const first = key((await give("/v1/account/provision", { method: "POST", headers: person })).plaintext);
  await send("/v1/latest", { headers: bearer(first) });
  await send("/v1/latest?base=XXX", { headers: bearer(first) });
  await send("/v1/2020-01-01", { headers: bearer(first) });
  await send("/v1/convert", { ...post({}, bearer(first)), body: "{" });
  for (const wrong of [first.slice(0, -1), `${first}x`, first.toUpperCase()])
    await send("/v1/latest", { headers: bearer(wrong) });
  // Where keys do not belong, and yet are put.
  await send(`/v1/latest?api_key=${first}`);
  await send(`/v1/rate/${first}`, { headers: bearer(first) });
  await send(`/v1/latest/${first}`);
  await send(`/v1/${first}`);
  await send("/v1/account", { headers: bearer(first) });
  await send("/v1/keys/rotate", { method: "POST", headers: bearer(first) });
  await send(`/compat/oxr/latest.json?app_id=${first}`);
  await send(`/compat/oxr/latest.json?app_id=${first.slice(0, -2)}`);
  for (let call = 0; call < 12; call++) await send("/v1/latest", { headers: bearer(first) });

  await send("/dashboard/api/webhooks", post({ url: "https://hooks.invalid/rates" }, person));
  const { out: whose } = await runInProcess(["accounts", "find", email, "--json"], environment);
  const [, organization = ""] = /"(org_\w+)"/.exec(whose) ?? [];
  expect((await runInProcess(["accounts", "tier", organization, "plus"], environment)).code).toBe(0);
  const webhook = await give(
    "/dashboard/api/webhooks",
    post({ url: "https://hooks.invalid/rates" }, person),
    201,
  );
  const hook = `/dashboard/api/webhooks/${webhook.endpoint.id}`;
  const rotated = await give(`${hook}/rotate`, { method: "POST", headers: person });
  for (const [nth, { secret }] of [webhook, rotated].entries())
    addText(secrets, `webhook secret ${nth}`, secret);
  await send("/dashboard/api/webhooks", { headers: person });
  await send(hook, post({ description: "ours" }, person));
  await send(hook, post({ secret: rotated.secret }, person));
  await send(`/dashboard/api/webhooks/${rotated.secret}/test`, { method: "POST", headers: person });
  await send(`${hook}/deliveries`, { headers: person });

  const second = key((await give("/v1/keys/rotate", { method: "POST", headers: person })).plaintext);
  key((await give("/v1/keys/rotate", { method: "POST", headers: person })).plaintext);
  await send("/v1/latest", { headers: bearer(second) });
  await send("/v1/consent", post({ policy_version: "2026-01" }, person));
  await send("/v1/consent", post({ policy_version: "ü" }, person));
  await send("/v1/account/usage/daily", { headers: person });
  await send("/v1/account/checkout", post({ plan: "pro" }, bearer(second)));
  await send("/v1/account/checkout", post({ plan: "gold" }, bearer(second)));
  await send("/v1/auth/oidc/start");
  await send(`/v1/auth/oidc/callback?code=${first}&state=x`);
  await send("/v1/billing/stripe/events", {
    ...post({}),
    headers: { "stripe-signature": `t=1,v1=${first}` },
  });

  await send("/v1/auth/password", post({ current: `${PASSWORD}!`, new: NEW_PASSWORD }, person));
  await send("/v1/auth/password", post({ current: PASSWORD, new: NEW_PASSWORD }, person));
  await send("/v1/auth/me", { headers: other });
  await send("/v1/auth/password-reset", post({ email }));
  const printed = await runInProcess(["accounts", "reset-link", email, "--json"], environment);
  expect(printed.code).toBe(0);
  const { token } = JSON.parse(printed.out);
  addText(secrets, "one-time token", token);
  await send(
    "/v1/auth/password-reset/confirm",
    post({ token: `${token.slice(0, -1)}?`, new: LAST_PASSWORD }),
  );
  await send("/v1/auth/password-reset/confirm", post({ token, new: LAST_PASSWORD }));
  await send("/v1/auth/password-reset/confirm", post({ token, new: LAST_PASSWORD }));
  await send("/v1/auth/verify-email", post({ token, password: LAST_PASSWORD }));
  const again = session((await give("/v1/auth/sign-in?cookie=0", auth("password", LAST_PASSWORD))).token);
  await send("/v1/keys", { method: "DELETE", headers: again });
  key((await give("/v1/account/provision", { method: "POST", headers: again })).plaintext);
  await send("/v1/auth/sign-out", { method: "POST", headers: person });
  await send("/status");
  await send("/openapi.json");
  return { send, person: again, keys: [first, second] };
}
