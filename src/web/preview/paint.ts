/**
 * Makes PNG files of SVG text in a process of its own, which ends when idle: it takes tens of megabytes that a thread would leave in the
 * server's memory. A single binary has no file that another process could start from, and uses a thread.
 */

import { fileURLToPath } from "node:url";

export type PaintAnswer =
  | { readonly kind: "painted"; readonly png: Uint8Array<ArrayBuffer> }
  | { readonly kind: "failed"; readonly reason: string };

export interface Painter {
  /** Rejects when the text is no SVG. */
  paint(svg: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Starting it again takes 0.1 s. */
const IDLE_MILLISECONDS = 3_000;
/** All of it: nothing of the server's, such as secrets. The heap is kept small. */
const ENVIRONMENT = { BUN_JSC_forceRAMSize: "67108864" };

interface Waiting {
  readonly resolve: (png: Uint8Array<ArrayBuffer>) => void;
  readonly reject: (fault: Error) => void;
}

/** Where pictures are painted, in the order in which they were sent. */
interface Easel {
  send(svg: string): void;
  end(): void;
}

/** `lost` is called when no answer comes any more. */
type OpenEasel = (answered: (answer: PaintAnswer) => void, lost: (reason: string) => void) => Easel;

const inThread: OpenEasel = (answered, lost) => {
  const thread = new Worker(new URL("./painter.ts", import.meta.url), { smol: true, ref: false });
  thread.addEventListener("message", ({ data }: MessageEvent<PaintAnswer>) => answered(data));
  thread.addEventListener("error", ({ message }) => lost(message));
  return { send: (svg) => thread.postMessage(svg), end: () => thread.terminate() };
};

const inProcess: OpenEasel = (answered, lost) => {
  const script = fileURLToPath(new URL("./painter.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, "--no-env-file", script], {
    env: ENVIRONMENT,
    stdio: ["ignore", "ignore", "inherit"],
    serialization: "advanced",
    ipc: answered,
    onExit: (_, code, signal) => lost(`its process has ended (${signal ?? `exit code ${code}`})`),
  });
  child.unref();
  return { send: (svg) => child.send(svg), end: () => child.kill("SIGKILL") };
};

/** Nothing is started before the first picture. */
export function openPainter(): Painter {
  const open: OpenEasel = Bun.isStandaloneExecutable ? inThread : inProcess;
  let easel: Easel | null = null;
  let idle: ReturnType<typeof setTimeout> | null = null;
  const waiting: Waiting[] = [];
  const end = () => {
    const ended = easel;
    easel = null;
    ended?.end();
  };
  const rest = () => {
    if (waiting.length > 0) return;
    idle = setTimeout(end, IDLE_MILLISECONDS);
    idle.unref();
  };
  const start = (): Easel => {
    const started = open(
      (answer) => {
        const next = waiting.shift();
        if (answer.kind === "painted") next?.resolve(answer.png);
        else next?.reject(new Error(`a picture cannot be made: ${answer.reason}`));
        rest();
      },
      (reason) => {
        // One that was ended for being idle has nothing to answer.
        if (easel !== started) return;
        easel = null;
        for (const { reject } of waiting.splice(0)) reject(new Error(`pictures cannot be made: ${reason}`));
      },
    );
    return started;
  };
  return {
    paint: (svg) =>
      new Promise((resolve, reject) => {
        if (idle !== null) clearTimeout(idle);
        easel ??= start();
        easel.send(svg);
        waiting.push({ resolve, reject });
      }),
  };
}
