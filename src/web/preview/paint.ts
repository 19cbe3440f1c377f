/** Makes PNG files of SVG text in a worker thread, which ends when idle because it takes tens of megabytes. */

export type PaintAnswer =
  | { readonly kind: "painted"; readonly png: Uint8Array<ArrayBuffer> }
  | { readonly kind: "failed"; readonly reason: string };

export interface Painter {
  /** Rejects when the text is no SVG. */
  paint(svg: string): Promise<Uint8Array<ArrayBuffer>>;
}

const IDLE_MILLISECONDS = 20_000;

interface Waiting {
  readonly resolve: (png: Uint8Array<ArrayBuffer>) => void;
  readonly reject: (fault: Error) => void;
}

/** No thread is started before the first picture. */
export function openPainter(): Painter {
  let thread: Worker | null = null;
  let idle: ReturnType<typeof setTimeout> | null = null;
  const waiting: Waiting[] = [];
  const end = () => {
    thread?.terminate();
    thread = null;
  };
  const rest = () => {
    if (waiting.length > 0) return;
    idle = setTimeout(end, IDLE_MILLISECONDS);
    idle.unref();
  };
  const open = (): Worker => {
    const started = new Worker(new URL("./painter.ts", import.meta.url), { smol: true, ref: false });
    started.addEventListener("message", ({ data }: MessageEvent<PaintAnswer>) => {
      const next = waiting.shift();
      if (data.kind === "painted") next?.resolve(data.png);
      else next?.reject(new Error(`a picture cannot be made: ${data.reason}`));
      rest();
    });
    started.addEventListener("error", ({ message }) => {
      end();
      for (const { reject } of waiting.splice(0)) reject(new Error(`pictures cannot be made: ${message}`));
    });
    return started;
  };
  return {
    paint: (svg) =>
      new Promise((resolve, reject) => {
        if (idle !== null) clearTimeout(idle);
        thread ??= open();
        waiting.push({ resolve, reject });
        thread.postMessage(svg);
      }),
  };
}
