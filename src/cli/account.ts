/** `crossrate login`, `logout`, `keys` and `usage`: the session and the API key, stored for the other commands; the calls of the month. */

import type {
  AccountResponse,
  ApiKeyCreatedResponse,
  DailyUsageResponse,
  KeysRevokedResponse,
} from "#api/account/account.ts";
import type { SignedInResponse, SignUpMailedResponse } from "#api/auth/sign-in.ts";
import type { Read } from "#api/forms.ts";
import type { ExactNumber } from "#domain/net/message.ts";
import { csvLine } from "#domain/text/csv.ts";
import { type Client, clientOf, printAnswer, printBody, Refusal } from "./client.ts";
import { type CommandContext, EXIT, type Input, type Terminal, UsageFault } from "./command.ts";
import { forgetLogin, keepLogin, storePath } from "./server.ts";
import { coloured, printedCount, printTable, shownInstant } from "./show.ts";
import type { Outputs } from "./words.ts";

interface LoginOptions {
  readonly email?: string;
  readonly signUp?: true;
  readonly url?: string;
}

export async function login(context: CommandContext, options: LoginOptions) {
  const client = await clientOf(context, options.url, "password");
  const { url } = client.server;
  const { terminal, input, environment } = context;
  if (input.isTerminal) terminal.complain(`Signing in at ${url}`);
  const email = options.email ?? (await answered(input, "E-mail address: "));
  const password = await answered(input, "Password: ", "hidden");
  if (options.signUp && !(await signUp(client, email, password, context))) return;
  const signedIn = await client.ask<Read<typeof SignedInResponse>>("/v1/auth/sign-in", {
    method: "POST",
    query: { cookie: "0" },
    body: { email, password },
    as: "anonymous",
  });
  const { token, expires_at } = signedIn.content;
  const key = await provisioned(client, token);
  await keepLogin(environment, url, { email, session: token, expires_at, key });
  const shown = key === null ? "the key cannot be shown by this server" : `key ${key.slice(0, 12)}…`;
  terminal.print(`Signed in at ${url} as ${email} until ${expires_at.slice(0, 10)}, ${shown}`);
  terminal.print(`Stored in ${storePath(environment)}; crossrate logout ends the session and removes it`);
  if (environment["CROSSRATE_API_KEY"])
    terminal.complain("CROSSRATE_API_KEY is set: it is sent instead of the stored key");
}

async function answered(input: Input, question: string, hidden?: "hidden"): Promise<string> {
  const answer = await input.ask(question, hidden);
  if (answer === null || answer === "")
    throw new UsageFault(
      `${question.replace(": ", "")} is needed; name the address with --email and pipe the password`,
    );
  return answer;
}

/** Resolves with false when the address must be confirmed first. */
async function signUp(client: Client, email: string, password: string, { terminal }: CommandContext) {
  const { content } = await client.ask<Read<typeof SignedInResponse> | Read<typeof SignUpMailedResponse>>(
    "/v1/auth/sign-up",
    { method: "POST", query: { cookie: "0" }, body: { email, password }, as: "anonymous" },
  );
  if (!("mail" in content)) return true;
  terminal.print(content.message);
  return false;
}

async function provisioned(client: Client, token: string): Promise<string | null> {
  const { content } = await client.ask<Read<typeof ApiKeyCreatedResponse>>("/v1/account/provision", {
    method: "POST",
    as: "anonymous",
    headers: { authorization: `Bearer ${token}` },
  });
  return content.plaintext;
}

export async function logout(context: CommandContext, options: { readonly url?: string }) {
  const client = await clientOf(context, options.url);
  const { url, login } = client.server;
  if (login === null) {
    context.terminal.print(`there is no login at ${url}`);
    return;
  }
  await forgetLogin(context.environment, url);
  try {
    await client.ask("/v1/auth/sign-out", { method: "POST", as: "session" });
  } catch (fault) {
    // An ended session needs no sign-out.
    if (!(fault instanceof Refusal && fault.status === 401)) throw fault;
  }
  context.terminal.print(`Signed out at ${url}`);
}

interface KeyOptions extends Outputs {
  readonly show?: true;
  readonly yes?: true;
}

