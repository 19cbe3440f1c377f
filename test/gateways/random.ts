/** Randomness that can be run again: bytes from a seed. */

import type { Random } from "#domain/account/key.ts";
import { seededRandom } from "#test/support/seeded-random.ts";

export function seededBytes(seed: number): Random {
  const next = seededRandom(seed);
  return (count) => Uint8Array.from({ length: count }, () => Math.floor(next() * 256));
}
