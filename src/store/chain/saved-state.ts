/** The state of the signed history in a file, from which a start reads on; the file may be deleted, and all entries are then read. */

import { join } from "node:path";
import { hashOf, sha256 } from "#domain/chain/entry.ts";
import type { ChainState } from "#domain/chain/state.ts";
import { textAt } from "#store/delta/sealed.ts";
import { replaceText } from "#store/disk/durable.ts";
import type { Segments } from "./segments.ts";

const STATE_FILE = ".state.json";

export function openSavedState(segments: Segments) {
  const path = join(segments.folder, STATE_FILE);
  return {
    /** Null where there is none of this history. Throws ChainUnreadable. */
    read: (): ChainState | null => {
      const text = textAt(path);
      const saved = text === null ? null : stateIn(text);
      if (saved === null) return null;
      const [line] = segments.linesFrom(saved.sequence);
      // Of another history, or of one that was cut short: all of it is read.
      return line !== undefined && hashOf(line.entry) === saved.hash ? saved : null;
    },
    write: async (state: ChainState | null): Promise<void> => {
      const text = JSON.stringify(state);
      await replaceText(path, `${sha256(text)} ${text}\n`);
    },
  };
}

function stateIn(text: string): ChainState | null {
  const [digest, content] = [text.slice(0, 64), text.slice(65, -1)];
  return sha256(content) === digest ? (JSON.parse(content) as ChainState | null) : null;
}
