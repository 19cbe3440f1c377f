/** UUIDs of names: the same name has the same UUID on every server and after every restart (RFC 9562, version 5). */

import { createHash } from "node:crypto";

/** The product's own namespace: a UUID that was drawn once. */
const NAMESPACE = Buffer.from("5d0d7a8e6f3c4b0b9c53b1f4c06f2ad7", "hex");

/** `xxxxxxxx-xxxx-5xxx-yxxx-xxxxxxxxxxxx`, lower case. */
export function nameUuid(name: string): string {
  const bytes = createHash("sha1").update(NAMESPACE).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
