/** The runtime's cryptographic randomness, for everything that nobody may guess. */

import type { Random } from "#domain/account/key-format.ts";

export const systemRandom: Random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));
