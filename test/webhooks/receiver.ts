/** A real receiver on loopback: it records what it receives, byte for byte, and answers as the test configures. */

import { listen } from "#test/support/listen.ts";

export interface Received {
  readonly path: string;
  readonly headers: Headers;
  readonly body: string;
}

/** What to answer to the nth request, counted from 1: a status, or a response. */
export type Answers = (nth: number, path: string) => number | Response | Promise<number | Response>;

export type Receiver = ReturnType<typeof startReceiver>;

export function startReceiver(answers: Answers = () => 200) {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const { url, stop } = listen(async (request) => {
    const path = new URL(request.url).pathname;
    received.push({ path, headers: request.headers, body: await request.text() });
    for (const look of waiting) look();
    const answer = await answers(received.length, path);
    return typeof answer === "number" ? new Response(null, { status: answer }) : answer;
  });
  return {
    url,
    received,
    ids: () => received.map(({ body }) => JSON.parse(body).id),
    came: (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (received.length < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    stop,
  };
}
