/** What all tests of a file share. */

import { afterAll, beforeAll } from "bun:test";

const OPENING_MILLISECONDS = 120_000;

/** Opens it before the tests of a file, or of the `describe` around, and closes it after them; before that it has no members. */
export function ofAllTests<T extends object>(
  open: () => Promise<T>,
  close: (opened: T) => unknown = (opened) => (opened as unknown as { close(): unknown }).close(),
): T {
  const shared = {} as T;
  beforeAll(async () => {
    Object.assign(shared, await open());
  }, OPENING_MILLISECONDS);
  afterAll(() => close(shared));
  return shared;
}
