/** Official publications, opened on first use: by a server at its start, by a command perhaps never. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Ledger } from "#ports/ledger.ts";
import type { OfficialCopy } from "#ports/official.ts";
import { LEDGER_FILE } from "#store/ledger/ledger.ts";
import type { OfficialOptions, OpenPublications } from "./official.ts";

/** `ledger`: that of the accounts, read when publications are opened. The code is loaded with the first use. */
export function officialAccess(
  options: Omit<OfficialOptions, "ledger" | "copy"> & {
    /** Null where OFFICIAL_TABLES=off. */
    readonly copy: OfficialCopy | null;
  },
  ledger: () => Ledger | null,
) {
  let opening: Promise<OpenPublications> | null = null;
  let forLeases: Ledger | null = null;
  const { copy } = options;
  const opened = async (toLake: OfficialCopy) => {
    const { openPublications } = await import("./official.ts");
    return await openPublications({ ...options, copy: toLake, ledger: ledger() });
  };
  return {
    /**
     * Null where OFFICIAL_TABLES=off, and where a ledger may not begin and there is none. Rejects with ConfigFault, or as
     * `openLedger`.
     */
    open: async ({ mayBegin } = { mayBegin: true }): Promise<OpenPublications | null> => {
      if (copy === null || !(mayBegin || isLedgerThere(options.config))) return null;
      opening ??= opened(copy);
      return await opening;
    },
    /** The ledger that has this installation's leases: an open one, else that of DATABASE_URL; null where there is none. */
    leaseLedger: async (): Promise<Ledger | null> => {
      const open = ledger() ?? (await opening)?.ledger ?? forLeases;
      const { config, clock, emit } = options;
      if (open !== null || config.accounts.databaseUrl === null) return open;
      const { ownLedger } = await import("./official.ts");
      forLeases = await ownLedger(config, clock, emit);
      return forLeases;
    },
    close: async () => {
      const publications = await opening?.catch(() => null);
      await publications?.close();
      await forLeases?.close();
    },
  };
}

function isLedgerThere({ accounts: { databaseUrl }, dataDir }: OfficialOptions["config"]): boolean {
  return databaseUrl !== null || existsSync(join(dataDir, LEDGER_FILE));
}
