/** Calls as clients make them: people with sessions, programs with keys, callers without a key by address. */

import { expect } from "bun:test";

export const PASSWORD = "seven kites above the harbour";

export interface Person {
  readonly email: string;
  readonly token: string;
}

export interface Member extends Person {
  readonly key: string;
  readonly organizationId: string;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read members of bodies freely
export type Json = any;

export async function json(answer: Response, status = 200): Promise<Json> {
  const text = await answer.text();
  if (answer.status !== status) throw new Error(`${answer.url} answered ${answer.status}: ${text}`);
  return JSON.parse(text);
}

export function post(body: unknown, headers: Record<string, string> = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` };
}

/** A caller from this address, through a proxy that the server trusts. */
export function from(address: string): Record<string, string> {
  return { "x-forwarded-for": address };
}

export async function statusOf(url: string, init?: RequestInit): Promise<number> {
  const answer = await fetch(url, init);
  await answer.arrayBuffer();
  return answer.status;
}

let people = 0;

export async function signUp(url: string, email?: string): Promise<Person> {
  people += 1;
  const own = email ?? `person-${people}@example.org`;
  // Each from a network of its own: the limits of sign-ups are another test's.
  const place = from(`198.18.${people % 250}.7`);
  const init = post({ email: own, password: PASSWORD }, place);
  const { token } = await json(await fetch(`${url}/v1/auth/sign-up?cookie=0`, init), 201);
  return { email: own, token };
}

export async function join(url: string, email?: string): Promise<Member> {
  const person = await signUp(url, email);
  const headers = bearer(person.token);
  const body = await json(await fetch(`${url}/v1/account/provision`, { method: "POST", headers }));
  expect(body.created).toBe(true);
  return { ...person, key: body.plaintext, organizationId: body.org_id };
}

/** The pairs of a batch conversion that counts as so many calls. */
export function batchOf(pairs: number, headers: Record<string, string> = {}): RequestInit {
  const all = Array.from({ length: pairs }, (_, nth) => ["USD", nth + 1]);
  return post({ from: "EUR", pairs: all }, headers);
}

/** The three headers, each a whole number; null where any of them is missing. */
export function limitsIn({ headers }: Pick<Response, "headers">) {
  const names = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
  const values = names.map((name) => headers.get(name) ?? "");
  if (!values.every((value) => /^\d+$/.test(value))) return null;
  const [limit = 0, remaining = 0, reset = 0] = values.map(Number);
  return { limit, remaining, reset };
}
