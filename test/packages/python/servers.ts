/** What the Python client is tested against: real servers over HTTP, and one that its tests move clocks and cut connections with. */

import { join as pathOf } from "node:path";
import { renderFailure } from "#api/response/failures.ts";
import { ERRORS, type ErrorCode, Failure } from "#domain/faults/errors.ts";
import { openChain } from "#store/chain/chain.ts";
import { openLake } from "#store/lake/lake.ts";
import { join } from "#test/metered/client.ts";
import { dataDirectory, NOON } from "#test/metered/history.ts";
import { fixedClock, openReplica } from "#test/metered/replica.ts";
import { openLiveServer } from "#test/packages/live-server.ts";
import { openClientServer } from "#test/packages/typescript/server.ts";
import { observation } from "#test/store/lake/sample.ts";
import { listen } from "#test/support/listen.ts";
import { type TcpWay, tcpWayTo } from "#test/support/tcp-way.ts";

/** Behind the head of any answer of the first server, and before its end. */
const CUT_BYTES = 1_200;
const CORRECTED_AT = NOON + 86_400_000;

export async function openServers() {
  const first = await openClientServer();
  const later = await openLater();
  const stream = await openLiveServer();
  const fading = await openLiveServer();
  const broken = await tcpWayTo(Number(new URL(first.url).port));
  const control = openControl(first, stream, fading, broken);
  return {
    addresses: {
      url: first.url,
      key: first.keys.pro,
      free_key: first.keys.free,
      /** The same history a day later: one figure of 2024-12-23 was corrected, one of 2024-12-30 withdrawn. */
      later_url: later.url,
      later_key: later.key,
      lake: later.lake,
      /** Live rates that change when a test says so. */
      stream_url: stream.url,
      /** Live rates, until a test takes all of them away. */
      fading_url: fading.url,
      /** The first server by connections that break when a test says so. */
      broken_url: `http://127.0.0.1:${broken.port}`,
      control_url: control.url,
      codes: Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status])),
    },
  };
}

async function openLater() {
  const dataDir = await dataDirectory("history");
  const directory = pathOf(dataDir, "lake");
  const now = () => CORRECTED_AT;
  const chain = openChain({ directory, keys: { dataDir, fromSetting: [] }, mode: "real", now });
  const lake = await openLake({ directory, simulated: false, now, chain });
  const corrected = { retrievedAt: CORRECTED_AT, name: "corrected" };
  await lake.commit(() => ({
    accepted: [observation("2024-12-23", "USD", "1.0393", { ...corrected, revision: 2 })],
    withdrawn: [{ ...observation("2024-12-30", "NOK", "11.1", corrected), revision: 1 }],
    held: [],
    coverage: [],
  }));
  await lake.close();
  const replica = await openReplica({ dataDir, clock: fixedClock(CORRECTED_AT + 60_000) });
  const { key, organizationId } = await join(replica.url);
  await replica.setTier(organizationId, "pro");
  return { url: replica.url, key, lake: directory };
}

/** What is no answer is answered with null. */
type Route = (args: readonly string[], request: Request, rest: string) => unknown;

/**
 * `/advance/SECONDS`, `/publish/EUR/0.86`, `/cut`, `/fade`, `/last-event-ids` and `/break/TIMES` for the tests; and what goes wrong on the
 * way, in front of the path of a call: `/refuse/CODE/…` always refuses, `/flaky/CODE/TIMES/NAME/…` so many times,
 * `/proxy/STATUS/…` is another server's page.
 */
function openControl(
  first: Awaited<ReturnType<typeof openClientServer>>,
  stream: Awaited<ReturnType<typeof openLiveServer>>,
  fading: Awaited<ReturnType<typeof openLiveServer>>,
  broken: TcpWay,
) {
  const counts = new Map<string, number>();
  const isAmongFirst = (name: string, times: string) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= Number(times);
  };
  const refuse = (request: Request, code: string) => {
    const failure = new Failure(code as ErrorCode, { reason: "a refusal of this test", path: "/v1/here" });
    return renderFailure({ emit: () => {}, simulated: true }, request, failure);
  };
  const forward = (request: Request, rest: string) =>
    fetch(`${first.url}/${rest}${new URL(request.url).search}`, {
      method: request.method,
      headers: request.headers,
      body: request.body,
    });
  const routes: Record<string, readonly [words: number, run: Route]> = {
    advance: [
      1,
      ([seconds]) => {
        first.clock.at += Number(seconds) * 1000;
      },
    ],
    publish: [2, ([code = "", price = ""]) => stream.publish({ [code]: price })],
    // The next connection finds the server again.
    cut: [0, () => stream.cut().then(stream.listenAgain)],
    // Weeks go by without a quote or a figure.
    fade: [
      0,
      () => {
        fading.fixture.setNow(fading.fixture.now() + 30 * 86_400_000);
        return fading.fixture.tick();
      },
    ],
    "last-event-ids": [
      0,
      () => Response.json(stream.requests.map(({ headers }) => headers.get("last-event-id"))),
    ],
    refuse: [1, ([code = ""], request) => refuse(request, code)],
    flaky: [
      3,
      ([code = "", times = "", name = ""], request, rest) =>
        isAmongFirst(name, times) ? refuse(request, code) : forward(request, rest),
    ],
    break: [1, ([times]) => broken.cutAfter(...Array<number>(Number(times)).fill(CUT_BYTES))],
    proxy: [
      1,
      ([status]) =>
        new Response("<h1>Bad gateway</h1>", {
          status: Number(status),
          headers: { "content-type": "text/html; charset=utf-8" },
        }),
    ],
  };
  return listen(async (request) => {
    const [name = "", ...words] = new URL(request.url).pathname.slice(1).split("/");
    const [count, run] = routes[name] as (typeof routes)[string];
    const answer = await run(words.slice(0, count), request, words.slice(count).join("/"));
    return answer instanceof Response ? answer : Response.json(null);
  });
}
