/** Ctrl-C and its like, for a command that has something to clear away first. */

export interface Interruption {
  /** Aborted by the first signal; a second one ends the process at once. */
  readonly signal: AbortSignal;
  /** What the shell expects of a process that a signal ended; 0 without one. */
  readonly exitCode: number;
  done(): void;
}

const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export function listenForInterruption(): Interruption {
  const controller = new AbortController();
  let exitCode = 0;
  const listeners = Object.entries(EXIT_CODES).map(([name, code]) => {
    const listener = () => {
      exitCode = code;
      done();
      controller.abort(new DOMException(`ended by ${name}`, "AbortError"));
    };
    process.on(name, listener);
    return [name, listener] as const;
  });
  const done = () => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    done,
  };
}
