/** Postgres killed, shut down, paused, absent, locked: one named error within about two seconds, and it heals by itself. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chownSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import type { Ledger } from "#ports/ledger.ts";
import { openPostgres } from "#store/ledger/engine/postgres.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { makeAuthority } from "#test/gateways/webhook/certificate.ts";
import { account, by, madeKey, optionsOf, person, postgresPrograms } from "#test/store/ledger/ledgers.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { until } from "#test/support/until.ts";
import { startPostgres } from "./postgres.ts";

/** Far above the deadline, far below what a hanging connection would take. */
const NEVER_LONGER_MILLISECONDS = 6000;

const ENDS_CONNECTIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'crossrate'";

async function onServer(url: string, statement: string): Promise<void> {
  const sql = new Bun.SQL({ adapter: "postgres", url, max: 1 });
  await sql.unsafe(statement);
  await sql.close();
}

describe.skipIf(postgresPrograms === null)("the ledger while Postgres is out of reach", () => {
  let ledger: Ledger;
  let emitted: string[];
  let url = "";
  const server = ofAllTests(() => startPostgres(postgresPrograms ?? ""));
  beforeEach(async () => {
    emitted = [];
    url = await server.database();
    ledger = await openLedger(
      { url },
      optionsOf((line) => emitted.push(line)),
    );
  });
  afterEach(() => ledger.close());

  /** Whether the call is refused by name, and does not hang. */
  async function refused(call: Promise<unknown>): Promise<boolean> {
    const outcome = await Promise.race([
      call.then(
        () => "answered",
        (fault) => (fault instanceof LedgerUnavailable ? "refused" : String(fault)),
      ),
      Bun.sleep(NEVER_LONGER_MILLISECONDS).then(() => "hung"),
    ]);
    expect(["answered", "refused"]).toContain(outcome);
    return outcome === "refused";
  }

  const answers = () =>
    ledger.probe().then(
      () => true,
      () => false,
    );

  /** Lets the ledger's user log in again, or refuses it and ends the connections that it has. */
  async function mayLogIn(allowed: boolean): Promise<void> {
    const another = url.replace("//crossrate@", "//administrator@");
    if (!allowed) await onServer(url, "CREATE ROLE administrator SUPERUSER LOGIN");
    await onServer(another, `ALTER ROLE crossrate ${allowed ? "" : "NO"}LOGIN`);
    if (allowed) await onServer(url, "DROP ROLE administrator");
    else await onServer(another, ENDS_CONNECTIONS);
  }

  test("TLS is as the address asks: encrypted, and refused where nobody vouches for the certificate", async () => {
    const { key, cert } = makeAuthority("nobody's authority").issue("localhost");
    const sql = new Bun.SQL({ adapter: "postgres", url, max: 1 });
    const [{ data_directory: folder }] = await sql.unsafe("SHOW data_directory");
    const { uid, gid } = statSync(folder);
    for (const [name, text] of [
      ["key", key],
      ["cert", cert],
    ] as const) {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      chownSync(join(folder, name), uid, gid);
      await sql.unsafe(`ALTER SYSTEM SET ssl_${name}_file = '${name}'`);
    }
    await sql.unsafe("ALTER SYSTEM SET ssl = on");
    await sql.unsafe("SELECT pg_reload_conf()");
    const open = (mode: string) =>
      openLedger(
        { url: `${url}?sslmode=${mode}` },
        optionsOf(() => {}),
      );
    await until("the server speaks TLS", () =>
      open("require").then(
        (one) => one.close().then(() => true),
        () => false,
      ),
    );
    const encrypted = await open("require");
    const found = await sql.unsafe(
      "SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'crossrate-ledger'",
    );
    expect(found.map(({ ssl }: { ssl: boolean }) => ssl)).toEqual([false, true]);
    await encrypted.close();
    await expect(open("verify-full")).rejects.toThrow(/^the ledger is unavailable: .*certificate$/);
    await sql.close();
  });

  test.each([
    ["killed", () => server.kill(), () => server.start()],
    ["shut down", () => server.shutDown(), () => server.start()],
    ["paused", () => server.pause(), () => server.resume()],
    ["closed to its user, as after another password", () => mayLogIn(false), () => mayLogIn(true)],
  ])(
    "%s: everything is refused by name in time, which is said once; back, all is there",
    async (_, end, bringBack) => {
      const { organizationId } = await account(ledger, "a");
      await end();
      try {
        for (let round = 0; round < 2; round++) {
          const calls = [
            ledger.keys.find("hmac-a"),
            ledger.keys.rotate(organizationId, madeKey(`r${round}`), by()),
            ...Array.from({ length: 6 }, () => ledger.probe()),
          ];
          expect(await Promise.all(calls.map(refused))).toEqual(calls.map(() => true));
        }
      } finally {
        await bringBack();
      }
      await until("the ledger answers", answers);
      expect((await ledger.keys.find("hmac-a"))?.organization.id).toBe(organizationId);
      expect((await ledger.keys.rotate(organizationId, madeKey("b"), by()))?.id).toBe("key_b");
      expect(emitted).toHaveLength(2);
      expect(emitted[0]).toContain("the ledger is unavailable");
      expect(emitted[1]).toContain("ledger_recovered");
    },
  );

  test("a row that another session holds locked is an outage of that row only, and ends with the lock", async () => {
    const { organizationId } = await account(ledger, "a");
    const other = await account(ledger, "b");
    const locker = new Bun.SQL({ adapter: "postgres", url, max: 1 });
    const held = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const locking = locker.begin(async (sql) => {
      await sql.unsafe("SELECT id FROM organizations WHERE id = $1 FOR UPDATE", [organizationId]);
      locked.resolve();
      await held.promise;
    });
    await locked.promise;
    expect(await refused(ledger.keys.revokeAll(organizationId, by()))).toBe(true);
    expect(await ledger.keys.revokeAll(other.organizationId, by())).toHaveLength(1);
    held.resolve();
    await locking;
    await locker.close();
    expect(await ledger.keys.revokeAll(organizationId, by())).toHaveLength(1);
  });

  test("a transaction that outlives its deadline is refused and rolled back, never committed behind its caller's back", async () => {
    const engine = openPostgres({ url, connections: 2, deadlineMilliseconds: 200 });
    const begun = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const writing = engine.write(async (transaction) => {
      await transaction.run("UPDATE commit_order SET position = 7 WHERE id = 1");
      begun.resolve();
      await goOn.promise;
    });
    await begun.promise;
    await expect(writing).rejects.toBeInstanceOf(LedgerUnavailable);
    goOn.resolve();
    // Waits for the row's lock, and so for the end of the transaction.
    const position = await engine.write(async (transaction) => {
      const [row] = await transaction.rows("SELECT position FROM commit_order WHERE id = 1 FOR UPDATE");
      return Number(row?.["position"]);
    });
    expect(position).toBe(0);
    await engine.close();
  });

  test("more callers than connections wait their turn, and none is refused", async () => {
    const { owner } = await account(ledger, "a");
    const calls = Array.from({ length: 300 }, (_, nth) =>
      nth % 3 === 0 ? ledger.consents.accept(owner.id, `v${nth % 9}`, by()) : ledger.keys.find("hmac-a"),
    );
    expect((await Promise.all(calls)).filter((result) => result === null)).toEqual([]);
    expect(emitted).toEqual([]);
  });

  test("absent at the start: opening is refused by name, and succeeds once it is there", async () => {
    const fresh = await server.database();
    await server.shutDown();
    expect(await refused(openLedger({ url: fresh }, optionsOf()))).toBe(true);
    await server.start();
    const late = await openLedger({ url: fresh }, optionsOf());
    await person(late, "a@example.org");
    await late.close();
  });

  test("a user who may not make tables, as every new one of Postgres 15: opening is refused by name", async () => {
    const fresh = await server.database();
    await onServer(fresh, "CREATE ROLE visitor LOGIN");
    expect(await refused(openLedger({ url: fresh.replace("//crossrate@", "//visitor@") }, optionsOf()))).toBe(
      true,
    );
  });
});
