/** The demo as its users start it again: a process of its own, on a free port, on a data directory that has the history. */

import { NOW, simulatedDirectory } from "#test/commands/lakes.ts";

const ADDRESS = /http:\/\/[\w.[\]:-]+:\d+/;

export interface RunningDemo {
  /** Without a slash at the end. */
  readonly url: string;
  /** Ends the process. */
  stop(): Promise<void>;
}

/** Resolves with the demo's address once every source is read; rejects with its output when it ends before. */
export async function startDemo(): Promise<RunningDemo> {
  const directory = await simulatedDirectory(NOW);
  const child = Bun.spawn([process.execPath, "src/main.ts", "demo"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOST: "127.0.0.1",
      ACCESS: "open",
      PORT: "0",
      DATA_DIR: directory,
      NOW,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const stop = async () => {
    child.kill();
    await child.exited;
  };
  const faults = new Response(child.stderr).text();
  let printed = "";
  // The stream is read to its end, so that the process never waits for a full pipe.
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of child.stdout) {
      printed += decoder.decode(bytes, { stream: true });
      const address = ADDRESS.exec(printed)?.[0];
      if (address !== undefined && printed.includes("Every source is read")) resolve(address);
    }
  })();
  reading.then(async () => reject(new Error(`the demo ended early:\n${printed}${await faults}`)), reject);
  try {
    return { url: await promise, stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}
