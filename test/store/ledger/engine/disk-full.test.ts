/** A disk that fills up under the embedded ledger: one named error, reads continue, nothing acknowledged lost, and recovery by itself. */

import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { openLedger } from "#store/ledger/ledger.ts";
import { account, by, counted, NOON, optionsOf } from "#test/store/ledger/ledgers.ts";
import { smallDisk } from "#test/support/small-disk.ts";

const DISK_BYTES = 2 * 1024 * 1024;
const disk = smallDisk("a disk that fills up", DISK_BYTES);

test.skipIf(!disk.isMounted).each([0, 4096, 40_000])(
  "with %d bytes left writes are refused by name; with room again the same ledger continues, whole",
  async (bytesLeft) => {
    const directory = join(disk.path, `ledger-${bytesLeft}`);
    const emitted: string[] = [];
    const ledger = await openLedger(
      { directory },
      optionsOf((line) => emitted.push(line)),
    );
    const member = await account(ledger, "a");
    const { owner, organizationId } = member;
    let batches = 0;
    const accepted: string[] = [];
    const write = async (nth: number) => {
      const version = `v${bytesLeft}-${nth}-${"x".repeat(200)}`;
      await ledger.consents.accept(owner.id, version, by());
      accepted.push(version);
      await ledger.usage.apply(`b${nth}`, [counted(member)], NOON);
      batches += 1;
    };
    await write(0);
    const filler = join(disk.path, "filler");
    disk.fill(filler, bytesLeft);
    const faults: unknown[] = [];
    for (let nth = 1; faults.length < 20 && nth < 3000; nth++) {
      await write(nth).catch((fault) => faults.push(fault));
    }
    expect(faults).toHaveLength(20);
    expect(faults.filter((fault) => !(fault instanceof LedgerUnavailable))).toEqual([]);
    expect(String(faults[0])).toMatch(/SQLITE_(FULL|IOERR)/);
    // What is there is still read.
    expect((await ledger.keys.find("hmac-a"))?.organization.id).toBe(organizationId);
    await expect(ledger.probe()).rejects.toThrow(LedgerUnavailable);
    rmSync(filler);
    await ledger.probe();
    await write(-1);
    await ledger.close();

    const again = await openLedger({ directory }, optionsOf());
    const kept = new Set((await again.consents.list(owner.id)).map(({ policyVersion }) => policyVersion));
    expect(accepted.filter((version) => !kept.has(version))).toEqual([]);
    expect(await again.usage.monthCalls("2026-11", owner.id)).toBe(batches);
    await again.close();
    expect(emitted).toHaveLength(2);
    expect(emitted[0]).toContain("the ledger is unavailable");
    expect(emitted[1]).toContain("ledger_recovered");
    rmSync(directory, { recursive: true });
  },
);
