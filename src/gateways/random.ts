/** The runtime's cryptographic randomness, for everything that must not be guessable. */

import type { Random } from "#domain/account/key-format.ts";

export const systemRandom: Random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));
