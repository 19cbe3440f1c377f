/**
 * The yardstick: a bare `Bun.serve` that answers every request with the bytes and the headers of one answer, and does nothing else. This
 * ratio travels between machines; one to a static route does not.
 */

/** The answer that is repeated. */
const [sample = "", key = ""] = process.argv.slice(2);
const keyed: Record<string, string> = key === "" ? {} : { authorization: `Bearer ${key}` };
// As the load generator asks: without a coding.
const answer = await fetch(sample, { headers: { "accept-encoding": "identity", ...keyed } });
const bytes = await answer.arrayBuffer();
/** What the server writes itself. */
const OWN: ReadonlySet<string> = new Set(["content-length", "date", "connection"]);
const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN.has(name)));

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  fetch: () => new Response(bytes, { headers }),
});

console.log(`http://127.0.0.1:${server.port}`);
