/** The events that webhook endpoints receive, for the dashboard's document. */

import { type TSchema, Type } from "@sinclair/typebox";
import * as form from "#api/forms.ts";
import { EXAMPLE_EVENT, OfficialEventModel } from "#api/official/changes.ts";
import type { EventType } from "#domain/webhook/endpoint.ts";
import { endpointId } from "./endpoints.ts";

export interface SentEvent {
  readonly summary: string;
  readonly description: string;
  readonly schema: TSchema;
  /** Replaces the example composed from its schema. */
  readonly example?: object;
}

const TestEventModel = form.named("WebhookTestEvent", "An event to try an endpoint.", {
  id: form.text("`evt_test_` and Unix milliseconds.", "evt_test_1776097800000"),
  type: Type.Unsafe<string>({ type: "string", const: "webhook.test", description: "`webhook.test`." }),
  created_at: form.instant("When it was requested, UTC.", "2026-04-13T16:30:00Z"),
  data: form.closed("To whom it goes.", { endpoint: endpointId }),
});

/** Every sent event by its type. */
export const SENT_EVENTS: Readonly<Record<EventType, SentEvent>> = {
  "official.published": {
    summary: "A publication of an authority was collected",
    description: "The first version of a publication. Fetch its rates by the names in `data`.",
    schema: OfficialEventModel,
  },
  "official.corrected": {
    summary: "An authority corrected a publication",
    description:
      "The same `publication` with a higher `version`. Events may overtake each other: the highest is the newest.",
    schema: OfficialEventModel,
    example: {
      ...EXAMPLE_EVENT,
      id: "evt_mex_fix_2026-04-13_v2",
      type: "official.corrected",
      data: { ...EXAMPLE_EVENT.data, version: 2 },
    },
  },
  "webhook.test": {
    summary: "A test that the owner of the endpoint requested",
    description: "Sent to one endpoint only, signed and retried like any other.",
    schema: TestEventModel,
  },
};
