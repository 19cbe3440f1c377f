/** The proxies as docs/operations.md sets them up, and nginx as it is by default, before a server that is killed half-way. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { newSseParser } from "#test/api/stream/sse.ts";
import { atEnd } from "#test/support/at-end.ts";
import { freePort } from "#test/support/free-port.ts";
import { ofAllTests } from "#test/support/of-all-tests.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { codeBlocks, ROOT, readDocument } from "./document.ts";

const NGINX = optionalTool("nginx", "the nginx of docs/operations.md");
const CADDY = optionalTool("caddy", "the Caddy of docs/operations.md");
const blocks = codeBlocks(await readDocument("docs/operations.md"));

function documented(language: string): string {
  const [block, ...more] = blocks.filter((one) => one.language === language);
  if (block === undefined || more.length > 0)
    throw new Error(`docs/operations.md has not one block of ${language}`);
  return block.content;
}

/** What is documented, with the addresses of this test in place of its own. Throws where there is nothing to replace. */
function readdressed(text: string, changes: readonly (readonly [from: RegExp, to: string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    if (!from.test(changed)) throw new Error(`there is no ${from} in ${changed}`);
    return changed.replaceAll(new RegExp(from, "g"), to);
  }, text);
}

interface Place {
  readonly directory: string;
  readonly port: number;
  readonly serverPort: number;
}

async function startNginx(servers: string, { directory }: Place) {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const places = kinds.map((kind) => `${kind}_temp_path ${directory}/${kind};`).join(" ");
  const text = `daemon off; master_process off; pid ${directory}/pid; error_log stderr crit;
events { worker_connections 64; }
http { access_log off; ${places}
${servers} }`;
  await Bun.write(join(directory, "nginx.conf"), text);
  return Bun.spawn([NGINX ?? "", "-p", directory, "-c", join(directory, "nginx.conf")], {
    stdout: "ignore",
    stderr: "ignore",
  });
}

const PROXIES = [
  {
    name: "nginx, as documented",
    tool: NGINX,
    start: (place: Place) =>
      startNginx(
        readdressed(documented("nginx"), [
          [/127\.0\.0\.1:3000/, `127.0.0.1:${place.serverPort}`],
          [/listen 443 ssl/, `listen 127.0.0.1:${place.port}`],
          [/ssl_certificate\w* [^;]+;/, ""],
        ]),
        place,
      ),
  },
  {
    name: "nginx by default, which speaks HTTP/1.0",
    tool: NGINX,
    start: (place: Place) =>
      startNginx(
        `server { listen 127.0.0.1:${place.port}; location / { proxy_pass http://127.0.0.1:${place.serverPort}; } }`,
        place,
      ),
  },
  {
    name: "Caddy, as documented",
    tool: CADDY,
    start: async ({ directory, port, serverPort }: Place) => {
      const site = readdressed(documented("caddyfile"), [
        [/127\.0\.0\.1:3000/, `127.0.0.1:${serverPort}`],
        [/rates\.example\.org/, `http://127.0.0.1:${port}`],
      ]);
      await Bun.write(join(directory, "Caddyfile"), `{\n\tadmin off\n}\n${site}`);
      return Bun.spawn(
        [CADDY ?? "", "run", "--adapter", "caddyfile", "--config", join(directory, "Caddyfile")],
        {
          env: { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
          stdout: "ignore",
          stderr: "ignore",
        },
      );
    },
  },
];

async function startServer(directory: string) {
  const child = Bun.spawn([process.execPath, join(ROOT, "test/docs/proxied-server-child.ts"), directory], {
    cwd: ROOT,
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  return { child, port: Number(new TextDecoder().decode(value)) };
}

const WINDOW = "base=EUR&start_date=2026-03-31&end_date=2026-04-13&format=csv";

for (const { name, tool, start } of PROXIES) {
  describe.skipIf(tool === null)(name, () => {
    const way = ofAllTests(async () => {
      const directory = temporaryDirectory();
      const server = await startServer(directory);
      const place = { directory, port: freePort(), serverPort: server.port };
      const proxy = await start(place);
      atEnd(() => [server.child, proxy].map((child) => child.kill("SIGKILL")));
      const url = `http://127.0.0.1:${place.port}`;
      await until("it passes requests on", async () => {
        const answer = await fetch(`${url}/health`).catch(() => null);
        return answer?.status === 200;
      });
      return { server, url };
    });

    /** The answer through the proxy, and the server's own. */
    const bothWays = (path: string, init: RequestInit = {}) =>
      Promise.all([fetch(way.url + path, init), fetch(`http://127.0.0.1:${way.server.port}${path}`, init)]);

    test("a short answer, and its HEAD, are those of the server", async () => {
      const headers = { "x-request-id": "a-test", "accept-encoding": "identity" };
      for (const method of ["GET", "HEAD"]) {
        const [through, direct] = await bothWays("/v1/latest", { method, headers });
        for (const field of ["etag", "content-type", "content-length", "cache-control", "x-request-id"])
          expect([field, through.headers.get(field)]).toEqual([field, direct.headers.get(field)]);
        expect([through.status, await through.text()]).toEqual([200, await direct.text()]);
      }
    });
    test("an export is whole", async () => {
      const [through, direct] = await bothWays(`/v1/range?symbols=USD,GBP&${WINDOW}`);
      const text = await through.text();
      expect(text).toBe(await direct.text());
      expect(text.trim().split("\n").length).toBeGreaterThan(10);
    });
    test("the first event of a stream comes at once", async () => {
      const leaving = new AbortController();
      const answer = await fetch(`${way.url}/v1/stream`, { signal: leaving.signal });
      const parser = newSseParser();
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      while (parser.events.length === 0) parser.push((await reader.read()).value as Uint8Array);
      expect(parser.events[0]?.name).toBe("snapshot");
      leaving.abort();
      await reader.cancel().catch(() => {});
    });
    test("a download whose server dies half-way fails, and does not look whole", async () => {
      const answer = await fetch(`${way.url}/v1/range?symbols=*&layout=wide&${WINDOW}`, {
        headers: { "accept-encoding": "identity" },
      });
      expect(answer.status).toBe(200);
      const announced = Number(answer.headers.get("content-length"));
      expect(announced).toBeGreaterThan(10_000_000);
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      let received = (await reader.read()).value?.byteLength ?? 0;
      way.server.child.kill("SIGKILL");
      // Every client holds what has come against the length; this one need not say so.
      const toTheEnd = async () => {
        for (let next = await reader.read(); !next.done; next = await reader.read())
          received += next.value.byteLength;
      };
      await toTheEnd().catch(() => {});
      expect(received).toBeLessThan(announced);
    });
  });
}
