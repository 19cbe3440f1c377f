const given = new Set<number>();

/** A port that no program has at this moment, below those that the system gives to connections: one of them could take it meanwhile. */
export function freePort(): number {
  const port = 10_000 + Math.floor(Math.random() * 20_000);
  if (given.has(port)) return freePort();
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
    given.add(port);
    return port;
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "EADDRINUSE") throw fault;
    return freePort();
  }
}
