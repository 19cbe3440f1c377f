/** Official publications, opened on first use: by a server at its start, by a command perhaps never. */

import type { Ledger } from "#ports/ledger.ts";
import type { OfficialCopy } from "#ports/official.ts";
import type { OfficialOptions, OpenPublications } from "./official.ts";

export interface OfficialAccess {
  /** Null where OFFICIAL_TABLES=off. Rejects with ConfigFault, or as `openLedger`. */
  open(): Promise<OpenPublications | null>;
  close(): Promise<void>;
}

/** `ledger`: that of the accounts, read when publications are opened. The code is loaded with the first use. */
export function officialAccess(
  options: Omit<OfficialOptions, "ledger" | "copy"> & {
    /** Null where OFFICIAL_TABLES=off. */
    readonly copy: OfficialCopy | null;
  },
  ledger: () => Ledger | null,
): OfficialAccess {
  let opening: Promise<OpenPublications> | null = null;
  const { copy } = options;
  const opened = async (toLake: OfficialCopy) => {
    const { openPublications } = await import("./official.ts");
    return await openPublications({ ...options, copy: toLake, ledger: ledger() });
  };
  return {
    open: async () => {
      if (copy === null) return null;
      opening ??= opened(copy);
      return await opening;
    },
    close: async () => {
      const publications = await opening?.catch(() => null);
      await publications?.close();
    },
  };
}
