/** The checks of `crossrate doctor` on a server from outside: whether it answers, its clock, its data, and the key. */

import type { Read } from "#api/body.ts";
import type { StatusResponse } from "#api/status/status.ts";
import type { Client } from "#cli/ask/client.ts";
import { readDigits } from "#cli/ask/digits.ts";
import { Refusal, Unreachable } from "#cli/ask/faults.ts";
import { tooOpen } from "#cli/ask/store.ts";
import type { CommandContext } from "#cli/command.ts";
import { ageOf } from "#cli/show/times.ts";
import type { Finding } from "./finding.ts";

type Status = Read<typeof StatusResponse>;

/** Signatures of webhooks are refused beyond 300 seconds; half a minute is more than a network explains. */
const MOST_SKEW_SECONDS = 30;

/** Each as soon as it is known. Nothing listening is broken only where a server was named. */
export async function* serverFindings(context: CommandContext, client: Client): AsyncGenerator<Finding> {
  const { clock, environment, version } = context;
  const { url, chosenBy } = client.server;
  const open = await tooOpen(environment);
  if (open !== null)
    yield {
      what: "stored login",
      state: "broken",
      found: `others can read it (mode ${open})`,
      advice: "chmod 600 on the file of crossrate login, then rotate the key: crossrate keys rotate",
    };
  const began = clock.now();
  let status: Status;
  try {
    const { headers, content } = await statusOf(client);
    const took = clock.now() - began;
    status = content;
    yield {
      what: "server",
      state: "ok",
      found: `${url} answers in ${Math.round(took)} ms, release ${status.version}`,
    };
    yield clockFinding(Date.parse(headers.get("date") ?? ""), began + took / 2);
  } catch (fault) {
    if (!(fault instanceof Unreachable) && !(fault instanceof Refusal)) throw fault;
    const isExpected = chosenBy !== "default";
    yield {
      what: "server",
      state: isExpected ? "broken" : "note",
      found: `${url}: ${fault.message}`,
      advice: isExpected
        ? `check the address (${chosenBy}) and the network`
        : "crossrate serve or crossrate demo starts one here; --url or CROSSRATE_URL names another",
    };
    return;
  }
  if (status.version !== version)
    yield {
      what: "release",
      state: "note",
      found: `this program is ${version}, the server ${status.version}`,
    };
  yield* statusFindings(status);
  yield await keyFinding(client);
}

/** Also of a server that is not ready, which answers 503 with the same body. */
async function statusOf(client: Client): Promise<{ headers: Headers; content: Status }> {
  try {
    const { headers, content } = await client.ask<Status>("/status", { as: "anonymous", waits: false });
    if (content.checks === undefined)
      throw new Unreachable(client.server.url, "what answers there is no Crossrate server");
    return { headers, content };
  } catch (fault) {
    if (fault instanceof Refusal && fault.body !== null) {
      const content = readDigits(fault.body) as Partial<Status>;
      if (content.checks !== undefined) return { headers: new Headers(), content: content as Status };
    }
    throw fault;
  }
}

function clockFinding(served: number, here: number): Finding {
  if (Number.isNaN(served))
    return { what: "clock", state: "note", found: "the server does not say its time" };
  const ahead = Math.round((served - here) / 1000);
  const size = Math.abs(ahead);
  if (size <= MOST_SKEW_SECONDS)
    return {
      what: "clock",
      state: "ok",
      found: `server and this machine agree within ${Math.max(1, size)} s`,
    };
  return {
    what: "clock",
    state: "note",
    found: `the server's clock is ${size} s ${ahead > 0 ? "ahead of" : "behind"} this machine's`,
    advice: "set both by NTP: rates seem stale or too new, and webhook signatures are refused beyond 300 s",
  };
}

