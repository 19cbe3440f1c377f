/** What a command gets and prints, in the test's own process: no terminal, no keyboard, and a clock that does not wait. */

import { openInput, openTerminal } from "#cli/terminal.ts";

export function captured() {
  const text = { out: "", err: "" };
  const out = sinkOf((part) => (text.out += part));
  const err = sinkOf((part) => (text.err += part));
  const { signal } = new AbortController();
  return {
    text,
    context: (environment: Record<string, string> = {}) => ({
      version: "test",
      environment,
      terminal: openTerminal({ out, err }, environment),
      input: openInput(undefined, err, () => {}, signal),
      signal,
      clock: { now: Date.now, sleep: async () => {} },
    }),
  };
}

export function sinkOf(take: (text: string) => void) {
  const decoder = new TextDecoder();
  return {
    write(part: string | Uint8Array, done?: (fault?: Error | null) => void) {
      take(typeof part === "string" ? part : decoder.decode(part, { stream: true }));
      done?.();
    },
  };
}
