/** GET /v1/stream: Server-Sent Events whose data are LatestResponses. */

import { Type } from "@sinclair/typebox";
import { LATEST_EXAMPLE, latestBody } from "#api/rates/latest.ts";
import { errorBody } from "#contract/errors.ts";
import type { Operation, Parameter } from "#contract/operation.ts";
import { base, dp, inHeader, queryPathBase, symbols } from "#contract/parameters.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { LatestRates } from "#domain/rates/rates.ts";

/** The data of a `snapshot` or `rates` event, or with a Failure those of `unavailable`. */
export function eventBody(content: LatestRates | Failure) {
  return content instanceof Failure ? errorBody(content) : latestBody(content);
}

const ID_EXAMPLE = "79a4a7ed278dad43f259a2-43783ed8";
/** Ids are opaque, and one that is not known only means a snapshot: nothing is refused. */
const ID = Type.String({ maxLength: 200 });

const lastEventId = inHeader("Last-Event-ID", {
  schema: ID,
  description:
    "`id` of the last event received, as `EventSource` sends it by itself: where the server knows that state, the stream begins with what has changed since, else with a snapshot.",
  example: ID_EXAMPLE,
  inSampleCall: false,
});

const queryLastEventId: Parameter = {
  ...lastEventId,
  name: "last_event_id",
  in: "query",
  description: "The same for clients that cannot set headers; the header wins.",
};

/** The first bytes of a stream. */
export const STREAM_EXAMPLE = [
  "retry: 3000",
  "event: snapshot",
  `id: ${ID_EXAMPLE}`,
  `data: ${JSON.stringify(LATEST_EXAMPLE)}`,
  "",
  "",
].join("\n");

export const STREAM: readonly Operation[] = [
  {
    id: "getStream",
    method: "get",
    path: "/v1/stream",
    tag: "Stream",
    summary: "Latest rates as they change",
    description: [
      "Server-Sent Events. The query is that of `/v1/latest`.",
      "- `snapshot` comes first: the `LatestResponse` of this query. It replaces everything received before.",
      "- `rates` follows with every change: a `LatestResponse` of the currencies whose rate, source, `effective_at`, `stale` or place in `derived_symbols` changed, or of all when `market_session` did. `rates`, `sources`, `effective_at` and `stale` replace what was there member by member; `source`, `data_updated_at` and `notice` are of the currencies in the event. `missing_symbols` comes with snapshots only: a currency in `rates` is missing no longer.",
      "- `unavailable` carries an error envelope when no rate is left to serve; a `snapshot` follows once there is one.",
      "",
      "Every event has an `id`; a comment with the serving time comes after 15 seconds without one. A reader that is slow gets all it has missed in one event; one that takes nothing for a minute is disconnected. Example of what follows a snapshot:",
      "",
      "```",
      "event: rates",
      `id: ${ID_EXAMPLE}`,
      'data: {"result":"success","base":"USD","source":"live","sources":{"EUR":"live"},"market_session":"open",…}',
      "",
      ": 2026-04-13T16:30:15Z",
      "```",
    ].join("\n"),
    parameters: [base, queryPathBase, symbols, dp, lastEventId, queryLastEventId],
    ok: {
      description: "The stream; it does not end by itself.",
      mime: "text/event-stream",
      schema: Type.String({
        description: "Events by the HTML standard, section 9.2; `data` is one line of JSON.",
        contentMediaType: "text/event-stream",
      }),
      example: STREAM_EXAMPLE,
      headers: [
        {
          name: "X-Accel-Buffering",
          description: "Tells nginx to pass events on at once.",
          example: "no",
        },
      ],
    },
    errors: [
      "invalid_request",
      "unsupported_base",
      "base_conflict",
      "no_data_for_date",
      "data_unavailable",
      "live_unavailable",
      "service_unavailable",
    ],
  },
];
