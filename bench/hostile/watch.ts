/** What a process of this machine costs meanwhile: resident memory, connections, and how soon it says that it is well. Linux only. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Watched {
  /** Most resident memory, in MB (10^6 bytes). */
  readonly peakMegabytes: number;
  /** The same with the processes that it has started. A page of a file counts once, however many of them have it. */
  readonly withProcessesMegabytes: number;
  /** Most established connections of the server's port. */
  readonly connections: number;
  readonly health: Health;
}

/** Milliseconds of /health. */
export interface Health {
  /** In ascending order. */
  readonly samples: readonly number[];
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Watch {
  /** What was seen since the last call, or since the start. */
  take(): Watched;
  stop(): Promise<void>;
}

const EVERY_MILLISECONDS = 100;
/** Looking at the mappings of a process stops it for a moment. */
const PROCESSES_EVERY = 2;

/** Watches the process that answers on the port of `url`. */
export function startWatch(url: string, pid: number): Watch {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "health.ts"), url], {
    stdout: "pipe",
    stderr: "inherit",
  });
  let latencies: number[] = [];
  let peak = 0;
  let withProcesses = 0;
  let connections = 0;
  /** When each request was sent that has no answer yet. */
  const pending = new Map<string, number>();
  const reading = readLines(child.stdout, (line) => {
    const [number = "", milliseconds] = line.split(" ");
    if (milliseconds === undefined) pending.set(number, performance.now());
    else if (pending.delete(number)) latencies.push(Number(milliseconds));
  });
  const port = Number(new URL(url).port);
  let samples = 0;
  const sample = () => {
    const now = residentMegabytes(pid);
    peak = Math.max(peak, now, residentMegabytes(pid, "VmHWM"));
    const started = samples % PROCESSES_EVERY === 0 ? startedMegabytes(pid) : 0;
    withProcesses = Math.max(withProcesses, peak, now + started);
    samples += 1;
    connections = Math.max(connections, establishedConnections(port));
  };
  const timer = setInterval(sample, EVERY_MILLISECONDS);
  resetPeak(pid);
  return {
    take() {
      sample();
      // A server that does not answer at all is no quick one: what is open counts with the time for which it is.
      const open = [...pending.values()].map((since) => performance.now() - since);
      pending.clear();
      const health = healthOf([...latencies, ...open]);
      const seen = { peakMegabytes: peak, withProcessesMegabytes: withProcesses, connections, health };
      [latencies, peak, withProcesses, connections] = [[], 0, 0, 0];
      resetPeak(pid);
      return seen;
    },
    async stop() {
      clearInterval(timer);
      child.kill();
      await Promise.all([child.exited, reading]);
    },
  };
}

/** In MB (10^6 bytes). Throws when there is no such process. */
export function residentMegabytes(pid: number, field: "VmRSS" | "VmHWM" | "RssAnon" = "VmRSS"): number {
  const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(
    readFileSync(`/proc/${pid}/status`, "utf8"),
  )?.[1];
  if (kilobytes === undefined) throw new Error(`the process ${pid} has ended`);
  return (Number(kilobytes) * 1024) / 1e6;
}

/** What the processes that one has started add to its resident memory: their own pages, and those of files that it has not mapped. */
export function startedMegabytes(pid: number): number {
  const started = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readIfThere(`/proc/${pid}/task/${thread}/children`).split(" ").filter(Boolean),
  );
  if (started.length === 0) return 0;
  const mapped = new Set(
    [...readIfThere(`/proc/${pid}/maps`).matchAll(/ (\/.+)$/gm)].map(([, path]) => path),
  );
  let ownKilobytes = 0;
  const ofFiles = new Map<string, number>();
  for (const child of started) {
    const resident = new Map<string, number>();
    for (const { path, kilobytes, anonymousKilobytes } of mappingsOf(child)) {
      ownKilobytes += anonymousKilobytes;
      if (path === null || mapped.has(path)) continue;
      resident.set(path, (resident.get(path) ?? 0) + kilobytes - anonymousKilobytes);
    }
    // Two processes with the same file have nearly the same pages of it.
    for (const [path, kilobytes] of resident) ofFiles.set(path, Math.max(ofFiles.get(path) ?? 0, kilobytes));
  }
  const kilobytes = [...ofFiles.values()].reduce((sum, next) => sum + next, ownKilobytes);
  return (kilobytes * 1024) / 1e6;
}

interface Mapping {
  /** null for memory that is no file's. */
  readonly path: string | null;
  readonly kilobytes: number;
  readonly anonymousKilobytes: number;
}

function mappingsOf(pid: string): readonly Mapping[] {
  const heads = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)$/gm;
  const text = readIfThere(`/proc/${pid}/smaps`);
  const found = [...text.matchAll(heads)];
  return found.map((head, nth) => {
    const body = text.slice(head.index, found[nth + 1]?.index);
    const field = (name: string) => Number(new RegExp(`^${name}: +(\\d+) kB`, "m").exec(body)?.[1] ?? 0);
    const path = head[1]?.startsWith("/") === true ? head[1] : null;
    return { path, kilobytes: field("Rss"), anonymousKilobytes: field("Anonymous") };
  });
}

/** Threads and processes end while they are looked at. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** From now on VmHWM is the peak since now. */
function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Connections that the server of a port has open and not ended itself. */
export function establishedConnections(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return ["tcp", "tcp6"]
    .flatMap((table) => readFileSync(`/proc/net/${table}`, "utf8").split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, address, , state]) => address?.endsWith(local) === true && state === "01").length;
}

/** Of the milliseconds of each question. */
export function healthOf(latencies: readonly number[]): Health {
  const sorted = latencies.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { samples: sorted, p50: at(0.5), p99: at(0.99), max: at(1) };
}

async function readLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  }
}
