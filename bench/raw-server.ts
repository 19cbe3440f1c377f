/**
 * The yardstick: a bare `Bun.serve` that answers every request with the bytes and the headers of one answer, and does nothing else. This
 * ratio travels between machines; one to a static route does not. With "dates" it has a copy of the body for each date that the load asks
 * for, and finds it by the URL: many bodies leave the caches of the processor, whoever sends them.
 */

/** The answer that is repeated. */
const [sample = "", key = "", many = ""] = process.argv.slice(2);
const keyed: Record<string, string> = key === "" ? {} : { authorization: `Bearer ${key}` };
// As the load generator asks: without a coding.
const answer = await fetch(sample, { headers: { "accept-encoding": "identity", ...keyed } });
const bytes = await answer.arrayBuffer();
/** What the server writes itself. */
const OWN: ReadonlySet<string> = new Set(["content-length", "date", "connection"]);
const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OWN.has(name)));

const bodies = new Map<string, ArrayBuffer>();
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  development: false,
  fetch:
    many === ""
      ? () => new Response(bytes, { headers })
      : ({ url }) => new Response(bodies.get(url) ?? bytes, { headers }),
});
// The dates of paths.lua.
for (let day = 0; many === "dates" && day <= 9_900; day++) {
  const date = new Date(Date.UTC(1999, 0, 4 + day)).toISOString().slice(0, 10);
  bodies.set(`http://127.0.0.1:${server.port}/v1/${date}`, bytes.slice(0));
}

console.log(`http://127.0.0.1:${server.port}`);
