/** The MCP server: tools, resources and prompts, independent of the transport. */

import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { PROMPTS } from "./prompts.ts";
import { REQUESTS, type RequestDeps } from "./requests.ts";
import { listResources, TEMPLATES } from "./resources.ts";
import { TOOLS } from "./tools/tools.ts";

export interface McpServerDeps extends RequestDeps {
  /** Of the product. */
  readonly version: string;
  /** Receives faults of ours, of which the answer says only that there was one. */
  readonly unexpected: (fault: unknown) => void;
}

const INSTRUCTIONS = `Indicative foreign-exchange rates with exact provenance: 31 currencies, live intraday where a source is configured, daily reference rates since 1999, and official publications of authorities.

- One pair now: get_rate. Several currencies now: get_latest. A past day: get_historical. A period: get_range. An amount of money: convert, which multiplies exactly and rounds to minor units.
- Rates that an authority published, for customs, tax or contracts: get_official_publication, never get_rate.
- How something works, or what an error means: search_docs.
- State the source and the observation time beside a rate, and say when it is stale or carried forward. The rates are indicative, not for settlement.
- A refusal names its code and what to do; on rate_limited, ip_rate_limited and quota_exceeded wait retry_after_seconds before the next call.`;

/** All tools only read: the same call twice changes nothing, though its answer may be newer. They reach this service alone. */
const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** What tools/list answers, made once. */
const LISTED_TOOLS = TOOLS.map(({ name, title, description, input, output }) => ({
  name,
  title,
  description,
  inputSchema: plain(input) as { type: "object" },
  outputSchema: plain(output) as { type: "object" },
  annotations: { title, ...ANNOTATIONS },
}));

const LISTED_PROMPTS = PROMPTS.map(({ name, title, description, arguments: given }) => ({
  name,
  title,
  description,
  arguments: given.map((one) => ({ ...one })),
}));

/** Lists change only with the server's version. */
const LIST_HINT = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** Without one the SDK makes a compiler of schemas for every server, half the cost of a call; it would check what people fill into forms. */
const NO_VALIDATOR = {
  getValidator: (): never => {
    throw new Error("this server shows no forms");
  },
};

/** A server for one exchange or one connection; nothing is kept between them. */
export function newMcpServer(deps: McpServerDeps): Server {
  const server = new Server(serverInfoOf(deps), {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: NO_VALIDATOR,
    cacheHints: {
      "tools/list": LIST_HINT,
      "prompts/list": LIST_HINT,
      "resources/list": LIST_HINT,
      "resources/templates/list": LIST_HINT,
    },
  });
  server.setRequestHandler("tools/list", () => ({ tools: LISTED_TOOLS }));
  server.setRequestHandler("resources/list", () => ({ resources: [...listResources(deps)] }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler("prompts/list", () => ({ prompts: LISTED_PROMPTS }));
  // The SDK wraps handlers of its own methods in schemas: it would answer wrong parameters as internal errors, and check every result again.
  server.fallbackRequestHandler = ({ method, params = {} }, { mcpReq }) =>
    answerRequest(deps, method, params, mcpReq.signal);
  return server;
}

/** What the server says of itself. */
export function serverInfoOf({ version }: Pick<McpServerDeps, "version">) {
  return {
    name: "crossrate",
    title: "Crossrate",
    version,
    description: "Indicative foreign-exchange rates with exact provenance.",
  };
}

/** The result of a request; rejects with ProtocolError only, and reports faults of ours. */
export async function answerRequest(
  deps: McpServerDeps,
  method: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const answer = REQUESTS.get(method);
  if (answer === undefined) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
  try {
    return await answer(deps, params, signal);
  } catch (fault) {
    if (fault instanceof ProtocolError) throw fault;
    deps.unexpected(fault);
    throw new ProtocolError(ProtocolErrorCode.InternalError, "something went wrong on our side; try again");
  }
}

/** Without the symbols that TypeBox leaves on its schemas, and without what is undefined. */
function plain(schema: object): object {
  return JSON.parse(JSON.stringify(schema));
}
