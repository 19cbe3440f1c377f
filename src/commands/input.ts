/** Reads the keyboard or piped input: whole bodies, and answers to questions, also hidden ones. */

import type { Readable } from "node:stream";
import type { Input } from "#cli/command.ts";
import type { Sink } from "./terminal.ts";

/** The standard input of a process. */
export interface Keyboard extends Readable {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
}

const CTRL_C = "\x03";
const CTRL_D = "\x04";
const ENTER: readonly string[] = ["\r", "\n"];
const BACKSPACE: readonly string[] = ["\x7f", "\b"];

export interface InputOptions {
  /** Called for Ctrl-C, which a hidden question receives as a character. */
  readonly interrupt: () => void;
  /** Aborts every wait. */
  readonly signal: AbortSignal;
}

/** Questions go to `err`. Everything rejects with the signal's reason when it is aborted first. */
export function openInput(
  keyboard: Keyboard | undefined,
  err: Sink,
  { interrupt, signal }: InputOptions,
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
