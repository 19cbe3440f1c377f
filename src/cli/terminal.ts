/** The terminal of a command: results to standard output, messages to standard error, the keyboard or piped input, and Ctrl-C. */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type Readable, Writable } from "node:stream";

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

export type Terminal = ReturnType<typeof openTerminal>;
export type Screen = Terminal["screen"];

/** Results go to `print` and `write`; messages for people go to standard error. */
export function openTerminal(
  { out, err }: Streams,
  environment: Readonly<Record<string, string | undefined>> = {},
) {
  const inPlace = err.isTTY === true;
  let noted = false;
  let lastProgress = "";
  let lost: Error | null = null;
  const clearLine = () => {
    if (noted) err.write(CLEAR_LINE);
    noted = false;
  };
  const note = (line: string): void => {
    if (!inPlace) return;
    err.write(`${CLEAR_LINE}${line}`);
    noted = line !== "";
  };
  const isTerminal = out.isTTY === true;
  return {
    screen: {
      /** False for piped or redirected results. */
      isTerminal,
      /** False without a terminal, and with NO_COLOR. */
      hasColour: isTerminal && !environment["NO_COLOR"] && environment["TERM"] !== "dumb",
      /** Characters per line, which can change at any time; Infinity without a width. */
      get columns() {
        return isTerminal ? (out.columns ?? 80) : Number.POSITIVE_INFINITY;
      },
      /** Lines of the window; Infinity without a window. */
      get lines() {
        return isTerminal ? (out.rows ?? 24) : Number.POSITIVE_INFINITY;
      },
    },
    /** Of a line that cannot be written, on a full disk say, the next `write` throws the fault. */
    print(line: string): void {
      clearLine();
      written(out, `${line}\n`).catch((fault: Error) => {
        lost ??= fault;
      });
    },
    /** Writes part of a result unchanged. Resolves when all so far is accepted; with false when the reader has left, as `head` does. */
    async write(part: string | Uint8Array): Promise<boolean> {
      clearLine();
      const isRead = await written(out, part);
      const fault = lost;
      lost = null;
      if (fault !== null) throw fault;
      return isRead;
    },
    complain(line: string): void {
      clearLine();
      err.write(`${line}\n`);
    },
    /** Shows a line that the next one replaces, on a terminal only. */
    note,
    /** Redraws a bar on a terminal; otherwise prints a line for every tenth. */
    progress(label: string, done: number, total: number): void {
      const percent = total <= 0 ? 100 : Math.floor(Math.min(done / total, 1) * 100);
      const bar = "█".repeat(Math.floor(percent / 5)).padEnd(20, "░");
      const line = inPlace ? `${label} ${bar} ${percent} %` : `${label}: ${percent - (percent % 10)} %`;
      if (line === lastProgress) return;
      lastProgress = line;
      if (inPlace) note(percent === 100 ? "" : line);
      else err.write(`${line}\n`);
    },
  };
}

async function written(out: Sink, part: string | Uint8Array): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    out.write(part, (fault) => {
      if (fault === null || fault === undefined) resolve(true);
      else if ((fault as NodeJS.ErrnoException).code === "EPIPE") resolve(false);
      else reject(fault);
    });
  });
}

export type Keyboard = Readable & { readonly isTTY?: boolean };
export type Input = ReturnType<typeof openInput>;

/** Questions go to `err`; Ctrl-C during a question calls `interrupt`. Every read rejects with the signal's reason when it aborts first. */
export function openInput(
  keyboard: Keyboard | undefined,
  err: Sink,
  interrupt: () => void,
  signal: AbortSignal,
) {
  const isTerminal = keyboard?.isTTY === true;
  /** One reader for all piped input: a reader per question would lose lines. */
  let piped: AsyncIterator<string> | null = null;
  const nextPiped = async (input: Keyboard): Promise<string | null> => {
    piped ??= createInterface({ input })[Symbol.asyncIterator]();
    const { done, value } = await piped.next();
    return done === true ? null : value;
  };
  /** Ctrl-D on an empty line is the end of the input. */
  const nextTyped = async (input: Keyboard, question: string, isHidden: boolean): Promise<string | null> => {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    const output = new Writable({
      write: (part, _, done) => {
        if (!isHidden) err.write(part);
        done();
      },
    });
    // Created before the question is shown: early keystrokes must not be echoed.
    const reader = createInterface({ input, output, terminal: true, prompt: question, historySize: 0 });
    reader.on("line", resolve);
    reader.on("close", () => resolve(null));
    reader.on("SIGINT", interrupt);
    if (isHidden) err.write(question);
    reader.prompt();
    try {
      return await Promise.race([promise, aborted(signal)]);
    } finally {
      reader.close();
      if (isHidden) err.write("\n");
    }
  };
  return {
    isTerminal,
    /** Reads one line without its end; `hidden` does not show it. Null at the end of the input. */
    async ask(question: string, hidden?: "hidden"): Promise<string | null> {
      if (keyboard === undefined) return null;
      if (isTerminal) return await nextTyped(keyboard, question, hidden !== undefined);
      return await Promise.race([nextPiped(keyboard), aborted(signal)]);
    },
    /** Reads piped input to its end. Rejects beyond `most` bytes. */
    async readAll(most: number): Promise<Uint8Array> {
      const parts: Buffer[] = [];
      let bytes = 0;
      const read = async () => {
        for await (const part of keyboard ?? []) {
          const piece = Buffer.from(part);
          bytes += piece.length;
          if (bytes > most) throw new Error(`standard input has more than ${most} bytes`);
          parts.push(piece);
        }
      };
      await Promise.race([read(), aborted(signal)]);
      return Buffer.concat(parts);
    },
  };
}

/** Rejects with the signal's reason when it aborts; never resolves. */
async function aborted(signal: AbortSignal): Promise<never> {
  return await new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
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

/** `results` is the stream of the results; its reader may close it early, as `head` does. */
export function listenForInterruption(results?: Writable) {
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
    // Every other fault is one of `write`, too.
    if (fault.code === "EPIPE") controller.abort(new DOMException("the reader is gone", "AbortError"));
  });
  return {
    /** Aborted by the first signal, or when the reader of the results has left; a second signal ends the process at once. */
    signal: controller.signal,
    /** The code that shells expect of a process ended by a signal; 0 without one. */
    get exitCode(): number {
      return exitCode;
    },
    interrupt: () => end("SIGINT"),
    done,
  };
}
