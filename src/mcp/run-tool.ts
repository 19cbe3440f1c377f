/** One call of a tool: checks the arguments, calls REST, and returns its answer or its refusal. */

import { errorBody } from "#api/errors.ts";
import { issuesOf } from "#api/issues.ts";
import { Failure } from "#domain/faults/errors.ts";
import type { Guides } from "#guides/guide.ts";
import type { RestCall } from "#ports/rest.ts";
import { type Refusal, refusalOf } from "./refusal.ts";
import type { Tool } from "./tool.ts";

export interface ToolDeps {
  readonly call: RestCall;
  readonly guides: Guides;
}

/** A type, so that it has the index signature that the SDK's results have. */
export type ToolResult = {
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: true;
};

/** The result, also where REST refuses: then `isError` is true and the content is the error envelope. Rejects only for a fault of ours. */
export async function runTool(
  { call, guides }: ToolDeps,
  tool: Tool,
  given: unknown,
  signal: AbortSignal,
): Promise<ToolResult> {
  const issues = issuesOf(tool.input, given);
  if (issues.length > 0) return refusedHere(misfit(tool, issues));
  const { source } = tool;
  if (source.by === "guides") return success(tool, await source.content(guides, given), given);
  let request: ReturnType<typeof source.request>;
  try {
    request = source.request(given);
  } catch (thrown) {
    if (thrown instanceof Failure) return refusedHere(thrown);
    throw thrown;
  }
  const answer = await call(request, signal);
  if (answer.status !== 200) return errorResult(refusalOf(answer));
  return success(tool, source.content(answer), given);
}

function success(tool: Tool, content: object, given: unknown): ToolResult {
  return {
    content: [{ type: "text", text: tool.summary(content, given) }],
    structuredContent: content as Record<string, unknown>,
  };
}

function misfit(tool: Tool, issues: ReturnType<typeof issuesOf>): Failure {
  const faults = issues.map(({ path, message }) => `${path.slice(1) || "arguments"}: ${message}`);
  return new Failure("invalid_request", {
    reason: `${tool.name} got wrong arguments: ${faults.join("; ")}`,
  });
}

/** A refusal of our own, before REST. */
function refusedHere(failure: Failure): ToolResult {
  return errorResult({ ...errorBody(failure), status: failure.status });
}

function errorResult(refusal: Refusal): ToolResult {
  const { code, message, retry_after_seconds: wait } = refusal;
  const advice = wait === undefined ? "" : ` Wait ${wait} s before the next call.`;
  return {
    content: [{ type: "text", text: `${code}: ${message}.${advice}` }],
    structuredContent: { ...refusal },
    isError: true,
  };
}
