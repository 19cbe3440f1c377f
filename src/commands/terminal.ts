/** The terminal of a command: results to standard output, messages to standard error, the keyboard or piped input, and Ctrl-C. */

import { readFileSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import type { Input, Terminal } from "#cli/command.ts";

const BAR_WIDTH = 28;
const CLEAR_LINE = "\r\x1b[K";

export interface Sink {
  write(part: string | Uint8Array, done?: (fault?: Error | null) => void): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

export interface Streams {
  readonly out: Sink;
  readonly err: Sink;
}

export function openTerminal(
  { out, err }: Streams,
  environment: Readonly<Record<string, string | undefined>> = {},
): Terminal {
  const inPlace = err.isTTY === true;
  let open = false;
  let noted = false;
  let lastTenth = -1;
  let lastLabel = "";
  const closeLine = () => {
    if (open) err.write(noted ? CLEAR_LINE : "\n");
    open = false;
    noted = false;
  };
  const isTerminal = out.isTTY === true;
  return {
    screen: {
      isTerminal,
      hasColour: isTerminal && !environment["NO_COLOR"] && environment["TERM"] !== "dumb",
      // A window can change its width at any time.
      get columns() {
        return isTerminal ? (out.columns ?? 80) : Number.POSITIVE_INFINITY;
      },
      get lines() {
        return isTerminal ? (out.rows ?? 24) : Number.POSITIVE_INFINITY;
      },
    },
    print(line) {
      closeLine();
      out.write(`${line}\n`);
    },
    write(part) {
      closeLine();
      return written(out, part);
    },
    complain(line) {
      closeLine();
      err.write(`${line}\n`);
    },
    note(line) {
      if (!inPlace) return;
      if (open && !noted) closeLine();
      err.write(`${CLEAR_LINE}${line}`);
      open = line !== "";
      noted = open;
    },
    progress(label, done, total) {
      const share = total <= 0 ? 1 : Math.min(done / total, 1);
      const tenth = Math.floor(share * 10);
      if (!inPlace) {
        if (label === lastLabel && tenth === lastTenth) return;
        err.write(`${label}: ${Math.floor(share * 100)} %\n`);
      } else {
        if (label !== lastLabel || noted) closeLine();
        err.write(`\r${label.padEnd(34)} ${bar(share)} ${String(Math.floor(share * 100)).padStart(3)} %`);
        open = true;
        if (share === 1) closeLine();
      }
      lastTenth = tenth;
      lastLabel = label;
    },
  };
}

function bar(share: number): string {
  const filled = Math.round(share * BAR_WIDTH);
  return `${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)}`;
}

/** Resolves with false when the reader has left, as `head` does. */
async function written(out: Sink, part: string | Uint8Array): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    out.write(part, (fault) => {
      if (fault === null || fault === undefined) resolve(true);
      else if ((fault as NodeJS.ErrnoException).code === "EPIPE") resolve(false);
      else reject(fault);
    });
  });
}

export interface Keyboard extends Readable {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
}

const CTRL_C = "\x03";
const CTRL_D = "\x04";
const ENTER: readonly string[] = ["\r", "\n"];
const BACKSPACE: readonly string[] = ["\x7f", "\b"];

/** Questions go to `err`; a hidden one receives Ctrl-C as a character, and calls `interrupt`. Everything rejects with the signal's reason when it is aborted first. */
export function openInput(
  keyboard: Keyboard | undefined,
  err: Sink,
  interrupt: () => void,
  signal: AbortSignal,
): Input {
  const isTerminal = keyboard?.isTTY === true;
  let waiting = "";
  let reader: AsyncIterator<string | Buffer> | null = null;
  const next = async () => {
    reader ??= keyboard?.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() ?? null;
    const part = await Promise.race([reader?.next(), aborted(signal)]);
    return part === undefined || part.done === true ? null : part.value;
  };
  const line = async (): Promise<string | null> => {
    for (;;) {
      const end = waiting.indexOf("\n");
      if (end >= 0) {
        const text = waiting.slice(0, end).replace(/\r$/, "");
        waiting = waiting.slice(end + 1);
        return text;
      }
      const part = await next();
      if (part === null) {
        const rest = waiting === "" ? null : waiting;
        waiting = "";
        return rest;
      }
      waiting += String(part);
    }
  };
  const hiddenLine = async (question: string): Promise<string | null> => {
    let typed = "";
    try {
      // Before the question: early keystrokes must not be shown.
      keyboard?.setRawMode?.(true);
      err.write(question);
      for (;;) {
        const part = await next();
        if (part === null) return null;
        for (const character of String(part)) {
          if (character === CTRL_C) {
            interrupt();
            return null;
          }
          if (ENTER.includes(character)) return typed;
          if (character === CTRL_D && typed === "") return null;
          if (BACKSPACE.includes(character)) typed = [...typed].slice(0, -1).join("");
          else if (character >= " ") typed += character;
        }
      }
    } finally {
      keyboard?.setRawMode?.(false);
      err.write("\n");
    }
  };
  return {
    isTerminal,
    async ask(question, hidden) {
      if (isTerminal && hidden !== undefined) return await hiddenLine(question);
      if (isTerminal) err.write(question);
      return await line();
    },
    async readAll(most) {
      const parts: Buffer[] = [];
      let bytes = 0;
      for (let part = await next(); part !== null; part = await next()) {
        const piece = typeof part === "string" ? Buffer.from(part) : part;
        bytes += piece.length;
        if (bytes > most) throw new Error(`standard input has more than ${most} bytes`);
        parts.push(piece);
      }
      return Buffer.concat(parts);
    },
  };
}

/** Never resolves. */
async function aborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

export interface Interruption {
  /** Aborted by the first signal, or when the reader of the results has left; a second signal ends the process at once. */
  readonly signal: AbortSignal;
  /** The code that shells expect of a process ended by a signal; 0 without one. */
  readonly exitCode: number;
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
