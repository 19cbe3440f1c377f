/**
 * Facts about the installation in the ledger. One of them is the installation's id: the data directory has it too, and a lost or wrong
 * ledger is noticed.
 */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LedgerLost } from "#domain/account/ledger.ts";
import type { Installation } from "#ports/ledger.ts";
import { replaceFile } from "#store/disk/durable.ts";
import { type Engine, first, type LedgerParts, type Reads } from "./engine.ts";
import { text } from "./rows.ts";

/** Not named like the ledger's files: a pattern that removes those does not match it. */
const ID_FILE = "installation.id";
export const INSTALLATION_ID = "installation_id";

export function installation({ engine }: { readonly engine: Engine }): Installation {
  return {
    read: (name) => find(engine.read, name),
    keepFirst: (name, value) =>
      engine.write(async (transaction) => {
        await transaction.run`
          INSERT INTO installation (name, value) VALUES (${name}, ${value}) ON CONFLICT (name) DO NOTHING`;
        return (await find(transaction, name)) as string;
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

function find(on: Reads, name: string): Promise<string | null> {
  return first(on, (row) => text(row, "value"))`SELECT value FROM installation WHERE name = ${name}`;
}

/**
 * Returns the id that a data directory expects; null when no ledger was ever opened in it. A damaged file has the id of no ledger.
 * Throws when the file cannot be read.
 */
export function expectedId(directory: string): string | null {
  const path = join(directory, ID_FILE);
  if (!existsSync(path)) return null;
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    const { code } = cause as { readonly code?: string };
    throw new Error(
      `${path}: it cannot be read (${code}): let this user read it; or, where its disk has lost it, delete it, and the next start goes on with the ledger that it finds`,
      { cause },
    );
  }
}

/** `how` is missing or empty; `name` is the ledger's path, or the database of DATABASE_URL. */
export function lostLedger(name: string, how: string): LedgerLost {
  return new LedgerLost(
    `${name}: the ledger is ${how}, and this data directory has had one (${ID_FILE}): accounts, API keys, usage, official publications and webhook deliveries were in it; correct DATABASE_URL, bring it back from a backup (docs/ledger.md), or start once with --new-ledger to begin without them`,
  );
}

/** Throws LedgerLost when the ledger has another id than the directory expects. */
export async function refuseOther(on: Reads, name: string, expected: string): Promise<void> {
  const id = await find(on, INSTALLATION_ID);
  if (id === expected) return;
  throw new LedgerLost(
    `${name}: the ledger is not the one of this data directory (${ID_FILE} has ${expected.slice(0, 64)}, the ledger ${id}): put the right one back, or start once with --new-ledger to go on with this one`,
  );
}

/** Gives the ledger an id if it has none, and the directory the same id. Resolves with the id. */
export async function keepId(
  engine: Engine,
  directory: string,
  newId: LedgerParts["newId"],
): Promise<string> {
  const { read, keepFirst } = installation({ engine });
  const id = (await read(INSTALLATION_ID)) ?? (await keepFirst(INSTALLATION_ID, newId("ins_")));
  if (expectedId(directory) !== id)
    await replaceFile(join(directory, ID_FILE), (path) => writeFileSync(path, `${id}\n`, { mode: 0o600 }));
  return id;
}
