/** A check over a small text that is kept in a file: eight letters, by which damage is told from content. */

import { crc32 } from "#domain/account/key-format.ts";

/** What `checkWord` gives. */
export const CHECK_WORD = /^[0-9a-f]{8}$/;

/** CRC-32 in eight hex digits. It guards against damage, not against somebody who wants to deceive. */
export function checkWord(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
