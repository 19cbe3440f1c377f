/** A metered server with the whole history, an official publication and keys of two plans, for the TypeScript client. */

import { Crossrate, type CrossrateOptions } from "#clients/typescript/src/crossrate.ts";
import { officialEvent } from "#domain/official/publication.ts";
import { join } from "#test/metered/client.ts";
import type { Reach } from "#test/metered/history.ts";
import { fixedClock, openReplica, type Replica, type TestClock } from "#test/metered/replica.ts";
import { noteWhole, versionOf } from "#test/official/version.ts";
import { day } from "#test/sources/documents.ts";

export async function openClientServer(reach: Reach = "history") {
  const clock = fixedClock();
  const replica = await openReplica({ reach, clock });
  await publish(replica, clock);
  const [pro, free] = [await join(replica.url), await join(replica.url)];
  await replica.setTier(pro.organizationId, "pro");
  return {
    url: replica.url,
    /** Stands still unless a test moves it. */
    clock,
    replica,
    keys: { pro: pro.key, free: free.key },
    /** A client that waits for nothing: its waits move the server's clock, and are listed in `waits`, in milliseconds. */
    client: (options: Partial<CrossrateOptions> = {}) => {
      const waits: number[] = [];
      const sleep = async (milliseconds: number) => {
        waits.push(milliseconds);
        clock.at += milliseconds;
      };
      const { now } = clock;
      const crossrate = new Crossrate({
        url: replica.url,
        key: pro.key,
        sleep,
        now,
        random: () => 1,
        ...options,
      });
      return { crossrate, waits };
    },
  };
}

/** As a first reading leaves them that is complete. */
async function publish({ crossrate }: Replica, { at }: TestClock): Promise<void> {
  const table = { id: "mex_fix", country: "MEX", types: ["fix"], zone: "America/Mexico_City" };
  for (const [version, rate] of [
    [1, "17.340000"],
    [2, "17.350000"],
  ] as const) {
    const stored = versionOf({
      ...{ table: table.id, validFrom: day("2026-04-14"), version, retrievedAt: at },
      rows: [{ base: "USD", quote: "MXN", rate, unit: 1, kind: "mid" }],
    });
    await crossrate.accounts?.ledger.outbox.publish(
      [{ version: stored, event: officialEvent(table, stored) }],
      at,
    );
  }
  if (crossrate.accounts !== null) await noteWhole(crossrate.accounts.ledger, table.id, at);
}
