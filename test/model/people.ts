/** Steps of a run that people take to come and to go: signing up, in and out; and how a session asks for anything else. */

import { bearer, from } from "#test/metered/client.ts";
import { audited, demand, mayTry, pick, type RunContext, refused } from "./context.ts";
import { newPerson, type Person, SESSION } from "./model.ts";
import { HOUR, MINUTE } from "./windows.ts";
import type { Answer } from "./world.ts";

const PASSWORD = "seven kites above the harbour";

function began(context: RunContext, person: Person, token: string): void {
  person.sessions.set(token, context.now + SESSION);
  context.secrets.add(token);
  audited(context, "session.started");
}

export async function signUp(context: RunContext): Promise<string> {
  const nth = context.people.length + 1;
  const address = `10.${Math.floor(context.tag / 256) % 256}.${context.tag % 256}.${nth}`;
  const isTaken = nth > 1 && context.random() < 0.15;
  const email = isTaken
    ? pick(context, context.people).email
    : `person-${nth}@run-${context.tag}.example.org`;
  if (!mayTry(context, `up ${address}`, 20, HOUR)) return "skipped";
  const sent = { email, password: PASSWORD };
  const answer = await context.world.ask("POST", "/v1/auth/sign-up?cookie=0", from(address), sent);
  if (isTaken) {
    refused(answer, 409, "conflict");
    return "409";
  }
  demand("sign-up", [answer.status, answer.headers.get("cache-control")], [201, "no-store"]);
  const person = newPerson(email, address, PASSWORD);
  context.people.push(person);
  began(context, person, answer.body.token);
  context.secrets.add(PASSWORD);
  return "201";
}

export async function signIn(context: RunContext, person: Person): Promise<string> {
  const isWrong = context.random() < 0.2;
  if (!mayTry(context, `in ${person.email}`, 10, 15 * MINUTE)) return "skipped";
  // The session that the request came with ends.
  const old = context.random() < 0.3 ? [...person.sessions.keys()][0] : undefined;
  const headers = { ...from(person.address), ...(old === undefined ? {} : bearer(old)) };
  const sent = { email: person.email, password: isWrong ? "another password" : PASSWORD };
  const answer = await context.world.ask("POST", "/v1/auth/sign-in?cookie=0", headers, sent);
  if (isWrong) {
    refused(answer, 401, "invalid_credentials");
    return "401";
  }
  demand("sign-in", [answer.status, answer.headers.get("cache-control")], [200, "no-store"]);
  if (old !== undefined) ended(context, person, old);
  began(context, person, answer.body.token);
  return old === undefined ? "200" : "200, instead of another";
}

export async function signOut(context: RunContext, person: Person): Promise<string> {
  const token = aSession(context, person);
  if (token === null) return "no session";
  const answer = await context.world.ask("POST", "/v1/auth/sign-out", bearer(token));
  if (!lives(context, person, token) && answer.status === 401) return "401";
  demand("sign-out", answer.status < 300, true);
  ended(context, person, token);
  return String(answer.status);
}

/** Asks as the person; null, after the refusal was compared, where it is malformed or, looked at after that, the session is none. */
export async function requestAs(
  context: RunContext,
  person: Person,
  method: string,
  path: string,
  body?: unknown,
  isMalformed = false,
): Promise<Answer | null> {
  const token = aSession(context, person);
  const apiKey = person.org?.keys.at(-1)?.plaintext;
  const isByKey = apiKey !== undefined && context.random() < 0.04;
  const headers = isByKey ? bearer(apiKey) : token === null ? {} : bearer(token);
  const answer = await context.world.ask(method, path, { ...headers, ...from(person.address) }, body);
  if (isMalformed) {
    refused(answer, 422, "validation_error");
    return null;
  }
  if (!isByKey && token !== null && lives(context, person, token)) return answer;
  refused(answer, 401, "session_required");
  demand("401 says how", answer.headers.has("www-authenticate"), true);
  return null;
}

function aSession(context: RunContext, person: Person): string | null {
  const dead = person.deadSessions;
  if (dead.length > 0 && context.random() < 0.05) return pick(context, dead);
  return [...person.sessions.keys()].at(-1) ?? null;
}

function lives(context: RunContext, person: Person, token: string): boolean {
  return context.now < (person.sessions.get(token) ?? 0);
}

export function ended(_: RunContext, person: Person, token: string): void {
  person.sessions.delete(token);
  person.deadSessions.push(token);
}
