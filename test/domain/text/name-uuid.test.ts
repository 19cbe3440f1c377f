/** UUIDs of names are those of RFC 9562, version 5. */

import { expect, test } from "bun:test";
import { nameUuid } from "#domain/text/name-uuid.ts";

const NAMESPACE = "5d0d7a8e-6f3c-4b0b-9c53-b1f4c06f2ad7";

test.each(["", "evt_mex_fix_2026-04-13_v1", "feed MEX -", "Währung €"])("the UUID of %p", (name) => {
  expect(nameUuid(name)).toBe(Bun.randomUUIDv5(name, NAMESPACE));
});
