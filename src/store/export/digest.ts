/** The SHA-256 of a file, a piece at a time, so that a large one keeps nobody waiting. */

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";

const PIECE = 512 * 1024;

/** Lower-case hex. */
export async function digestOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  const file = await open(path, "r");
  try {
    const buffer = new Uint8Array(PIECE);
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, PIECE, null);
      if (bytesRead === 0) return hash.digest("hex");
      hash.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
