/** The OpenAPI 3.1 document of the dashboard's API. It is no part of the public interface, and of no version of it. */

import { DASHBOARD_OPERATIONS } from "#contract/account/dashboard.ts";
import { SECURITY_SCHEMES } from "#contract/operation.ts";
import { createComponents, type Json } from "./components.ts";
import { type DocumentFacts, describePaths } from "./document.ts";
import { headersUsedBy } from "./headers.ts";
import { portable } from "./portable.ts";
import { describeWebhooks } from "./webhooks.ts";

const INTRODUCTION = `What the dashboard of this server calls, for whoever is signed in. It may change with any release; programs use the public interface, \`/openapi.json\`.

Send a session: \`Authorization: Bearer fxs_…\` as \`POST /v1/auth/sign-in?cookie=0\` gives it, or the cookie of a browser. API keys do not open these operations. Errors are those of the public interface. What receivers of events get, and how they verify it, is under the webhooks of this document.`;

/** The whole document, as plain JSON values. Pure: equal facts give an equal document. */
export function dashboardDocument(facts: DocumentFacts): Json {
  const document = describeDashboard(facts);
  return facts.exact === true ? document : portable(document);
}

function describeDashboard({ version, serverUrl }: DocumentFacts): Json {
  const components = createComponents();
  const paths = describePaths(DASHBOARD_OPERATIONS, components);
  const webhooks = describeWebhooks(components);
  const { session, sessionCookie } = SECURITY_SCHEMES;
  return {
    openapi: "3.1.0",
    info: {
      title: "Crossrate dashboard",
      version,
      summary: "Webhook endpoints of an organization, and what was sent to them.",
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: serverUrl, description: "This server." }],
    tags: [
      { name: "Webhooks", description: "Endpoints that receive events of official publications." },
      { name: "Service", description: "The description of this interface." },
    ],
    paths,
    webhooks,
    components: {
      securitySchemes: { session, sessionCookie },
      headers: headersUsedBy({ paths, responses: components.responses() }),
      responses: components.responses(),
      schemas: components.schemas(),
    },
  };
}
