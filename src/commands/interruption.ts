/** Ends a command quietly on Ctrl-C or when its reader has gone, after removing its temporary files. */

import { readFileSync } from "node:fs";
import type { Writable } from "node:stream";

export interface Interruption {
  /** Aborted by the first signal, or when the reader of the results has left; a second signal ends the process at once. */
  readonly signal: AbortSignal;
  /** The code that shells expect of a process ended by a signal; 0 without one. */
  readonly exitCode: number;
  /** Acts like Ctrl-C. */
  interrupt(): void;
  done(): void;
}

/** The codes that shells expect of a process ended by a signal. */
export const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof EXIT_CODES;

/** Returns the signals that end this process. Under `nohup` a closed terminal changes nothing. */
export function endingSignals(): readonly EndingSignal[] {
  const all = Object.keys(EXIT_CODES) as EndingSignal[];
  return isHangupIgnored() ? all.filter((name) => name !== "SIGHUP") : all;
}

/** Reads the set of ignored signals in proc_pid_status(5), on systems with that file; SIGHUP is the first bit. */
function isHangupIgnored(): boolean {
  try {
    const ignored = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";
    return (BigInt(`0x${ignored}`) & 1n) === 1n;
  } catch {
    return false;
  }
}

/** `results` is their stream; its reader may close it early, as `head` does. */
export function listenForInterruption(results?: Writable): Interruption {
  const controller = new AbortController();
  let exitCode = 0;
  const end = (name: EndingSignal) => {
    exitCode = EXIT_CODES[name];
    done();
    controller.abort(new DOMException(`ended by ${name}`, "AbortError"));
  };
  const listeners = endingSignals().map((name) => [name, () => end(name)] as const);
  for (const [name, listener] of listeners) process.on(name, listener);
  const done = () => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
  results?.on("error", (fault: NodeJS.ErrnoException) => {
    if (fault.code !== "EPIPE") throw fault;
    controller.abort(new DOMException("the reader is gone", "AbortError"));
  });
  return {
    signal: controller.signal,
    get exitCode() {
      return exitCode;
    },
    interrupt: () => end("SIGINT"),
    done,
  };
}
