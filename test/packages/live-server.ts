/** Live rates over real connections, which can be cut, on a port that stays the same. */

import { openStreamFixture, type StreamFixture } from "#test/api/stream/streaming.ts";
import { atEnd } from "#test/support/at-end.ts";

export async function openLiveServer(...options: Parameters<typeof openStreamFixture>) {
  const fixture = openStreamFixture(...options);
  const publish = async (prices: Parameters<StreamFixture["publish"]>[0]) => {
    fixture.setNow(fixture.now() + 1000);
    await fixture.publish(prices);
  };
  await publish({ EUR: "0.8560", GBP: "0.7460", JPY: "157.70" });
  const requests: Request[] = [];
  const listen = (port: number) =>
    Bun.serve({
      port,
      hostname: "127.0.0.1",
      idleTimeout: 60,
      fetch: (request) => {
        requests.push(request);
        return fixture.answer(request);
      },
    });
  let server = listen(0);
  atEnd(() => server.stop(true));
  const port = server.port as number;
  return {
    url: `http://127.0.0.1:${port}`,
    fixture,
    requests,
    publish,
    /** Ends all connections, as a broken network does. */
    cut: () => server.stop(true),
    listenAgain: () => {
      server = listen(port);
    },
  };
}
