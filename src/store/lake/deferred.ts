/** A change that was accepted while the lake's storage was away: durable on this machine, and committed when the storage is back. */

import { existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { LakeChange, LakeRecord } from "#ports.ts";
import { isSealed, seal } from "#store/delta/sealed.ts";
import type { StorageAway } from "#store/delta/storage.ts";
import { replaceText, syncPath } from "#store/disk/durable.ts";
import type { Emit } from "#telemetry.ts";
import { heldDiffers } from "./commit.ts";

/** Begins with a dot: no reader of the lake takes it for data. */
const DEFERRED_FILE = ".deferred-change.json";

/** More figures are a history, which is collected again as a whole. */
const MOST_FIGURES = 20_000;

interface DeferredChange {
  /** Version of the dataset that it was decided on. Beside another one it would mean something else. */
  readonly base: string;
  readonly change: LakeChange;
}

/** The one change that waits, in a lake's directory. The caller is the one writer. */
export function openDeferred(directory: string, emit: Emit | undefined) {
  const path = join(directory, DEFERRED_FILE);
  return {
    isWaiting: (): boolean => existsSync(path),
    /** Null where nothing waits. What cannot be read is moved aside and logged. */
    read: (): DeferredChange | null => {
      if (!existsSync(path)) return null;
      const text = readFileSync(path, "utf8");
      if (isSealed(text)) return (JSON.parse(text) as { deferred: DeferredChange }).deferred;
      const aside = `${path}.damaged`;
      renameSync(path, aside);
      emit?.({ kind: "lake_damaged", detail: `${aside} is a change that waited, and cannot be read` });
      return null;
    },
    /** Durable when it resolves. What brings no figure, or a whole history, does not wait: it is collected again. */
    defer: async (record: LakeRecord, change: LakeChange, { what }: StorageAway): Promise<void> => {
      const figures = change.accepted.length + change.withdrawn.length;
      if (figures > MOST_FIGURES || (figures === 0 && !heldDiffers(change, record))) return;
      const content = JSON.stringify({ base: record.version, change }).slice(0, -1);
      await replaceText(path, seal(`{"deferred":${content},"sha256":"`));
      emit?.({ kind: "change_deferred", detail: `${figures} figures wait for the storage: ${what}` });
    },
    /** It is committed, or not needed any more: `current` is the version that it is not for. */
    end: ({ base }: DeferredChange, current: string): void => {
      if (current !== base) {
        const detail = `it was decided on version ${base}, and the lake is at ${current} already`;
        emit?.({ kind: "change_dropped", detail });
      }
      rmSync(path, { force: true });
      syncPath(directory);
    },
  };
}
