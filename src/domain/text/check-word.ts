/** A checksum of eight characters for a small text in a file. */

import { crc32 } from "#domain/account/key.ts";

/** CRC-32 in eight hex digits. It guards against damage, not against an attacker. */
export function checkWord(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
