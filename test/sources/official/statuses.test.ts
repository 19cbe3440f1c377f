/** What authorities answer with a status other than 200, over real HTTP: nothing published, a refused token, a used-up limit. */

import { describe, expect, test } from "bun:test";
import { BrokenDocument, UpstreamFault } from "#domain/faults/upstream.ts";
import type { OfficialAdapter } from "#ports/official.ts";
import { banxicoAdapters } from "#sources/official/mexico.ts";
import { POL_A } from "#sources/official/nbp.ts";
import { windowOf } from "#test/sources/documents.ts";
import { client, serve } from "#test/sources/upstream-server.ts";

const TOKEN = "0123456789abcdef";
const WINDOW = windowOf("latest", "2026-04-01", "2026-04-14");
const [FIX] = banxicoAdapters(TOKEN) as [OfficialAdapter, ...OfficialAdapter[]];

/** Asks an authority that answers so, and reads its answer. */
async function read(adapter: OfficialAdapter, status: number, body: string, type: string) {
  const { base } = serve(
    () => new Response(body, { status, headers: { "Content-Type": type, ETag: '"1"' } }),
  );
  const [route] = adapter.routes(WINDOW);
  const [request] = route?.requests ?? [];
  if (route === undefined || request === undefined) throw new Error("nothing is requested");
  const { upstream } = client(base);
  const document = await upstream.get(request);
  if (document === "unchanged") throw new Error("nothing was read before");
  upstream.remember(document);
  // A remembered validator would make the server's next answer a 304 to nothing.
  expect(await upstream.get(request)).not.toBe("unchanged");
  return route.parse(document, WINDOW);
}

const fault = (answer: Promise<unknown>) =>
  answer.then(
    () => Promise.reject(new Error("it was read")),
    (e) => e,
  );

describe("NBP", () => {
  test("states with 404 and its own text that nothing was published", async () => {
    const parsed = await read(POL_A, 404, "404 NotFound - Not Found - Brak danych", "text/plain");
    expect(parsed.outcome).toBe("empty");
  });
  test("another 404 is a broken document, not an empty window", async () => {
    const page = "<!DOCTYPE html><html><body>404</body></html>";
    expect(await fault(read(POL_A, 404, page, "text/html"))).toBeInstanceOf(BrokenDocument);
  });
});

test.each([
  ["that the token is refused", { mensaje: "Token inválido" }, "refused_credentials", null],
  ["how long the limit is used up", { mensaje: "Límite superado.", secondsToReset: 60 }, "rate_limited", 60],
  ["the same as text", { mensaje: "Token: demasiadas consultas", secondsToReset: "60" }, "rate_limited", 60],
  ["that the limit is used up, not for how long", { mensaje: "Límite superado." }, "rate_limited", null],
  ["what it makes of anything else", { mensaje: "Serie no encontrada" }, "status", null],
])("Banxico states with 400 %s", async (_, error, kind, retryAfterSeconds) => {
  const answer = await fault(read(FIX, 400, JSON.stringify({ error }), "application/json"));
  expect(answer).toBeInstanceOf(UpstreamFault);
  expect(answer).toMatchObject({ kind, retryAfterSeconds });
  expect(answer.message).not.toContain(TOKEN);
});
