/** One download as a client sees it, timed by curl, so that reading costs the server nothing but the sending. */

export interface Download {
  readonly status: number;
  readonly bytes: number;
  readonly firstByteMilliseconds: number;
  readonly totalMilliseconds: number;
}

/** Milliseconds to the first byte of each of `runs` requests, none of which is read further. */
export async function firstBytes(url: string, runs: number): Promise<number[]> {
  const milliseconds: number[] = [];
  for (let run = 0; run < runs; run++) {
    const began = performance.now();
    const reader = (await fetch(url)).body?.getReader();
    await reader?.read();
    milliseconds.push(performance.now() - began);
    await reader?.cancel();
    // The server ends an answer without a reader.
    await Bun.sleep(100);
  }
  return milliseconds;
}

export async function download(url: string): Promise<Download> {
  const format = "%{http_code} %{size_download} %{time_starttransfer} %{time_total}";
  const child = Bun.spawn(["curl", "-s", "-o", "/dev/null", "-w", format, url], { stdout: "pipe" });
  const [status, bytes, first, total] = (await new Response(child.stdout).text()).split(" ").map(Number);
  if ((await child.exited) !== 0 || status !== 200)
    throw new Error(`${url}: ${status}, broken off or refused`);
  return {
    status: status as number,
    bytes: bytes as number,
    firstByteMilliseconds: (first as number) * 1000,
    totalMilliseconds: (total as number) * 1000,
  };
}
