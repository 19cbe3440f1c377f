/** A tool as data: schemas, REST request and summary of the answer. Also its call, and the results of REST refusals. */

import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { errorBody } from "#api/errors.ts";
import { issuesOf } from "#api/request/body.ts";
import { Failure } from "#domain/faults/errors.ts";
import { type Exact, parseExact } from "#domain/net/message.ts";
import type { Guides } from "#guides/pages.ts";
import type { RestAnswer, RestCall, RestRequest } from "#ports.ts";

export interface ToolDeps {
  readonly call: RestCall;
  readonly guides: Guides;
}

export type Tool = ReturnType<typeof toolOf>;

/** A type, not an interface: the SDK's results need its index signature. */
export type ToolResult = {
  content: { type: "text"; text: string }[];
  structuredContent: Record<string, unknown>;
  isError?: true;
};

interface Facts<Input extends TObject, Output extends TObject> {
  readonly name: string;
  readonly title: string;
  /** Says when a model should use it, and when another tool. */
  readonly description: string;
  /** Closed: a misspelt argument is refused. */
  readonly input: Input;
  readonly output: Output;
  /** Summarizes the content in one to a few lines, with its source and age. */
  summary(content: Exact<Static<Output>>, input: Static<Input>): string;
}

interface RestFacts<Input extends TObject, Output extends TObject> extends Facts<Input, Output> {
  /** A path alone is a GET. Throws Failure when the arguments make no request. */
  request(input: Static<Input>): RestRequest | string;
  /** Reads an answer with status 200; by default the body, parsed with exact numbers. */
  content?(answer: RestAnswer): Exact<Static<Output>>;
}

/** How every body of a success begins. The page of a proxy or a sign-in may have the status 200, too. */
const SUCCESS = '{"result":"success"';

/** Makes a tool of a REST operation; `output` is the schema of that operation's body. */
export function restTool<Input extends TObject, Output extends TObject>({
  request,
  content = ({ text }) => parseExact(text) as Exact<Static<Output>>,
  ...facts
}: RestFacts<Input, Output>) {
  return toolOf(facts, async ({ call }, input, signal) => {
    const asked = request(input);
    const answer = await call(typeof asked === "string" ? { method: "GET", path: asked } : asked, signal);
    const isSuccess = answer.status === 200 && answer.text.startsWith(SUCCESS);
    return isSuccess ? { content: content(answer) } : { refusal: refusalOf(answer) };
  });
}

type Made<Content> = { readonly content: Content } | { readonly refusal: Refusal };

/** Makes a tool that answers with what `make` resolves with. */
export function toolOf<Input extends TObject, Output extends TObject>(
  { output, summary, ...facts }: Facts<Input, Output>,
  make: (deps: ToolDeps, input: Static<Input>, signal: AbortSignal) => Promise<Made<Exact<Static<Output>>>>,
) {
  return {
    ...facts,
    /** Describes `structuredContent`, also of a refusal: clients validate both. */
    output: outputSchema(output),
    /**
     * Resolves with the result, also for a REST refusal: then `isError` is true and the content is the error envelope.
     * Rejects only for a fault of ours.
     */
    async call(deps: ToolDeps, sent: unknown, signal: AbortSignal): Promise<ToolResult> {
      try {
        refuseMisfit(facts.name, facts.input, sent);
        const input = sent as Static<Input>;
        const made = await make(deps, input, signal);
        if ("refusal" in made) return errorResult(made.refusal);
        return {
          content: [{ type: "text", text: summary(made.content, input) }],
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
function refuseMisfit(name: string, input: TObject, sent: unknown): void {
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

// ── Refusals ─────────────────────────────────────────────────────────────────────────────────────

/** Further members of the envelope, such as those of `plan_gated`, are passed on. */
export interface Refusal {
  readonly result: "error";
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly retry_after_seconds?: number;
}

export function refusalOf({ status, headers, text }: RestAnswer): Refusal {
  const wait = headers.get("retry-after") ?? "";
  const retry = /^\d+$/.test(wait) ? { retry_after_seconds: Number(wait) } : {};
  return { ...envelopeOf(status, text), status, ...retry };
}

type Envelope = Pick<Refusal, "result" | "code" | "message">;

/** Returns the error of a refusal; a page that a proxy sent instead of it becomes `service_unavailable`. */
function envelopeOf(status: number, text: string): Envelope {
  try {
    const body = parseExact(text) as Partial<Envelope> | null;
    if (typeof body?.code === "string" && typeof body.message === "string") return body as Envelope;
  } catch (fault) {
    if (!(fault instanceof SyntaxError)) throw fault;
  }
  return {
    result: "error",
    code: "service_unavailable",
    message: `what answered with HTTP status ${status} is no Crossrate server`,
  };
}

// ── Schemas of results ───────────────────────────────────────────────────────────────────────────

const REFUSAL = {
  code: { type: "string", description: "On a refusal: what went wrong, for programs; docs page `errors`." },
  message: { type: "string", description: "On a refusal: what went wrong and what to do about it." },
  status: { type: "integer", description: "On a refusal: the HTTP status of the same REST call." },
  retry_after_seconds: {
    type: "integer",
    description: "On a refusal that passes: seconds to wait before the same call is sent again.",
  },
} as const;

/**
 * Makes the output schema of a tool from a response schema of the contract: self-contained, and open to members added
 * later. `model` describes a success. Clients validate refusals against the output schema, too: it describes both, and `result`
 * distinguishes them.
 */
function outputSchema(model: TSchema) {
  const definitions: Record<string, object> = {};
  const { properties, required } = portable({ ...model, $id: undefined }, definitions) as {
    properties: Record<string, object>;
    required: readonly string[];
  };
  return {
    type: "object",
    properties: {
      ...properties,
      result: { type: "string", enum: ["success", "error"], description: "`error` on a refusal." },
      ...REFUSAL,
    },
    required: ["result"],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ...{ if: { properties: { result: { const: "success" } } }, then: { required } },
    else: { required: ["code", "message"] },
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
}

/** Keywords with values, which contain no schema. */
const VALUES: ReadonlySet<string> = new Set(["enum", "const", "required", "type", "default"]);

/** Removes examples and closed objects; named schemas move to `definitions`. */
function portable(schema: unknown, definitions: Record<string, object>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => portable(one, definitions));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $id, examples: _, additionalProperties: rest, ...keywords } = schema as TSchema;
  const plain = Object.fromEntries(
    Object.entries(keywords).map(([keyword, value]) => [
      keyword,
      VALUES.has(keyword) ? value : portable(value, definitions),
    ]),
  );
  // A closed object would refuse the answers of a newer server.
  if (typeof rest === "object") plain["additionalProperties"] = portable(rest, definitions);
  if ($id === undefined) return plain;
  definitions[$id] ??= plain;
  return { $ref: `#/$defs/${$id}`, ...("description" in plain ? { description: plain["description"] } : {}) };
}
