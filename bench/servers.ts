/** Starting and ending the servers that are measured. */

import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#test/support/free-port.ts";
import { pinned } from "./load.ts";

const ROOT = join(import.meta.dir, "..");

export interface Running {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from starting the process to its first good answer on `readyPath`. */
  readonly bootMilliseconds: number;
  /** Resident memory now, in MB (10^6 bytes); null where the system does not report it. */
  residentMegabytes(): Promise<number | null>;
  /** The most it has been since the start. */
  peakMegabytes(): Promise<number | null>;
  /** By default in good order: what is under way is finished. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** A bare server that repeats the answer of `sample`. */
export async function startRaw(
  sample: string,
  key = "",
  kind: "dates" | "reads" | "converts" | "counts" | "" = "",
): Promise<Running> {
  return await start([process.execPath, "bench/raw-server.ts", sample, key, kind], {}, "/");
}

const NGINX = Bun.which("nginx") ?? (existsSync("/usr/sbin/nginx") ? "/usr/sbin/nginx" : null);

/** nginx with one worker, which sends the body of `sample` from a file, with its headers; null where it is not installed. */
export async function startNginx(sample: string): Promise<Pick<Running, "url" | "stop"> | null> {
  if (NGINX === null) return null;
  const answer = await fetch(sample, { headers: { "accept-encoding": "identity" } });
  const directory = await mkdtemp(join(tmpdir(), "crossrate-nginx-"));
  await Bun.write(join(directory, "body"), await answer.arrayBuffer());
  const own = ["content-length", "content-type", "date", "connection", "etag"];
  const headers = [...answer.headers].filter(([name]) => !own.includes(name));
  const port = freePort();
  const settings = `daemon off; user root; worker_processes 1; pid ${directory}/pid; error_log stderr;
events {}
http {
  access_log off; sendfile on; open_file_cache max=10; keepalive_requests 1000000000; default_type application/json;
  server {
    listen 127.0.0.1:${port}; root ${directory};
    ${headers.map(([name, value]) => `add_header ${name} "${value.replaceAll('"', '\\"')}";`).join("\n    ")}
  }
}`;
  await Bun.write(join(directory, "nginx.conf"), settings);
  const command = [NGINX, "-p", directory, "-c", join(directory, "nginx.conf")];
  const child = Bun.spawn(pinned(0, command), { stdout: "ignore", stderr: "ignore" });
  const url = `http://127.0.0.1:${port}/body`;
  await untilOk(url);
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
    await rm(directory, { recursive: true });
  };
  return { url, stop };
}

/** The product on an existing data directory. */
export async function startCrossrate(
  environment: Record<string, string>,
  cores: "one" | "all" = "one",
  program: readonly string[] = [process.execPath, "src/main.ts"],
): Promise<Running> {
  const settings = { PORT: "0", LOG_LEVEL: "silent", ACCESS: "open", ...environment };
  return await start([...program, "serve"], settings, "/v1/latest", cores);
}

async function start(
  command: string[],
  environment: Record<string, string>,
  readyPath: string,
  cores: "one" | "all" = "one",
): Promise<Running> {
  const began = performance.now();
  const child = Bun.spawn(cores === "all" ? command : pinned(0, command), {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdout: "pipe",
    stderr: "ignore",
  });
  const url = await firstUrl(child.stdout);
  await untilOk(url + readyPath);
  return {
    url,
    pid: child.pid,
    bootMilliseconds: performance.now() - began,
    residentMegabytes: async () => memoryOf(child.pid, "VmRSS"),
    peakMegabytes: async () => memoryOf(child.pid, "VmHWM"),
    stop: async (signal = "SIGTERM") => {
      child.kill(signal);
      await child.exited;
    },
  };
}

/** The first line with an address that the server prints. */
async function firstUrl(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  const reader = output.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    text += decoder.decode(value, { stream: true });
    const url = /http:\/\/[\w.[\]:]+:\d+/.exec(text)?.[0];
    if (url !== undefined) {
      void drain(reader);
      return url;
    }
    if (done) throw new Error(`the server ended before it printed its address:\n${text}`);
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

async function untilOk(url: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
    await Bun.sleep(2);
  }
  throw new Error(`${url} did not answer within a minute`);
}

function memoryOf(pid: number, field: "VmRSS" | "VmHWM"): number | null {
  const path = `/proc/${pid}/status`;
  if (!existsSync(path)) return null;
  // Files of /proc have no size, so they are read the plain way.
  const kilobytes = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(path, "utf8"))?.[1];
  return (Number(kilobytes ?? Number.NaN) * 1024) / 1e6;
}
