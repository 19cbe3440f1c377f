import { expect, test } from "bun:test";
import { connect, createServer } from "node:net";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { startCommand } from "./process.ts";

let connections = 0;
const store = createServer((socket) => {
  connections += 1;
  socket.destroy();
}).listen(0, "127.0.0.1");
const { port } = store.address() as { readonly port: number };

test("with REDIS_URL and DATABASE_URL of a real server no simulated quote, publication or account goes there", async () => {
  const demo = startCommand(["demo"], {
    ...{ DATA_DIR: temporaryDirectory(), HOST: "127.0.0.1", PORT: "0", NOW: "1999-06-15T14:30:00Z" },
    ROLE: "api",
    ...{ REDIS_URL: `redis://127.0.0.1:${port}`, DATABASE_URL: `postgres://u:p@127.0.0.1:${port}/real` },
  });
  await demo.until("out", /Every source is read/);
  await demo.end();
  expect(connections).toBe(0);
  // The store would have noticed.
  await new Promise((done) => connect(port, "127.0.0.1").on("close", done));
  expect(connections).toBe(1);
  store.close();
});