function* statusFindings({ checks, timestamp }: Status): Generator<Finding> {
  const { clock, database, cache, limits, lake, live_data: live, daily, official } = checks;
  if (clock.status !== "ok")
    yield {
      what: "server's clock",
      state: "broken",
      found: clock.detail ?? clock.status,
      advice:
        "set the clock of the server's machine by NTP; docs/operations.md has what a wrong clock leaves behind",
    };
  yield storeFinding("lake", lake.status !== "ok", `${lake.observations.text} observations`, lake.detail);
  for (const damage of lake.damaged)
    yield {
      what: "lake",
      state: "broken",
      found: damage,
      advice: "crossrate repair, on the server, says how to go on",
    };
  if (database.status !== "unused")
    yield storeFinding("ledger", database.status !== "ok", `${database.kind} answers`, database.detail);
  yield storeFinding("live quotes", cache.status !== "ok", `kept in ${cache.kind}`, cache.detail);
  if (limits.status !== "unused")
    yield storeFinding("limits", limits.status !== "ok", `counted in ${limits.kind}`, limits.detail);
  for (const [source, check] of Object.entries(daily)) {
    const age =
      check.last_success_at === null ? "never read" : `read ${ageOf(check.last_success_at, timestamp)} ago`;
    const newest = check.newest_date === null ? "no figures" : `newest ${check.newest_date}`;
    const isFine = check.status === "ok" || check.status === "contradicted";
    yield {
      what: source,
      state: isFine ? "ok" : "broken",
      found: `${isFine ? "" : `${check.status}: `}${newest}, ${age}`,
      ...(isFine
        ? {}
        : {
            advice:
              "the server tries again by itself; crossrate doctor on it says whether it reaches the source",
          }),
    };
    yield* figureFindings(source, check);
  }
  const failing = Object.entries(official).filter(([, { status }]) => !["ok", "off"].includes(status));
  const count = Object.keys(official).length;
  if (count > 0)
    yield {
      what: "official tables",
      state: failing.length === 0 ? "ok" : "note",
      found:
        failing.length === 0
          ? `${count} are collected`
          : failing.map(([table, { status }]) => `${table} ${status}`).join(", "),
    };
  const isLive = ["ok", "off", "waiting"].includes(live.status);
  yield {
    what: "live feed",
    state: isLive ? "ok" : "note",
    found: `${live.status}, ${live.live_currencies.text} of ${live.configured_currencies.text} currencies, market ${live.market_session}`,
  };
}

type DailyCheck = Status["checks"]["daily"][keyof Status["checks"]["daily"]];

/** Figures of a source that are not settled, and currencies that its newest day lacks. A server of an earlier release names neither. */
function* figureFindings(what: string, check: Partial<DailyCheck>): Generator<Finding> {
  const { contradictions, held_count: held } = check;
  if (contradictions != null)
    yield {
      what,
      state: "note",
      found: `${contradictions.count.text} contradicted since ${contradictions.since}: ${contradictions.example}`,
      advice:
        "files lag some hours behind a correction; after a day see CrossrateFiguresContradicted in docs/operations.md",
    };
  if (held !== undefined && held.text !== "0")
    yield {
      what,
      state: "note",
      found: `${held.text} figures are held back`,
      advice: "crossrate held, on the server, lists them with the reasons",
    };
  const behind = [
    ...(check.missing_currencies ?? []).map(
      ({ currency, last_date }) => `${currency} missing since ${last_date}`,
    ),
    ...(check.suspended_currencies ?? []).map(
      ({ currency, last_date }) => `${currency} ended on ${last_date}`,
    ),
  ];
  if (behind.length > 0)
    yield { what, state: "note", found: `not among the newest figures: ${behind.join(", ")}` };
}

function storeFinding(what: string, isBroken: boolean, fine: string, detail: string | null): Finding {
  if (!isBroken) return { what, state: "ok", found: fine };
  return {
    what,
    state: "broken",
    found: detail ?? "it does not work",
    advice: "the operator of the server runs crossrate doctor there; docs/operations.md has the repairs",
  };
}

async function keyFinding(client: Client): Promise<Finding> {
  const { keyFrom, key } = client.server;
  if (key === null)
    return {
      what: "key",
      state: "note",
      found: "none: the limits of a caller without a key hold",
      advice: "crossrate login gets one",
    };
  try {
    const { headers } = await client.open("/v1/currencies", { waits: false });
    const left = headers.get("x-ratelimit-remaining");
    return {
      what: "key",
      state: "ok",
      found: `that of ${keyFrom} works${left === null ? "" : `, ${left} calls left in its tightest window`}`,
    };
  } catch (fault) {
    if (!(fault instanceof Refusal)) throw fault;
    if (fault.status === 429)
      return { what: "key", state: "note", found: `a limit is reached: ${fault.message}` };
    return {
      what: "key",
      state: "broken",
      found: `that of ${keyFrom}: ${fault.message}`,
      advice: "crossrate login gets the current one",
    };
  }
}
