/** What the tests of a file leave behind, and its end: setup.ts calls it after the last test of every file. */

let endings: (() => unknown)[] = [];

/** The test runner ends its process without notice: listeners of `process.on("exit")` are not called. */
export function atEnd(end: () => unknown): void {
  endings.push(end);
}

/** Something's end, which the tests may call before: it is done once, and at the latest with the file. */
export function endsWithFile<T>(end: () => T): () => T {
  let ended: { readonly outcome: T } | null = null;
  const once = () => {
    ended ??= { outcome: end() };
    return ended.outcome;
  };
  // Who ended it before has the outcome, and its fault.
  atEnd(() => (ended === null ? once() : null));
  return once;
}

/** What `make` gives at the first call within a test file, for all its calls: the next file of the process has its own. */
export function onceInFile<A extends unknown[], T>(make: (...given: A) => T): (...given: A) => T {
  let made: { readonly value: T } | null = null;
  return (...given) => {
    if (made === null) {
      made = { value: make(...given) };
      atEnd(() => {
        made = null;
      });
    }
    return made.value;
  };
}

/** Latest first; every one is given its turn, and the first fault is thrown after that. */
export async function endAll(): Promise<void> {
  const last = endings.reverse();
  endings = [];
  const faults: unknown[] = [];
  for (const end of last) {
    try {
      await end();
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
}
