/** kill -9 at any moment loses no event: what was posted and not noted is sent again, with the same id and the same bytes. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { DEAD_MILLISECONDS } from "#domain/webhook/endpoint.ts";
import { ROOT } from "#test/docs/document.ts";
import { type Bench, onBothLedgers } from "#test/store/ledger/ledgers.ts";
import { news } from "#test/store/ledger/publications/publishing.ts";
import { listDeliveries } from "#webhooks/endpoints.ts";
import { endsWithEachTest, openClocked } from "./fixture.ts";

endsWithEachTest();
setDefaultTimeout(30_000);

function child(bench: Bench, now: number) {
  const started = Bun.spawn(
    [process.execPath, join(import.meta.dir, "kill-child.ts"), JSON.stringify(bench.place), String(now)],
    { cwd: ROOT, stdout: "pipe", stderr: "inherit" },
  );
  const lines = started.stdout.getReader();
  return {
    /** Resolves when it is about to note what it has posted. */
    async notes() {
      for (let said = ""; !said.includes("noting"); ) {
        const { done, value } = await lines.read();
        if (done) throw new Error("it ended by itself");
        said += new TextDecoder().decode(value);
      }
    },
    async kill() {
      started.kill("SIGKILL");
      await started.exited;
    },
  };
}

onBothLedgers("kill -9", (bench) => {
  test("between the post and the note: sent again when the worker counts as dead, once", async () => {
    const { ledger, fixture, ownerId } = await openClocked(bench);
    const receiver = fixture.receiver();
    const { id } = await fixture.endpoint(ownerId, receiver.url);
    await ledger.outbox.publish([news("2026-11-20")], fixture.clock.at);
    const killed = child(bench, fixture.clock.at);
    await killed.notes();
    await killed.kill();
    const worker = fixture.worker();
    fixture.clock.at += DEAD_MILLISECONDS - 1;
    await worker.turn();
    expect(receiver.received).toHaveLength(1);
    fixture.clock.at += 1;
    await fixture.worker().turn();
    expect(receiver.received).toHaveLength(2);
    expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body as string);
    const [found] = await listDeliveries(fixture.deps, ownerId, id, 1);
    expect([found?.state, found?.tries.length]).toEqual(["delivered", 1]);
  });
});
