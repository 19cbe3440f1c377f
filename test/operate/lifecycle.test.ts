/** The listener's lifecycle: a new token at each start, a port of its own, nothing left after a stop. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname } from "node:path";
import { operatorTools } from "#accounts/account/operator-tools.ts";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { openVault } from "#gateways/vault/vault.ts";
import { type OperatorServer, type OperatorServerOptions, startOperatorServer } from "#operate/server.ts";
import type { Ledger } from "#ports/ledger.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { MASTER, random, unreachable } from "#test/accounts/account/fixture.ts";
import { keyringOf } from "#test/gateways/vault/keyrings.ts";
import { NOON, optionsOf, person } from "#test/store/ledger/ledgers.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { signIn, submit, tokenFile, tokenIn } from "./server.ts";

describe("the operators' listener", () => {
  let dataDir: string;
  let ledger: Ledger;
  let emitted: string[];
  let servers: OperatorServer[];
  beforeEach(async () => {
    dataDir = temporaryDirectory();
    ledger = await openLedger({ directory: temporaryDirectory() }, optionsOf());
    [emitted, servers] = [[], []];
  });
  afterEach(async () => {
    for (const server of servers) await server.stop();
    await ledger.close();
  });

  async function start(changes: Partial<OperatorServerOptions> = {}, over: Partial<Ledger> = {}) {
    const vault = await openVault(keyringOf(MASTER), random);
    const clock = { now: () => NOON };
    const deps = { ledger: { ...ledger, ...over }, vault, clock, publicUrl: "https://rates.example" };
    const server = await startOperatorServer({
      port: 0,
      host: "127.0.0.1",
      tokenPath: tokenFile(dataDir),
      tools: { ...operatorTools({ ...deps, random }), quotaOf: () => 0 },
      // No page of figures is opened here.
      figures: {} as never,
      collections: { list: async () => [], start: () => false },
      random,
      emit: (event) => emitted.push(JSON.stringify(event)),
      ...changes,
    });
    servers.push(server);
    return server;
  }

  /** The page of accounts in a new session; the refusal of the sign-in for another token. */
  async function listAccounts({ url }: OperatorServer, token = tokenIn(dataDir)) {
    const signedIn = await submit(url, "/operator/sign-in", { token });
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const answer =
      signedIn.status === 303 ? await fetch(`${url}/operator`, { headers: { cookie } }) : signedIn;
    return { status: answer.status, html: await answer.text(), headers: answer.headers };
  }

  test("Collect now starts the collection of that source, and the audit log says so", async () => {
    const started: string[] = [];
    const report = { outcome: "failed", detail: "away", lastAttemptAt: NOON, lastSuccessAt: null };
    const collections = {
      list: async () => [{ ...report, id: "ecb_daily", title: "European Central Bank" }],
      start: (id: string) => started.push(id) > 0,
    };
    const { url } = await start({ collections });
    const headers = { cookie: await signIn(url, tokenIn(dataDir)) };
    const answer = await submit(url, "/operator/overview/collect", { source: "ecb_daily" }, headers);
    expect([answer.status, answer.headers.get("location"), started]).toEqual([
      ...[303, "/operator/overview?done=started"],
      ["ecb_daily"],
    ]);
    const page = await (await fetch(`${url}${answer.headers.get("location")}`, { headers })).text();
    expect(page).toContain("The collection has started.");
    expect(await ledger.audit.list({ subject: "source:ecb_daily" }, 5)).toMatchObject([
      { actor: "operator", action: "operator.note", detail: { decision: "collect" } },
    ]);
  });

  test("each start has a token of its own, and the end removes it", async () => {
    const first = await start();
    const token = tokenIn(dataDir);
    expect((await listAccounts(first)).status).toBe(200);
    await first.stop();
    expect(existsSync(tokenFile(dataDir))).toBe(false);
    const second = await start();
    expect(tokenIn(dataDir)).not.toBe(token);
    expect([(await listAccounts(second, token)).status, (await listAccounts(second)).status]).toEqual([
      401, 200,
    ]);
    expect(emitted.join("\n")).toContain(tokenFile(dataDir));
    expect(emitted.join("\n")).not.toContain(tokenIn(dataDir));
  });

  test.each([
    ["::1", "[::1]"],
    ["127.0.0.9", "127.0.0.9"],
  ])("on %s it is reached at %s", async (host, name) => {
    const server = await start({ host });
    expect(server.url).toStartWith(`http://${name}:`);
    expect((await listAccounts(server)).status).toBe(200);
  });

  test("where the port is taken nothing starts, and the token of the running listener stays", async () => {
    const first = await start();
    const port = Number(new URL(first.url).port);
    const token = tokenIn(dataDir);
    expect(await start({ port }).catch((fault: { code?: string }) => fault.code)).toBe("EADDRINUSE");
    expect(tokenIn(dataDir)).toBe(token);
    expect((await listAccounts(first)).status).toBe(200);
  });

  test("the end of one process leaves the token of another that has started since", async () => {
    const first = await start();
    const second = await start();
    await first.stop();
    expect((await listAccounts(second)).status).toBe(200);
  });

  test("a folder in which others may replace files is refused, and nothing listens", async () => {
    const folder = dirname(tokenFile(dataDir));
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o777);
    const fault = await start().catch((thrown: unknown) => thrown);
    expect(String(fault)).toContain("chmod 700");
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "no folder");
    expect(await start().catch(() => "refused")).toBe("refused");
    expect(readFileSync(folder, "utf8")).toBe("no folder");
  });

  test("an internal fault is 500 with its reason in the log only", async () => {
    const list = () => Promise.reject(new Error("a bug with fxs_0123456789abcdef in it"));
    const answer = await listAccounts(await start({}, { identities: { ...ledger.identities, list } }));
    expect(answer.status).toBe(500);
    expect(answer.html).not.toContain("bug");
    const line = emitted.find((text) => text.includes("request_failed")) ?? "";
    expect(line).toContain(answer.headers.get("x-request-id") ?? "none");
    expect(line).toContain("a bug with fxs_[redacted]");
  });

  test("while the ledger is out of reach it is 503 with when to come back, and works once it is there again", async () => {
    let isAway = true;
    const list: Ledger["identities"]["list"] = async (...given) => {
      if (isAway) throw new LedgerUnavailable("ECONNREFUSED");
      return await ledger.identities.list(...given);
    };
    const { change } = unreachable(ledger.identities);
    const server = await start({}, { identities: { ...ledger.identities, list, change } });
    const { id } = await person(ledger, "ada@example.org");
    const headers = { cookie: await signIn(server.url, tokenIn(dataDir)) };
    for (const answer of [
      await fetch(`${server.url}/operator`, { headers }),
      await submit(server.url, `/operator/people/${id}/suspend`, { confirm: "yes" }, headers),
    ]) {
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(await answer.text()).toContain("accounts cannot be reached at the moment");
    }
    isAway = false;
    expect((await listAccounts(server)).status).toBe(200);
  });

  test("its end waits for a change under way, and not for a request that never ends", async () => {
    const gate = Promise.withResolvers<void>();
    let [entered, left] = [false, false];
    const list: Ledger["identities"]["list"] = async () => {
      entered = true;
      await gate.promise;
      left = true;
      return [];
    };
    const server = await start({}, { identities: { ...ledger.identities, list } });
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    socket.write(
      `POST /operator/sign-in HTTP/1.1\r\nHost: localhost:${port}\r\nOrigin: http://localhost:${port}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nt`,
    );
    const cutOff = listAccounts(server).catch(() => "cut off");
    await until("a question is under way", () => entered);
    const stopped = server.stop().then(() => left);
    // Many turns of the event loop, in which an end that does not wait would come; one that waits needs none of them.
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    gate.resolve();
    expect(await stopped).toBe(true);
    await cutOff;
    socket.destroy();
  });
});
