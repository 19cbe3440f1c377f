/** kill -9 at random instants of mixed writes: nothing acknowledged is lost, and no transaction is there by half. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { currentKey, keyState } from "#domain/account/key.ts";
import { NOON, onBothLedgers } from "#test/store/ledger/ledgers.ts";
import { sender } from "#test/store/ledger/publications/publishing.ts";
import { killedChild } from "#test/support/killed-child.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

const ROUNDS = Number(process.env["KILL_ROUNDS"] ?? 8);
const SEED = Number(process.env["KILL_SEED"] ?? Date.now() % 1_000_000);
/** Longest a writer lives after it opened the ledger: long enough for hundreds of writes. */
const LONGEST_LIFE_MILLISECONDS = 250;
const CHILD = join(import.meta.dir, "kill-child.ts");

setDefaultTimeout(20_000 + ROUNDS * 5000);

onBothLedgers(`a writer killed ${ROUNDS} times (KILL_SEED=${SEED})`, (bench) => {
  test("preserves every acknowledged write, whole", async () => {
    const random = seededRandom(SEED);
    const { owner, organizationId } = await sender(bench.ledger(), "a", ["1", "2"]);
    const acknowledged: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const args = [JSON.stringify(bench.place), owner.id, organizationId, String(round)];
      acknowledged.push(...(await killedWriter(args, random() * LONGEST_LIFE_MILLISECONDS)));
      await check(acknowledged, owner.id, organizationId);
    }
    expect(acknowledged.length).toBeGreaterThan(ROUNDS);
    console.log(`kill test: seed ${SEED}, ${acknowledged.length} writes acknowledged`);
  });

  /** As the next start finds it: by a ledger that is opened again. */
  async function check(acknowledged: readonly string[], ownerId: string, organizationId: string) {
    const ledger = await bench.another();
    const names = async (text: string) =>
      new Set((await bench.sql(text)).map((row) => String(Object.values(row)[0])));
    const rotations = await bench.sql("SELECT detail FROM audit_log WHERE action = 'key.rotated'");
    const held = {
      consent: await names("SELECT policy_version FROM consents"),
      // Of revoked keys only the last ones stay; each has its entry.
      key: new Set(rotations.map(({ detail }) => JSON.parse(String(detail)).key.slice(4) as string)),
      event: await names("SELECT id FROM billing_events"),
      settled: await names("SELECT id FROM billing_events WHERE processed_at IS NOT NULL"),
      batch: await names("SELECT id FROM usage_batches"),
      publication: await names(
        "SELECT publication FROM official_publications WHERE publication NOT LIKE '%-b'",
      ),
    };
    const kindOf = (name: string) => name.split("-")[0] as keyof typeof held;
    expect(acknowledged.filter((name) => !held[kindOf(name)].has(name))).toEqual([]);

    const rows = async (from: string) =>
      Number((await bench.sql(`SELECT count(*) AS n FROM ${from}`))[0]?.["n"]);
    const count = (action: string) => rows(`audit_log WHERE action = '${action}'`);
    // Each call's three versions, their events and a delivery of each event to both endpoints, or nothing of the call.
    expect(await rows("official_publications WHERE publication LIKE '%-b'")).toBe(held.publication.size);
    expect(await rows("official_versions")).toBe(3 * held.publication.size);
    expect(await rows("webhook_events")).toBe(3 * held.publication.size);
    expect(await rows("webhook_deliveries")).toBe(6 * held.publication.size);
    expect(await rows("commit_order WHERE position = (SELECT count(*) FROM webhook_events)")).toBe(1);
    // An entry for every change, and no entry without its change.
    expect(await count("consent.accepted")).toBe(held.consent.size);
    const keys = await ledger.keys.list(organizationId);
    expect(await count("key.rotated")).toBe(held.key.size);
    expect(keys.length).toBeGreaterThanOrEqual(Math.min(held.key.size, 100));
    expect(await count("billing_event.received")).toBe(held.event.size);
    expect(await count("billing_event.processed")).toBe(held.settled.size);
    expect(await count("organization.changed")).toBe(held.settled.size + 1);
    expect(await ledger.usage.monthCalls("2026-11", ownerId)).toBe(held.batch.size);
    expect(currentKey(keys)).not.toBeNull();
    expect(keys.filter((key) => keyState(key, NOON) !== "revoked").length).toBeLessThanOrEqual(2);
    await ledger.close();
  }
});

/** Lets a writer live so long after it opened the ledger; what it acknowledged. */
async function killedWriter(args: readonly string[], milliseconds: number): Promise<readonly string[]> {
  const output = await killedChild(CHILD, args, milliseconds);
  // A line cut off by the kill does not count.
  return [...output.matchAll(/^ack (\S+)\n/gm)].map((match) => match[1] as string);
}
