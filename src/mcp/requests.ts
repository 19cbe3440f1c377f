/** The protocol's requests: calls of tools, resources, prompts. */

import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Guides } from "#guides/guide.ts";
import type { RestCall } from "#ports/rest.ts";
import { faultOfArguments, PROMPTS } from "./prompts.ts";
import { type NamedTable, readResource } from "./resources.ts";
import { runTool } from "./run-tool.ts";
import { TOOLS_BY_NAME } from "./tools/tools.ts";

export interface RequestDeps {
  /** Reaches the REST interface as the caller of this exchange or connection. */
  readonly call: RestCall;
  readonly guides: Guides;
  /** Tables whose newest publication is listed; the others are found by the template. */
  readonly officialTables: readonly NamedTable[];
}

type Params = Readonly<Record<string, unknown>>;
type Result = Record<string, unknown>;
type AnswerRequest = (deps: RequestDeps, params: Params, signal: AbortSignal) => Result | Promise<Result>;

/** By method. Each rejects with ProtocolError where the parameters are of another shape, or name what is not there. */
export const REQUESTS: ReadonlyMap<string, AnswerRequest> = new Map<string, AnswerRequest>([
  ["tools/call", callTool],
  ["resources/read", read],
  ["prompts/get", getPrompt],
]);

async function callTool(deps: RequestDeps, params: Params, signal: AbortSignal): Promise<Result> {
  const name = textOf(params, "name");
  const tool = TOOLS_BY_NAME.get(name);
  if (tool === undefined) throw invalid(`no such tool: ${name}; tools/list names them`);
  return await runTool(deps, tool, argumentsOf(params), signal);
}

async function read(deps: RequestDeps, params: Params, signal: AbortSignal): Promise<Result> {
  const uri = textOf(params, "uri");
  const reading = await readResource(deps, uri, signal);
  if (reading.outcome === "unknown") throw new ResourceNotFoundError(uri);
  if (reading.outcome === "refused") {
    const { code, message } = reading.refusal;
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message}`, reading.refusal);
  }
  return { contents: [{ uri, mimeType: reading.mimeType, text: reading.text }] };
}

function getPrompt(_: RequestDeps, params: Params): Result {
  const name = textOf(params, "name");
  const prompt = PROMPTS.find((one) => one.name === name);
  if (prompt === undefined) throw invalid(`no such prompt: ${name}; prompts/list names them`);
  const given = argumentsOf(params);
  const fault = faultOfArguments(prompt, given);
  if (fault !== null) throw invalid(fault);
  const text = prompt.text(given as Record<string, string>);
  return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
}

function textOf(params: Params, name: string): string {
  const value = params[name];
  if (typeof value !== "string") throw invalid(`the parameter ${name} is needed as a text`);
  return value;
}

function argumentsOf({ arguments: given = {} }: Params): Readonly<Record<string, unknown>> {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw invalid("the parameter arguments is needed as an object");
  return given as Readonly<Record<string, unknown>>;
}

function invalid(message: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
