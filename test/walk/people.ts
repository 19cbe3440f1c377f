/** Steps of a walk that people take to come and to go: signing up, in and out; and how a session asks for anything else. */

import { bearer, from } from "#test/metered/client.ts";
import { newPerson, type Person, SESSION } from "./model.ts";
import { audited, demand, mayTry, pick, refused, type Walk } from "./walk.ts";
import { HOUR, MINUTE } from "./windows.ts";
import type { Answer } from "./world.ts";

const PASSWORD = "seven kites above the harbour";

function began(walk: Walk, person: Person, token: string): void {
  person.sessions.set(token, walk.now + SESSION);
  walk.secrets.add(token);
  audited(walk, "session.started");
}

export async function signUp(walk: Walk): Promise<string> {
  const nth = walk.people.length + 1;
  const address = `10.${Math.floor(walk.tag / 256) % 256}.${walk.tag % 256}.${nth}`;
  const isTaken = nth > 1 && walk.random() < 0.15;
  const email = isTaken ? pick(walk, walk.people).email : `person-${nth}@walk-${walk.tag}.example.org`;
  if (!mayTry(walk, `up ${address}`, 20, HOUR)) return "skipped";
  const sent = { email, password: PASSWORD };
  const answer = await walk.world.ask("POST", "/v1/auth/sign-up?cookie=0", from(address), sent);
  if (isTaken) {
    refused(answer, 409, "conflict");
    return "409";
  }
  demand("sign-up", [answer.status, answer.headers.get("cache-control")], [201, "no-store"]);
  const person = newPerson(email, address, PASSWORD);
  walk.people.push(person);
  began(walk, person, answer.body.token);
  walk.secrets.add(PASSWORD);
  return "201";
}

export async function signIn(walk: Walk, person: Person): Promise<string> {
  const isWrong = walk.random() < 0.2;
  if (!mayTry(walk, `in ${person.email}`, 10, 15 * MINUTE)) return "skipped";
  // The session that the request came with ends.
  const old = walk.random() < 0.3 ? [...person.sessions.keys()][0] : undefined;
  const headers = { ...from(person.address), ...(old === undefined ? {} : bearer(old)) };
  const sent = { email: person.email, password: isWrong ? "another password" : PASSWORD };
  const answer = await walk.world.ask("POST", "/v1/auth/sign-in?cookie=0", headers, sent);
  if (isWrong) {
    refused(answer, 401, "invalid_credentials");
    return "401";
  }
  demand("sign-in", [answer.status, answer.headers.get("cache-control")], [200, "no-store"]);
  if (old !== undefined) ended(walk, person, old);
  began(walk, person, answer.body.token);
  return old === undefined ? "200" : "200, instead of another";
}

export async function signOut(walk: Walk, person: Person): Promise<string> {
  const token = aSession(walk, person);
  if (token === null) return "no session";
  const answer = await walk.world.ask("POST", "/v1/auth/sign-out", bearer(token));
  if (!lives(walk, person, token) && answer.status === 401) return "401";
  demand("sign-out", answer.status < 300, true);
  ended(walk, person, token);
  return String(answer.status);
}

/** Asks as the person; null, after the refusal was compared, where it is malformed or, looked at after that, the session is none. */
export async function asked(
  walk: Walk,
  person: Person,
  method: string,
  path: string,
  body?: unknown,
  isMalformed = false,
): Promise<Answer | null> {
  const token = aSession(walk, person);
  const apiKey = person.org?.keys.at(-1)?.plaintext;
  const isByKey = apiKey !== undefined && walk.random() < 0.04;
  const headers = isByKey ? bearer(apiKey) : token === null ? {} : bearer(token);
  const answer = await walk.world.ask(method, path, { ...headers, ...from(person.address) }, body);
  if (isMalformed) {
    refused(answer, 422, "validation_error");
    return null;
  }
  if (!isByKey && token !== null && lives(walk, person, token)) return answer;
  refused(answer, 401, "session_required");
  demand("401 says how", answer.headers.has("www-authenticate"), true);
  return null;
}

function aSession(walk: Walk, person: Person): string | null {
  const dead = person.deadSessions;
  if (dead.length > 0 && walk.random() < 0.05) return pick(walk, dead);
  return [...person.sessions.keys()].at(-1) ?? null;
}

function lives(walk: Walk, person: Person, token: string): boolean {
  return walk.now < (person.sessions.get(token) ?? 0);
}

export function ended(_: Walk, person: Person, token: string): void {
  person.sessions.delete(token);
  person.deadSessions.push(token);
}
