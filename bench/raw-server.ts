/** The yardstick: Bun.serve with one static Response of a given size, nothing else. */

const bytes = Number(process.argv[2] ?? "2500");
const body = JSON.stringify({ filler: "x".repeat(Math.max(0, bytes - 13)) });

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  routes: { "/": new Response(body, { headers: { "Content-Type": "application/json" } }) },
  fetch: () => new Response("not found", { status: 404 }),
});

console.log(`http://127.0.0.1:${server.port}`);