export async function listKey(context: CommandContext, { show, ...outputs }: KeyOptions) {
  type Body = Read<typeof AccountResponse>;
  await printAnswer<Body>(context, outputs, { path: "/v1/account", as: "session" }, ({ print }, { key }) => {
    if (key === null) print("there is no key; crossrate keys rotate issues one");
    else if (show) {
      if (key.plaintext === null)
        throw new Error("this server cannot show the key; crossrate keys rotate issues one that it can");
      print(key.plaintext);
    } else {
      const used = key.last_used_at === null ? "never" : `${shownInstant(key.last_used_at)} UTC`;
      print(`${key.prefix}…  issued ${shownInstant(key.created_at)} UTC, last used ${used}`);
    }
  });
}

export async function rotateKey(context: CommandContext, options: KeyOptions) {
  const client = await clientOf(context, options.url);
  const { environment } = context;
  const question = { method: "POST", as: "session" } as const;
  const answer = await client.ask<Read<typeof ApiKeyCreatedResponse>>("/v1/keys/rotate", question);
  const { login, url } = client.server;
  // Printed first: where it cannot be stored, its owner has it.
  await printBody(context, options, answer, ({ print, complain }, { plaintext, key }) => {
    print(plaintext ?? `${key.prefix}…`);
    complain("the old key works for 24 hours more");
  });
  if (login !== null) await keepLogin(environment, url, { ...login, key: answer.content.plaintext });
}

export async function revokeKeys(context: CommandContext, options: KeyOptions) {
  const client = await clientOf(context, options.url);
  const { terminal, environment, input } = context;
  const { login, url } = client.server;
  if (!options.yes) {
    if (!input.isTerminal) throw new UsageFault("this revokes every key at once; confirm with --yes");
    const answer = await input.ask(`Every key of this account at ${url} ends at once. Type yes: `);
    if (answer?.trim() !== "yes") {
      terminal.complain("nothing was revoked");
      return EXIT.failed;
    }
  }
  const question = { method: "DELETE", as: "session" } as const;
  const answer = await client.ask<Read<typeof KeysRevokedResponse>>("/v1/keys", question);
  await printBody(context, options, answer, ({ print }, { revoked }) =>
    print(revoked ? "no key works any more; crossrate keys rotate issues a new one" : "there was no key"),
  );
  if (login !== null) await keepLogin(environment, url, { ...login, key: null });
  return EXIT.done;
}

export async function usage(
  context: CommandContext,
  { days, json, csv, url }: Outputs & { readonly days?: string },
) {
  const client = await clientOf(context, url);
  const { terminal } = context;
  const question = { as: "session", query: { days } } as const;
  const daily = await client.ask<Read<typeof DailyUsageResponse>>("/v1/account/usage/daily", question);
  if (json) await terminal.write(`${daily.text}\n`);
  else if (csv) {
    terminal.print(csvLine(["date", "served", "rate_limited"]));
    for (const { date, served, rate_limited: refused } of daily.content.rows)
      terminal.print(csvLine([date, served.rawJSON, refused.rawJSON]));
  } else {
    const account = await client.ask<Read<typeof AccountResponse>>("/v1/account", { as: "session" });
    printMonth(terminal, account.content);
    printDays(terminal, daily.content);
  }
}

function printMonth(terminal: Terminal, { org, usage, email }: Read<typeof AccountResponse>): void {
  if (org === null || usage === null) {
    terminal.print("there is no key yet; crossrate login issues one");
    return;
  }
  const [calls, limit] = [countOf(usage.calls_this_month), countOf(usage.limit)];
  const who = email === null ? org.id : email;
  terminal.print(`${who}, plan ${coloured(terminal.screen, "bold", org.tier)}, ${org.status}`);
  const colour = calls >= limit ? "red" : calls >= limit * 0.8 ? "yellow" : "green";
  const shown = coloured(terminal.screen, colour, `${printedCount(calls)} of ${printedCount(limit)} calls`);
  terminal.print(`${shown}, resets ${usage.resets_on}, 00:00 UTC\n`);
}

function printDays(terminal: Terminal, { rows }: Read<typeof DailyUsageResponse>): void {
  const columns = [
    { head: "date" },
    { head: "served", align: "right" },
    { head: "refused", align: "right" },
  ] as const;
  const cells = rows.map(({ date, served, rate_limited: refused }) => [
    date,
    printedCount(countOf(served)),
    { text: printedCount(countOf(refused)), colour: countOf(refused) > 0 ? "yellow" : "dim" } as const,
  ]);
  printTable(terminal, columns, cells);
}

const countOf = ({ rawJSON: text }: ExactNumber) => Number(text);
