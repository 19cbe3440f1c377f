import { afterEach } from "bun:test";

interface Closable {
  close(): unknown;
}

/** To be called once, where `afterEach` may be: what it is given is closed after the test that opened it. */
export function closedAfterEach(): <T extends Closable>(one: T) => T {
  const opened: Closable[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())));
  return (one) => {
    opened.push(one);
    return one;
  };
}
