/** A tool as data: its schemas, its REST request, and the summary of the answer. */

import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { Guides } from "#guides/guide.ts";
import type { RestAnswer, RestRequest } from "#ports/rest.ts";
import { type Exact, parseExact } from "./exact-json.ts";
import { type OutputSchema, outputSchema } from "./output-schema.ts";

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** When a model should use it, and when another one. */
  readonly description: string;
  /** Of the arguments; closed, so that a misspelt name is refused. */
  readonly input: TObject;
  /** Of `structuredContent`, also of a refusal's: clients validate both. */
  readonly output: OutputSchema;
  /** By REST, or from the guides, which are part of the server. */
  readonly source:
    | { readonly by: "rest"; readonly request: RequestOf; readonly content: ContentOf }
    | { readonly by: "guides"; readonly content: (guides: Guides, given: unknown) => Promise<object> };
  /** One to a few lines about the content, with its source and age. */
  summary(content: object, given: unknown): string;
}

/** Arguments follow the input schema. Failure where they cannot be put into a request. */
type RequestOf = (given: unknown) => RestRequest;
/** The content of an answer with status 200. */
type ContentOf = (answer: RestAnswer) => object;

interface Facts<Input extends TObject, Output extends TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  summary(content: Exact<Static<Output>>, given: Static<Input>): string;
}

interface RestFacts<Input extends TObject, Output extends TObject> extends Facts<Input, Output> {
  request(given: Static<Input>): RestRequest;
  /** The body, parsed with exact numbers, unless given. */
  content?(answer: RestAnswer): Exact<Static<Output>>;
}

/** A tool for a REST operation; `output` is the schema of that operation's body. */
export function restTool<Input extends TObject, Output extends TObject>({
  request,
  content = ({ text }) => parseExact(text) as Exact<Static<Output>>,
  ...facts
}: RestFacts<Input, Output>): Tool {
  return toolOf(facts, {
    by: "rest",
    request: request as RequestOf,
    content: content as ContentOf,
  });
}

interface GuideFacts<Input extends TObject, Output extends TObject> extends Facts<Input, Output> {
  content(guides: Guides, given: Static<Input>): Promise<Exact<Static<Output>>>;
}

/** A tool over the guides alone: it calls nothing. */
export function guideTool<Input extends TObject, Output extends TObject>({
  content,
  ...facts
}: GuideFacts<Input, Output>): Tool {
  return toolOf(facts, {
    by: "guides",
    content: content as (guides: Guides, given: unknown) => Promise<object>,
  });
}

function toolOf<Input extends TObject, Output extends TObject>(
  { output, summary, ...facts }: Facts<Input, Output>,
  source: Tool["source"],
): Tool {
  return {
    ...facts,
    source,
    output: outputSchema(output as TSchema),
    summary: summary as Tool["summary"],
  };
}
