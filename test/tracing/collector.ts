/** An OpenTelemetry collector in the test's hands: takes OTLP over HTTP in JSON, and notes what came. */

import { atEnd } from "#test/support/at-end.ts";

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code?: number };
}

export type Collector = ReturnType<typeof startCollector>;

export function startCollector(port = 0) {
  const requests: { readonly path: string; readonly headers: Headers; readonly body: string }[] = [];
  let answer: (() => Response) | null = null;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    fetch: async (request) => {
      const { pathname: path } = new URL(request.url);
      const body = await request.text();
      if (answer !== null) return answer();
      requests.push({ path, headers: request.headers, body });
      return Response.json({});
    },
  });
  atEnd(() => server.stop(true));
  const endpoint = `http://127.0.0.1:${server.port}`;
  return {
    endpoint,
    url: `${endpoint}/v1/traces`,
    requests,
    spans: () => requests.flatMap(({ body }) => spansIn(body)),
    answerWith: (next: () => Response) => {
      answer = next;
    },
    stop: () => server.stop(true),
  };
}

interface Body {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

function spansIn(body: string): readonly ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body) as Body;
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

export function nanosecondsOf({ startTimeUnixNano, endTimeUnixNano }: ReceivedSpan) {
  return { start: BigInt(startTimeUnixNano), end: BigInt(endTimeUnixNano) };
}
