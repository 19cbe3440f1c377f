/** The MCP server: tools, resources and prompts, independent of the transport. */

import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from "@modelcontextprotocol/server";
import { faultOfArguments, PROMPTS } from "./prompts.ts";
import { listResources, type ResourceDeps, readResource, TEMPLATES } from "./resources.ts";
import type { Tool } from "./tool.ts";
import * as conversions from "./tools/convert.ts";
import * as official from "./tools/official.ts";
import * as rates from "./tools/rates.ts";
import * as service from "./tools/server.ts";

/** `call` reaches the REST interface as the caller of this exchange or connection. */
export interface McpServerDeps extends ResourceDeps {
  readonly version: string;
  /** Receives faults of ours; the answer says only that there was one. */
  readonly unexpected: (fault: unknown) => void;
}

const INSTRUCTIONS = `Indicative foreign-exchange rates with exact provenance: 31 currencies, live intraday where a source is configured, daily reference rates since 1999, and official publications of authorities.

- One pair now: get_rate. Several currencies now: get_latest. A past day: get_historical. A period: get_range; its mean: average_rate; its change, highest and lowest rate: get_fluctuation. An amount of money: convert, which multiplies exactly and rounds to minor units.
- Rates that an authority published, for customs, tax or contracts: get_official_publication, never get_rate.
- How something works, or what an error means: search_docs.
- State the source and the observation time beside a rate, and say when it is stale or carried forward. The rates are indicative, not for settlement.
- A refusal names its code and what to do; on rate_limited, ip_rate_limited and quota_exceeded wait retry_after_seconds before the next call.`;

/** All tools only read: a repeated call changes nothing, though its answer may be newer. They use only this service. */
const ANNOTATIONS = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

/** In the order in which clients list them. */
export const TOOLS: readonly Tool[] = [
  ...[rates.listCurrencies, rates.getRate, rates.getLatest, rates.getHistorical],
  ...[conversions.convert, conversions.convertBatch, rates.getRange, rates.getFluctuation, rates.averageRate],
  service.searchDocs,
  ...[official.listOfficialChanges, official.getOfficialPublication, official.convertOfficial],
  service.getUsage,
];

const LISTED_TOOLS = TOOLS.map(({ name, title, description, input, output }) => ({
  name,
  title,
  description,
  inputSchema: plain(input) as { type: "object" },
  outputSchema: plain(output) as { type: "object" },
  annotations: { title, ...ANNOTATIONS },
}));

const LISTED_PROMPTS = PROMPTS.map(({ name, title, description, arguments: list }) => ({
  name,
  title,
  description,
  arguments: list.map((one) => ({ ...one })),
}));

/** Lists change only with the server's version. */
const LIST_HINT = { ttlMs: 3_600_000, cacheScope: "public" } as const;

/** Makes a server for one exchange or connection; nothing is stored between them. */
export function newMcpServer(deps: McpServerDeps): Server {
  const serverInfo = {
    name: "crossrate",
    title: "Crossrate",
    version: deps.version,
    description: "Indicative foreign-exchange rates with exact provenance.",
  };
  const server = new Server(serverInfo, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: INSTRUCTIONS,
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
  // The SDK wraps handlers of its own methods in schemas: it would answer wrong parameters as internal errors, and
  // copy results, which loses digits.
  server.fallbackRequestHandler = ({ method, params = {} }, { mcpReq }) =>
    answerRequest(deps, method, params, mcpReq.signal);
  return server;
}

type Params = Readonly<Record<string, unknown>>;
type Result = Record<string, unknown>;

/** Resolves with the result of a request; rejects only with ProtocolError, and reports faults of ours. */
async function answerRequest(
  deps: McpServerDeps,
  method: string,
  params: Params,
  signal: AbortSignal,
): Promise<Result> {
  try {
    switch (method) {
      case "tools/call":
        return await callTool(deps, params, signal);
      case "resources/read":
        return await read(deps, params, signal);
      case "prompts/get":
        return getPrompt(params);
      default:
        throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
    }
  } catch (fault) {
    if (fault instanceof ProtocolError) throw fault;
    deps.unexpected(fault);
    throw new ProtocolError(ProtocolErrorCode.InternalError, "something went wrong on our side; try again");
  }
}

async function callTool(deps: McpServerDeps, params: Params, signal: AbortSignal): Promise<Result> {
  const name = textOf(params, "name");
  const tool = TOOLS.find((one) => one.name === name);
  if (tool === undefined) throw invalid(`no such tool: ${name}; tools/list names them`);
  return await tool.call(deps, argumentsOf(params), signal);
}

async function read(deps: McpServerDeps, params: Params, signal: AbortSignal): Promise<Result> {
  const uri = textOf(params, "uri");
  const reading = await readResource(deps, uri, signal);
  if (reading === null) throw new ResourceNotFoundError(uri);
  if ("text" in reading) return { contents: [{ uri, ...reading }] };
  const { code, message } = reading;
  throw new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message}`, reading);
}

function getPrompt(params: Params): Result {
  const name = textOf(params, "name");
  const prompt = PROMPTS.find((one) => one.name === name);
  if (prompt === undefined) throw invalid(`no such prompt: ${name}; prompts/list names them`);
  const values = argumentsOf(params);
  const fault = faultOfArguments(prompt, values);
  if (fault !== null) throw invalid(fault);
  const text = prompt.text(values as Record<string, string>);
  return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
}

function textOf(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== "string") throw invalid(`the parameter ${name} is needed as a text`);
  return value;
}

function argumentsOf({ arguments: values = {} }: Params): Params {
  if (typeof values !== "object" || values === null || Array.isArray(values))
    throw invalid("the parameter arguments is needed as an object");
  return values as Params;
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

/** Removes undefined members, and the symbols that TypeBox leaves on its schemas. */
function plain(schema: object): object {
  return JSON.parse(JSON.stringify(schema));
}
