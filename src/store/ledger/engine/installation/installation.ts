/** A few words about the installation itself: what must not change from one start to the next, how far a job has come. */

import type { Installation } from "#ports/ledger.ts";
import type { LedgerParts, Statements } from "#store/ledger/engine/engine.ts";
import { type Row, text } from "#store/ledger/engine/rows.ts";

export function installation({ engine }: LedgerParts): Installation {
  return {
    read: async (name) => {
      const row = await find(engine.read, name);
      return row === undefined ? null : text(row, "value");
    },
    keepFirst: (name, value) =>
      engine.write(async (transaction) => {
        await transaction.run`
          INSERT INTO installation (name, value) VALUES (${name}, ${value}) ON CONFLICT (name) DO NOTHING`;
        return text((await find(transaction, name)) as Row, "value");
      }),
    write: async (name, value) => {
      await engine.write(
        ({ run }) => run`
          INSERT INTO installation (name, value) VALUES (${name}, ${value})
          ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      );
    },
  };
}

async function find(on: Statements, name: string): Promise<Row | undefined> {
  const [row] = await on.rows`SELECT value FROM installation WHERE name = ${name}`;
  return row;
}
