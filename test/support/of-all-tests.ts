/** What all tests of a `describe` share, where those may be skipped: a whole file opens it as it is read. */

import { beforeAll } from "bun:test";

const OPENING_MILLISECONDS = 120_000;

/** Opens it before the tests of the `describe` around; before that it has no members. It ends itself. */
export function ofAllTests<T extends object>(open: () => Promise<T>): T {
  const shared = {} as T;
  beforeAll(async () => {
    Object.assign(shared, await open());
  }, OPENING_MILLISECONDS);
  return shared;
}
