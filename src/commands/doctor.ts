/** `crossrate doctor`: finds faults of a server from outside (reachability, clock, data, the key), or of the installation on this machine. */

import { existsSync } from "node:fs";
import type { Read } from "#api/forms.ts";
import type { StatusResponse } from "#api/status/status.ts";
import { type Client, clientOf, Refusal, Unreachable } from "#cli/client.ts";
import { type CommandContext, EXIT, type Terminal, UsageFault } from "#cli/command.ts";
import { tooOpen } from "#cli/server.ts";
import { ageOf, coloured, printable, shownSeconds } from "#cli/show.ts";
import { parseExact } from "#domain/net/message.ts";
import { broken, type Finding, note, ok } from "./finding.ts";

interface Options {
  readonly server?: true;
  readonly local?: true;
  readonly json?: true;
  readonly url?: string;
}

export async function doctor(context: CommandContext, options: Options): Promise<number> {
  const { server, local, json } = options;
  const { print, screen } = context.terminal;
  if (server && local) throw new UsageFault("--server and --local: leave both out for both");
  const findings: Finding[] = [];
  for await (const finding of allFindings(context, options)) {
    findings.push(finding);
    if (!json) printFinding(context.terminal, finding);
  }
  const broken = findings.filter(({ state }) => state === "broken").length;
  const verdict = broken === 0 ? "nothing is broken" : `${broken} of ${findings.length} checks found a fault`;
  if (json) print(JSON.stringify(findings, null, 2));
  else print(`\n${coloured(screen, broken === 0 ? "green" : "red", verdict)}`);
  return broken === 0 ? EXIT.done : EXIT.failed;
}

async function* allFindings(
  context: CommandContext,
  { server, local, url }: Options,
): AsyncGenerator<Finding> {
  const client = await clientOf(context, url);
  if (!local) yield* serverFindings(context, client);
  if (server) return;
  const isElsewhere = client.server.chosenBy !== "default";
  const hasData = existsSync(context.environment["DATA_DIR"] || "data/live");
  if (!local && isElsewhere && !hasData) return;
  // Imported on demand: the checks of this machine load the whole product.
  yield* (await import("./doctor-local.ts")).localFindings(context);
}

const COLOURS = { ok: "green", note: "yellow", broken: "red" } as const;

const WIDTH = 16;

function printFinding({ print, screen }: Terminal, { what, state, found, advice }: Finding): void {
  print(`${coloured(screen, COLOURS[state], state.padEnd(6))}  ${what.padEnd(WIDTH)}  ${printable(found)}`);
  if (advice !== undefined) print(`${" ".repeat(8)}${" ".repeat(WIDTH)}  → ${printable(advice)}`);
}

type Status = Read<typeof StatusResponse>;

/** Signatures of webhooks are refused beyond 300 seconds; a slow network explains less than half a minute. */
const MOST_SKEW_SECONDS = 30;

/** Yields each finding as soon as it is known. An address that does not answer is broken only if the user named it. */
async function* serverFindings(context: CommandContext, client: Client): AsyncGenerator<Finding> {
  const { clock, environment, version } = context;
  const { url, chosenBy } = client.server;
  const open = await tooOpen(environment);
  if (open !== null)
    yield broken(
      "stored login",
      `others can read it (mode ${open})`,
      "chmod 600 on the file of crossrate login, then rotate the key: crossrate keys rotate",
    );
  const began = clock.now();
  let status: Status;
  try {
    status = await statusOf(client);
    const took = clock.now() - began;
    yield ok("server", `${url} answers in ${Math.round(took)} ms, release ${status.version}`);
    yield clockFinding(Date.parse(status.timestamp), began + took / 2);
  } catch (fault) {
    if (!(fault instanceof Unreachable) && !(fault instanceof Refusal)) throw fault;
    const start = "crossrate serve or crossrate demo starts one here; --url or CROSSRATE_URL names another";
    yield chosenBy === "default"
      ? note("server", `${url}: ${fault.message}`, start)
      : broken("server", `${url}: ${fault.message}`, `check the address (${chosenBy}) and the network`);
    return;
  }
  if (status.version !== version)
    yield note("release", `this program is ${version}, the server ${status.version}`);
  yield* statusFindings(status);
  yield await keyFinding(client);
}

/** A server that is not ready answers 503 with the same body. */
async function statusOf(client: Client): Promise<Status> {
  try {
    const { content } = await client.ask<Status>("/status", { as: "anonymous", waits: false });
    if (content.checks === undefined)
      throw new Unreachable(client.server.url, "what answers there is no Crossrate server");
    return content;
  } catch (fault) {
    if (fault instanceof Refusal && fault.body !== null) {
      const content = parseExact(fault.body) as Partial<Status>;
      if (content.checks !== undefined) return content as Status;
    }
    throw fault;
  }
}

