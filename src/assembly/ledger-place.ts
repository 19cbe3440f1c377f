/** Where the ledger is by the settings, and what says that there was one before. */

import { existsSync } from "node:fs";
import type { Config } from "#config.ts";
import { keyFilePath } from "#gateways/vault/key-file.ts";
import type { LedgerPlace } from "#store/ledger/ledger.ts";

/**
 * The file in DATA_DIR, or the database of DATABASE_URL. Asked before the key file is made, which is made only once
 * there is a ledger: so a key file without a ledger tells of one that is gone.
 */
export function ledgerPlaceOf({ accounts: { databaseUrl }, dataDir }: Config): LedgerPlace {
  if (databaseUrl !== null) return { url: databaseUrl, markedIn: dataDir };
  const keyFile = keyFilePath(dataDir);
  return { directory: dataDir, keyFile: existsSync(keyFile) ? keyFile : null };
}
