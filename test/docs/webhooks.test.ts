/** docs/webhooks.md is true: its receivers run and take what we send, its vectors and its schedule are the code's. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { SETTINGS } from "#config.ts";
import { ATTEMPT_FAULTS, RETRY_SECONDS, signatureHeader } from "#domain/webhook/endpoint.ts";
import type { Ledger } from "#ports/ledger.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import vectors from "#test/domain/webhook/vectors.json";
import { optionsOf } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import { freePort } from "#test/support/free-port.ts";
import { optionalPython, optionalTool } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { endsWithEachTest, openFixture, personWith } from "#test/webhooks/fixture.ts";
import { listDeliveries, replayDelivery } from "#webhooks/endpoints.ts";
import { codeBlocks, readDocument, tableAfter } from "./document.ts";

const document = await readDocument("docs/webhooks.md");
const python = optionalPython(["hmac"], "the receiver in Python of docs/webhooks.md");

test("the vectors are those that the signature is tested with", () => {
  const secret = /The secret is `(whsec_\w+)`/.exec(document)?.[1] ?? "";
  const rows = tableAfter(document, "t");
  expect(rows.map(([t, body, v1]) => [Number(t), body === "(none)" ? "" : body, `t=${t},v1=${v1}`])).toEqual(
    vectors.map(({ t, body, header }) => [t, body, header]),
  );
  for (const [t, body = "", v1] of rows)
    expect(signatureHeader(secret, Number(t), body === "(none)" ? "" : body)).toBe(`t=${t},v1=${v1}`);
});

test("the table of retries is the schedule", () => {
  const minutes = (text = "") =>
    Array.from(
      text.matchAll(/(\d+) (hour|minute)s?/g),
      ([, count, unit]) => Number(count) * (unit === "hour" ? 60 : 1),
    ).reduce((sum, part) => sum + part, 0);
  const rows = tableAfter(document, "attempt").slice(1);
  expect(rows.map((row) => minutes(row[1]) * 60)).toEqual([...RETRY_SECONDS]);
  const sums = RETRY_SECONDS.map((_, nth) =>
    RETRY_SECONDS.slice(0, nth + 1).reduce((sum, one) => sum + one, 0),
  );
  expect(rows.map((row) => minutes(row[2]) * 60)).toEqual(sums);
});

test("every fault is explained, and every setting named", () => {
  expect(tableAfter(document, "fault").map(([fault]) => fault)).toEqual([...ATTEMPT_FAULTS]);
  const ours = Object.keys(SETTINGS.properties).filter(
    (name) => name.includes("WEBHOOK") && !name.startsWith("STRIPE"),
  );
  expect(
    tableAfter(document, "setting")
      .map(([name]) => name as string)
      .sort(),
  ).toEqual([...ours].sort());
});

describe("the receivers", () => {
  let ledger: Ledger;
  beforeEach(async () => {
    ledger = await openLedger({ directory: temporaryDirectory() }, optionsOf());
  });
  afterEach(() => ledger.close());
  endsWithEachTest();

  const node = optionalTool("node", "the receiver of docs/webhooks.md on Node");
  const programs = [
    ["Bun", "js", [process.execPath, "-e"]],
    ["Node", "js", node === null ? null : [node, "--input-type=module", "-e"]],
    ["Python", "python", python === null ? null : [python, "-c"]],
  ] as const;

  for (const [runtime, language, command] of programs) {
    test.skipIf(command === null)(
      `in ${runtime} takes what is sent, each event once, and refuses what is not genuine`,
      async () => {
        const fixture = await openFixture(ledger);
        fixture.clock.at = Date.now();
        const { ownerId } = await personWith(ledger, "ada", "plus");
        const port = freePort();
        const { id, secret } = await fixture.endpoint(ownerId, `http://127.0.0.1:${port}/rates`);
        const program = codeBlocks(document).find((block) => block.language === language)?.content ?? "";
        const child = Bun.spawn([...(command ?? []), program], {
          env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
          stdout: "pipe",
          stderr: "ignore",
        });
        try {
          const url = `http://127.0.0.1:${port}/rates`;
          await until("it answers", async () => (await statusOf(url)) === 400);
          await breakOff(port);
          await ledger.outbox.publish([news("2026-09-21"), news("2026-09-21", 2)], fixture.clock.at);
          const worker = fixture.worker();
          await worker.turn();
          const states = async () =>
            (await listDeliveries(fixture.deps, ownerId, id, 10)).map(({ tries }) =>
              tries.map(({ status }) => status),
            );
          expect(await states()).toEqual([[204], [204]]);
          for (const { id: delivery } of await listDeliveries(fixture.deps, ownerId, id, 10))
            await replayDelivery(fixture.deps, ownerId, delivery, { at: fixture.clock.at, actor: "system" });
          await worker.turn();
          expect(await states()).toEqual([
            [204, 204],
            [204, 204],
          ]);
          const now = Math.floor(fixture.clock.at / 1000);
          const made = (at: string) =>
            JSON.stringify({ id: "evt_test_1", type: "webhook.test", created_at: at });
          const body = made("2026-09-21T14:13:18Z");
          // After a restore of the server's database.
          const again = made("2026-09-22T14:13:18Z");
          const genuine = signatureHeader(secret, now, body);
          for (const [header, sent, status] of [
            [genuine, body, 204],
            [`${genuine},v2=later`, body, 204],
            [signatureHeader(secret, now, again), again, 204],
            [genuine, `${body} `, 400],
            [signatureHeader(`${secret}x`, now, body), body, 400],
            [signatureHeader(secret, now - 310, body), body, 400],
            [signatureHeader(secret, now + 310, body), body, 400],
            [genuine.replace("v1=", "v0="), body, 400],
            ["", body, 400],
            ["nonsense", body, 400],
          ] as const) {
            const headers = { "Webhook-Signature": header };
            expect([header, (await fetch(url, { method: "POST", headers, body: sent })).status]).toEqual([
              header,
              status,
            ]);
          }
        } finally {
          child.kill("SIGKILL");
        }
        const printed = (await new Response(child.stdout).text()).trim().split("\n").sort();
        expect(printed).toEqual([
          "official.corrected evt_mex_fix_2026-09-21_v2",
          "official.published evt_mex_fix_2026-09-21_v1",
          "webhook.test evt_test_1",
          "webhook.test evt_test_1",
        ]);
      },
    );
  }
});

/** A request that ends in the middle of its body, as of a sender that has waited for ten seconds. */
async function breakOff(port: number): Promise<void> {
  const data = () => {};
  const socket = await Bun.connect({ hostname: "127.0.0.1", port, socket: { data } });
  socket.write("POST /rates HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{");
  await Bun.sleep(100);
  socket.terminate();
  await Bun.sleep(100);
}

const statusOf = async (url: string) =>
  (await fetch(url, { method: "POST" }).catch(() => null))?.status ?? null;