function clockFinding(served: number, here: number): Finding {
  const ahead = Math.round((served - here) / 1000);
  const size = Math.abs(ahead);
  if (size <= MOST_SKEW_SECONDS)
    return ok("clock", `server and this machine agree within ${Math.max(1, size)} s`);
  return note(
    "clock",
    `the server's clock is ${shownSeconds(size)} ${ahead > 0 ? "ahead of" : "behind"} this machine's`,
    "set both by NTP, but for a demo, which begins in the past: webhook signatures are refused beyond 300 s",
  );
}

function* statusFindings({ checks, timestamp }: Status): Generator<Finding> {
  const { clock, database, cache, limits, lake, live_data: live, daily, official } = checks;
  if (clock.status !== "ok")
    yield broken(
      "server's clock",
      clock.detail ?? clock.status,
      "set the clock of the server's machine by NTP; docs/operations.md has what a wrong clock leaves behind",
    );
  yield storeFinding("lake", lake, `${lake.observations.rawJSON} observations`);
  for (const damage of lake.damaged)
    yield broken("lake", damage, "crossrate repair, on the server, says how to go on");
  if (database.status !== "unused") yield storeFinding("ledger", database, `${database.kind} answers`);
  yield storeFinding("live quotes", cache, `kept in ${cache.kind}`);
  if (limits.status !== "unused") yield storeFinding("limits", limits, `counted in ${limits.kind}`);
  for (const [source, check] of Object.entries(daily)) {
    const age =
      check.last_success_at === null ? "never read" : `read ${ageOf(check.last_success_at, timestamp)} ago`;
    const facts = `${check.newest_date === null ? "no figures" : `newest ${check.newest_date}`}, ${age}`;
    yield check.status === "ok" || check.status === "contradicted"
      ? ok(source, facts)
      : broken(
          source,
          `${check.status}: ${facts}`,
          "the server tries again by itself; crossrate doctor on it says whether it reaches the source",
        );
    yield* figureFindings(source, check);
  }
  const failing = Object.entries(official).filter(([, { status }]) => !["ok", "off"].includes(status));
  const count = Object.keys(official).length;
  if (failing.length > 0)
    yield note("official tables", failing.map(([table, { status }]) => `${table} ${status}`).join(", "));
  else if (count > 0) yield ok("official tables", `${count} are collected`);
  const facts = `${live.status}, ${live.live_currencies.rawJSON} of ${live.configured_currencies.rawJSON} currencies, market ${live.market_session}`;
  yield ["ok", "off", "waiting"].includes(live.status) ? ok("live feed", facts) : note("live feed", facts);
}

type DailyCheck = Status["checks"]["daily"][keyof Status["checks"]["daily"]];

function* figureFindings(what: string, check: DailyCheck): Generator<Finding> {
  const { contradictions, held_count: held } = check;
  if (contradictions !== null)
    yield note(
      what,
      `${contradictions.count.rawJSON} contradicted since ${contradictions.since}: ${contradictions.example}`,
      "files lag some hours behind a correction; after a day see CrossrateFiguresContradicted in docs/operations.md",
    );
  if (held.rawJSON !== "0")
    yield note(
      what,
      `${held.rawJSON} figures are held back`,
      "crossrate held, on the server, lists them with the reasons",
    );
  const behind = [
    ...check.missing_currencies.map(({ currency, last_date }) => `${currency} missing since ${last_date}`),
    ...check.suspended_currencies.map(({ currency, last_date }) => `${currency} ended on ${last_date}`),
  ];
  if (behind.length > 0) yield note(what, `not among the newest figures: ${behind.join(", ")}`);
}

interface StoreCheck {
  readonly status: string;
  readonly detail: string | null;
}

function storeFinding(what: string, { status, detail }: StoreCheck, facts: string): Finding {
  if (status === "ok") return ok(what, facts);
  const advice = "the operator of the server runs crossrate doctor there; docs/operations.md has the repairs";
  return broken(what, detail ?? "it does not work", advice);
}

async function keyFinding(client: Client): Promise<Finding> {
  const { keyFrom, key } = client.server;
  if (key === null)
    return note("key", "none: the limits of a caller without a key hold", "crossrate login gets one");
  try {
    const { headers } = await client.open("/v1/currencies", { waits: false });
    const left = headers.get("x-ratelimit-remaining");
    const calls = left === null ? "" : `, ${left} calls left in its tightest window`;
    return ok("key", `that of ${keyFrom} works${calls}`);
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault;
    if (fault.status === 429) return note("key", `a limit is reached: ${fault.message}`);
    return broken("key", `that of ${keyFrom}: ${fault.message}`, "crossrate login gets the current one");
  }
}
