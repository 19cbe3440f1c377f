/**
 * The yardstick: a bare `Bun.serve` that answers every request with the bytes and the headers of one answer, and does nothing else. This
 * ratio travels between machines; one to a static route does not. With "dates" it has a copy of the body for each date that the load asks
 * for, and finds it by the URL: many bodies leave the caches of the processor, whoever sends them. With "reads" it also reads what an API
 * has to read of a request, and writes an id of its own. With "converts" it does that, and multiplies and prints in doubles;
 * with "counts" it looks the key up and counts its calls.
 */

/** The answer that is repeated. */
const [sample = "", key = "", kind = ""] = process.argv.slice(2);
const keyed: Record<string, string> = key === "" ? {} : { authorization: `Bearer ${key}` };
// As the load generator asks: without a coding.
const answer = await fetch(sample, { headers: { "accept-encoding": "identity", ...keyed } });
const bytes = await answer.arrayBuffer();
/** What the server writes itself. */
const OWN: ReadonlySet<string> = new Set(["content-length", "date", "connection"]);
const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN.has(name)));

const bodies = new Map<string, ArrayBuffer>();
const shared = new Headers(headers);
const READ = ["accept", "accept-encoding", "if-none-match", "x-request-id"];
let answered = 0;
const CONVERSION = /\/convert\/(\w+)\/(\w+)\?amount=([\d.]+)$/;
const conversion = kind === "converts" ? JSON.parse(new TextDecoder().decode(bytes)) : null;

/** Reads the headers of a request and writes the id of its answer; returns whether a plain body may be sent. */
function reads({ url, headers: sent }: Request): boolean {
  shared.set("X-Request-Id", `${url.length}-${answered++}`);
  return READ.every((name) => sent.get(name) === null);
}

/** By key; a caller without one has calls, too. */
const calls = new Map(["", `Bearer ${key}`].map((caller) => [caller, 0]));

const HANDLERS: Readonly<Record<string, (request: Request) => Response>> = {
  "": () => new Response(bytes, { headers }),
  dates: ({ url }) => new Response(bodies.get(url) ?? bytes, { headers }),
  reads: (request) => new Response(reads(request) ? bytes : null, { headers: shared }),
  counts: (request) => {
    const isPlain = reads(request);
    const caller = request.headers.get("authorization") ?? "";
    const count = calls.get(caller);
    if (count === undefined) return new Response(null, { status: 401 });
    calls.set(caller, count + 1);
    shared.set("X-RateLimit-Remaining", String(900_000_000 - count));
    return new Response(isPlain ? bytes : null, { headers: shared });
  },
  converts: (request) => {
    const isPlain = reads(request);
    const [, from, to, text] = CONVERSION.exec(request.url) ?? [];
    const amount = Number(text);
    const body = JSON.stringify({ ...conversion, from, to, amount, converted: amount * conversion.rate });
    shared.set("ETag", `W/"${Bun.hash(body).toString(36)}"`);
    return new Response(isPlain ? body : null, { headers: shared });
  },
};
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  fetch: HANDLERS[kind] as (request: Request) => Response,
});
// The dates of paths.lua.
for (let day = 0; kind === "dates" && day <= 9_900; day++) {
  const date = new Date(Date.UTC(1999, 0, 4 + day)).toISOString().slice(0, 10);
  bodies.set(`http://127.0.0.1:${server.port}/v1/${date}`, bytes.slice(0));
}

console.log(`http://127.0.0.1:${server.port}`);
