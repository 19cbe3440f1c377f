/** The runtime's cryptographic random bytes. */

import type { Random } from "#domain/account/key.ts";

export const systemRandom: Random = (bytes) => crypto.getRandomValues(new Uint8Array(bytes));
