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
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number };
}

export type Collector = ReturnType<typeof startCollector>;

export function startCollector(port = 0) {
  const requests: { readonly path: string; readonly headers: Headers; readonly body: string }[] = [];
  let answer: (() => Response | Promise<Response>) | null = null;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port,
    fetch: async (request) => {
      const { pathname: path } = new URL(request.url);
      const body = await request.text();
      if (answer !== null) return await answer();
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
    /** What the next requests are answered with; null is the ordinary answer. */
    answerWith: (next: (() => Response | Promise<Response>) | null) => {
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

/** The attributes of a span as plain values; 64-bit integers are texts. */
export function attributesOf({ attributes }: ReceivedSpan): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

export function nanosecondsOf({ startTimeUnixNano, endTimeUnixNano }: ReceivedSpan) {
  return { start: BigInt(startTimeUnixNano), end: BigInt(endTimeUnixNano) };
}
