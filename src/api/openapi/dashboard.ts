/**
 * The OpenAPI 3.1 document of the dashboard's API, with the events that webhook endpoints receive, which is not part of the public
 * interface; and the routes of both documents.
 */

import { type TSchema, Type } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import * as form from "#api/forms.ts";
import * as field from "#api/model.ts";
import { EXAMPLE_EVENT, OfficialEventModel } from "#api/official/changes.ts";
import { type StaticDeps, staticJson } from "#api/response/static-body.ts";
import { endpointId } from "#api/webhooks/endpoints.ts";
import { type Words, words } from "#api/words.ts";
import * as webhook from "#domain/webhook/endpoint.ts";
import { type Components, type Json, mapMembers } from "./components.ts";
import { assemble, type DocumentFacts, openApiDocument } from "./document.ts";
import { DASHBOARD_API, dashboardOperationsOf } from "./operations.ts";

interface SentEvent {
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

const SENT_EVENTS: Readonly<Record<webhook.EventType, SentEvent>> = {
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

const INTRODUCTION = `What the dashboard of this server calls, for the person who is signed in. It may change with any release; programs use the public interface, \`/openapi.json\`.

Send a session: \`Authorization: Bearer fxs_…\` as \`POST /v1/auth/sign-in?cookie=0\` gives it, or the cookie of a browser. API keys do not open these operations. Errors are those of the public interface. What receivers of events get, and how they verify it, is under the webhooks of this document.`;

export function dashboardDocument(facts: DocumentFacts): Json {
  const info = {
    title: "Crossrate dashboard",
    version: facts.version,
    summary: "Webhook endpoints of an organization, and what was sent to them.",
    description: INTRODUCTION,
  };
  return assemble(facts, {
    info,
    operations: dashboardOperationsOf(facts.routes),
    webhooks: (components) =>
      mapMembers<SentEvent>(SENT_EVENTS, (event, type) => describe(type, event, components)),
  });
}

function describe(
  type: string,
  { summary, description, schema, example = form.exampleOf(schema, "answer") as object }: SentEvent,
  { refer }: Components,
): Json {
  return {
    post: {
      operationId: `receive_${type.replace(".", "_")}`,
      tags: ["Webhooks"],
      summary,
      description,
      security: [],
      parameters: [
        header(
          webhook.SIGNATURE_HEADER,
          `\`t\`: Unix seconds of this attempt; refuse it when it is more than ${webhook.TOLERANCE_SECONDS} s away from your clock. \`v1\`: HMAC-SHA256 of \`t\`, a full stop and the bytes of the body as they came, keyed with the whole secret of the endpoint, in lower-case hexadecimal.`,
          { pattern: "^t=\\d+,v1=[0-9a-f]{64}$" },
          `t=1776097800,v1=${"0a".repeat(32)}`,
        ),
        header("User-Agent", "Who sends.", { const: webhook.USER_AGENT }, webhook.USER_AGENT),
      ],
      requestBody: {
        required: true,
        description: "The event, compact; the same bytes in every attempt.",
        content: { "application/json": { schema: refer(schema), example } },
      },
      responses: {
        "2XX": {
          description: `Any 2xx within ${webhook.ATTEMPT_MILLISECONDS / 1000} seconds acknowledges the event. The body is not read.`,
        },
        "4XX": {
          description:
            "A failed attempt, as are 3xx and 5xx: it is repeated, 6 attempts in all over some 8.5 hours.",
        },
      },
    },
  };
}

function header(name: string, description: string, schema: Json, example: string): Json {
  return { name, in: "header", required: true, description, schema: { type: "string", ...schema }, example };
}

// ── GET /openapi.json, and the document above. They are made at the first request. ───────────────

interface DocumentDeps extends StaticDeps {
  readonly version: string;
  readonly table: () => AnyElysia["routes"];
  readonly batchLimit: number;
}

const describes = (id: string, what: string, more: Pick<Words, "security"> = {}) =>
  words({
    id,
    tag: "Service",
    summary: "This description",
    description: `The description of ${what} as OpenAPI 3.1.`,
    ok: field.OpenApiDocument,
    conditional: true,
    ...more,
  });

export const documents = ({ version, table, batchLimit, ...deps }: DocumentDeps) => {
  // Relative: right behind any proxy, and one body for every Host.
  const facts = { version, serverUrl: "/" };
  const forAll = () => openApiDocument({ ...facts, routes: table(), batchLimit });
  const ofDashboard = () => dashboardDocument({ ...facts, routes: table() });
  return new Elysia({ name: "documents" })
    .get("/openapi.json", staticJson(forAll, deps), { detail: describes("getOpenApi", "this interface") })
    .get(`${DASHBOARD_API}/openapi.json`, staticJson(ofDashboard, deps), {
      detail: describes("getDashboardOpenApi", "the dashboard's API", { security: [] }),
    });
};
