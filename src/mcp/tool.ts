/** A tool as data: its schemas, its REST request and the summary of the answer; and its call. */

import type { Static, TObject } from "@sinclair/typebox";
import { errorBody } from "#api/errors.ts";
import { issuesOf } from "#api/issues.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type Exact, parseExact } from "#domain/net/message.ts";
import type { Guides } from "#guides/guide.ts";
import type { RestAnswer, RestCall, RestRequest } from "#ports.ts";
import { type OutputSchema, outputSchema } from "./output-schema.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

export interface ToolDeps {
  readonly call: RestCall;
  readonly guides: Guides;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Says when a model should use it, and when another tool. */
  readonly description: string;
  /** Closed: a misspelt argument is refused. */
  readonly input: TObject;
  /** Describes `structuredContent`, also of a refusal: clients validate both. */
  readonly output: OutputSchema;
  /**
   * Resolves with the result, also for a REST refusal: then `isError` is true and the content is the error envelope.
   * Rejects only for a fault of ours.
   */
  call(deps: ToolDeps, sent: unknown, signal: AbortSignal): Promise<ToolResult>;
}

/** A type: it has the index signature of the SDK's results. */
export type ToolResult = {
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: true;
};

interface Facts<Input extends TObject, Output extends TObject>
  extends Pick<Tool, "name" | "title" | "description"> {
  readonly input: Input;
  readonly output: Output;
  /** Summarizes the content in one to a few lines, with its source and age. */
  summary(content: Exact<Static<Output>>, given: Static<Input>): string;
}

interface RestFacts<Input extends TObject, Output extends TObject> extends Facts<Input, Output> {
  /** Throws Failure when the arguments make no request. */
  request(given: Static<Input>): RestRequest;
  /** Reads an answer with status 200; by default the body, parsed with exact numbers. */
  content?(answer: RestAnswer): Exact<Static<Output>>;
}

/** Makes a tool of a REST operation; `output` is the schema of that operation's body. */
export function restTool<Input extends TObject, Output extends TObject>({
  request,
  content = ({ text }) => parseExact(text) as Exact<Static<Output>>,
  ...facts
}: RestFacts<Input, Output>): Tool {
  return toolOf(facts, async ({ call }, given, signal) => {
    const answer = await call(request(given), signal);
    return answer.status === 200 ? { content: content(answer) } : { refusal: refusalOf(answer) };
  });
}

interface GuideFacts<Input extends TObject, Output extends TObject> extends Facts<Input, Output> {
  content(guides: Guides, given: Static<Input>): Promise<Exact<Static<Output>>>;
}

/** Makes a tool of the guides, which are part of the server: it makes no REST call. */
export function guideTool<Input extends TObject, Output extends TObject>({
  content,
  ...facts
}: GuideFacts<Input, Output>): Tool {
  return toolOf(facts, async ({ guides }, given) => ({ content: await content(guides, given) }));
}

type Made<Content> = { readonly content: Content } | { readonly refusal: Refusal };

function toolOf<Input extends TObject, Output extends TObject>(
  { output, summary, ...facts }: Facts<Input, Output>,
  make: (deps: ToolDeps, given: Static<Input>, signal: AbortSignal) => Promise<Made<Exact<Static<Output>>>>,
): Tool {
  return {
    ...facts,
    output: outputSchema(output),
    async call(deps, sent, signal) {
      try {
        refuseMisfit(facts, sent);
        const given = sent as Static<Input>;
        const made = await make(deps, given, signal);
        if ("refusal" in made) return errorResult(made.refusal);
        return {
          content: [{ type: "text", text: summary(made.content, given) }],
          structuredContent: made.content as Record<string, unknown>,
        };
      } catch (thrown) {
        // Refused here, before REST.
        if (thrown instanceof Failure) return errorResult({ ...errorBody(thrown), status: thrown.status });
        throw thrown;
      }
    },
  };
}

/** Fails with `invalid_request` for arguments of another shape. */
function refuseMisfit({ name, input }: Pick<Tool, "name" | "input">, sent: unknown): void {
  const faults = issuesOf(input, sent).map(
    ({ path, message }) => `${path.slice(1) || "arguments"}: ${message}`,
  );
  if (faults.length === 0) return;
  throw new Failure("invalid_request", { reason: `${name} got wrong arguments: ${faults.join("; ")}` });
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
