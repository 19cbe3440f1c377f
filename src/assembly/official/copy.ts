/** The lake's table of publications, kept current with the ledger: by a job of a server, at its end by a command that collected. */

import { later } from "#assembly/timers.ts";
import type { OfficialTable } from "#domain/official/publication.ts";
import { startCopying } from "#jobs/official-copy.ts";
import type { Ledger } from "#ports/ledger.ts";
import type { OfficialCopy } from "#ports/official.ts";
import type { Clock } from "#ports.ts";
import { INSTALLATION_ID } from "#store/ledger/engine/installation.ts";
import type { Emit } from "#telemetry.ts";

export interface CopyingParts {
  readonly ledger: Pick<Ledger, "history" | "installation">;
  /** Also those that are not collected at present. */
  readonly tables: readonly OfficialTable[];
  readonly copy: OfficialCopy;
  readonly clock: Clock;
  readonly emit: Emit;
}

export function openCopying({ ledger, tables, copy, clock, emit }: CopyingParts) {
  const { history, installation } = ledger;
  let job: ReturnType<typeof startCopying> | null = null;
  let isBehind = false;
  /** Brings the table up to date now. Rejects as `OfficialCopy.follow`. */
  const follow = async (signal?: AbortSignal): Promise<void> => {
    const id = (await installation.read(INSTALLATION_ID)) ?? "without a name";
    await copy.follow({ id, tables, history }, signal);
  };
  return {
    /** Something was committed to the ledger. */
    published: (): void => {
      isBehind = true;
      job?.soon();
    },
    /** The returned function stops it. */
    startJob: () => {
      const started = startCopying({ copy: follow, clock, emit, later });
      job = started;
      return () => void started.stop();
    },
    follow,
    /** Before the ledger is closed. Never rejects. */
    close: async (): Promise<void> => {
      if (job !== null) return await job.stop();
      if (!isBehind) return;
      await follow().catch((fault: unknown) => {
        const error = fault instanceof Error ? fault.message : String(fault);
        emit({ kind: "job_failed", job: "official-lake", error });
      });
    },
  };
}
