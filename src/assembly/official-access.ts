/** Official publications, opened when somebody first wants them: a server at its start, a command perhaps never. */

import type { Ledger } from "#ports/ledger.ts";
import type { OfficialCopy } from "#ports/official.ts";
import type { OfficialSurroundings, OpenPublications } from "./official.ts";

export interface OfficialAccess {
  /** Null where OFFICIAL_TABLES=off. Rejects with ConfigFault, or as `openLedger`. */
  open(): Promise<OpenPublications | null>;
  close(): Promise<void>;
}

/** `ledger`: that of the accounts, by the time it is asked for. The code is loaded with the first use. */
export function officialAccess(
  surroundings: Omit<OfficialSurroundings, "ledger" | "copy"> & {
    /** Null where OFFICIAL_TABLES=off. */
    readonly copy: OfficialCopy | null;
  },
  ledger: () => Ledger | null,
): OfficialAccess {
  let opening: Promise<OpenPublications> | null = null;
  const { copy } = surroundings;
  const opened = async (toLake: OfficialCopy) => {
    const { openPublications } = await import("./official.ts");
    return await openPublications({ ...surroundings, copy: toLake, ledger: ledger() });
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
