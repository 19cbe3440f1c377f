/** A program that answers each line of its standard input with a line, as long as its input lasts. */

import { join } from "node:path";
import { temporaryDirectory } from "./temporary.ts";

export function startAnswering(
  command: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const log = join(temporaryDirectory(), "log");
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...environment },
    stdin: "pipe",
    stdout: "pipe",
    stderr: Bun.file(log),
  });
  const lines = linesOf(child.stdout);
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${command.join(" ")} ended: ${(await Bun.file(log).text()).slice(-3_000)}`);
    return value;
  };
  return {
    next,
    /** Rejects with the end of what it printed on standard error when it has ended. */
    ask: async (line: string) => {
      child.stdin.write(`${line}\n`);
      await child.stdin.flush();
      return await next();
    },
    end: async () => {
      child.stdin.end();
      await child.exited;
    },
  };
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string, void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
