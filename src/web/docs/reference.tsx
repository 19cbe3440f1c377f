/** /docs/reference: every operation of the interface, from the routes' own descriptions. Readable without JavaScript. */
/* @jsxImportSource preact */

import type { TSchema } from "@sinclair/typebox";
import type { Operation } from "#api/openapi/operations.ts";
import { TAGS } from "#api/words.ts";
import { ERRORS } from "#domain/faults/errors.ts";
import { CopyButton } from "#web/shared/forms.tsx";
import { Table } from "#web/shared/table.tsx";
import { type DocsProps, type DocsSection, frame } from "./page.tsx";

export function docsReference(props: DocsProps, operations: readonly Operation[]): string {
  const tags = Object.entries(TAGS).flatMap(([name, description]) => {
    const own = operations.filter(({ tag }) => tag === name);
    return own.length === 0 ? [] : [{ name, description, own, anchor: `tag-${name.toLowerCase()}` }];
  });
  const sections = tags.flatMap(({ name, anchor, own }): DocsSection[] => [
    { heading: name, anchor, depth: 2 },
    ...own.map(({ id, summary }) => ({ heading: summary, anchor: id, depth: 3 })),
  ]);
  return frame(
    {
      ...props,
      title: "API reference",
      description: "Every operation of the API with its parameters, answers and refusals.",
      path: "/docs/reference",
      current: "reference",
      sections: [{ heading: "API reference", anchor: "reference", depth: 1 }, ...sections],
    },
    <div class="prose reference">
      <h1 id="reference">API reference</h1>
      <p class="lead">
        {operations.length} operations. For programs: <a href="/openapi.json">OpenAPI 3.1</a>, and clients for{" "}
        <a href="/docs/clients">TypeScript and Python</a>.
      </p>
      {tags.map(({ name, description, own, anchor }) => (
        <section key={name}>
          <h2 id={anchor}>{name}</h2>
          <p>
            <Inline text={description} />
          </p>
          {own.map((operation) => (
            <OperationBlock key={operation.id} operation={operation} origin={props.site.origin} />
          ))}
        </section>
      ))}
    </div>,
  );
}

function OperationBlock({ operation, origin }: { readonly operation: Operation; readonly origin: string }) {
  const { id, method, path, summary, description, parameters, body, ok, refusals, foreign } = operation;
  const members = membersOf(ok.schema);
  return (
    <article aria-labelledby={id}>
      <h3 id={id}>
        <a class="anchor" href={`#${id}`}>
          {summary}
        </a>
      </h3>
      <p>
        <b>{method.toUpperCase()}</b> <code>{path}</code>
      </p>
      <p>
        <Inline text={description} />
      </p>
      {parameters.length > 0 && (
        <Table
          label={`Parameters of ${method} ${path}`}
          columns={["Parameter", "Value", "Meaning"]}
          rows={parameters.map((parameter) => [
            <>
              <code>{parameter.name}</code>
              <span class="dim tiny">
                {parameter.in}
                {parameter.required && ", required"}
              </span>
            </>,
            kindOf(parameter.schema),
            <Inline text={parameter.description ?? ""} />,
          ])}
        />
      )}
      {body !== undefined && (
        <p>
          Body: <Inline text={body.description} />
        </p>
      )}
      <Code text={callOf(operation, origin)} />
      <p>
        <b>{ok.status ?? 200}</b> <Inline text={ok.description} />
      </p>
      {ok.example !== undefined && (
        <details>
          <summary>Example of an answer</summary>
          <Code text={typeof ok.example === "string" ? ok.example : JSON.stringify(ok.example, null, 2)} />
        </details>
      )}
      {members.length > 0 && (
        <details>
          <summary>Members of the answer</summary>
          <Table
            label={`Members of the answer to ${method} ${path}`}
            columns={["Member", "Value", "Meaning"]}
            rows={members.map(({ name, schema }) => [
              <code>{name}</code>,
              kindOf(schema),
              <Inline text={schema.description ?? ""} />,
            ])}
          />
        </details>
      )}
      {foreign === undefined && (
        <p class="dim tiny">
          Refusals:{" "}
          {refusals.map((code, index) => (
            <>
              {index > 0 && ", "}
              <a key={code} href={`/docs/errors#${code}`}>
                {ERRORS[code].status} {code}
              </a>
            </>
          ))}
        </p>
      )}
    </article>
  );
}

function Code({ text }: { readonly text: string }) {
  return (
    <div class="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton />
    </div>
  );
}

const DEEPEST = 3;

/** The members of an object and of what is in it, by their paths: "sources.*", "legs[].rate". */
function membersOf(
  schema: TSchema,
  before = "",
  depth = 0,
): readonly { readonly name: string; readonly schema: TSchema }[] {
  if (depth === DEEPEST) return [];
  if (schema["type"] === "array" && schema["items"] !== undefined)
    return membersOf(schema["items"] as TSchema, `${before}[]`, depth);
  return Object.entries((schema["properties"] ?? {}) as Record<string, TSchema>).flatMap(([key, member]) => {
    const name = before === "" ? key : `${before}.${key}`;
    return [{ name, schema: member }, ...membersOf(member, name, depth + 1)];
  });
}

/** "integer, 0 to 10", "json or csv", "text". */
function kindOf(schema: TSchema): string {
  const { type, const: only, enum: choices, anyOf, minimum, maximum, default: usual } = schema;
  const kind =
    only !== undefined
      ? JSON.stringify(only)
      : Array.isArray(choices)
        ? choices.join(", ")
        : Array.isArray(anyOf)
          ? [...new Set(anyOf.map(kindOf))].join(" or ")
          : type === "string"
            ? "text"
            : type === "array"
              ? "list"
              : String(type ?? "any");
  const range = minimum === undefined || maximum === undefined ? "" : `, ${minimum} to ${maximum}`;
  return `${kind}${range}${usual === undefined ? "" : `; ${JSON.stringify(usual)} if absent`}`;
}

function callOf({ method, path, parameters, body }: Operation, origin: string): string {
  const sample = parameters.filter(
    ({ in: place, required, example, inSampleCall }) =>
      place === "path" ||
      (place === "query" && example !== undefined && (required || inSampleCall !== false)),
  );
  const filled = path.replace(/\{(\w+)\}/g, (place, name: string) => {
    const example = sample.find((parameter) => parameter.in === "path" && parameter.name === name)?.example;
    return example === undefined ? place : String(example);
  });
  const query = sample
    .filter(({ in: place }) => place === "query")
    .map(({ name, example }) => `${name}=${String(example)}`)
    .join("&");
  const url = `'${origin}${filled}${query === "" ? "" : `?${query}`}'`;
  const verb = method === "get" ? "" : ` -X ${method.toUpperCase()}`;
  if (body === undefined) return `curl${verb} ${url}`;
  const json = JSON.stringify(body.example).replaceAll("'", "'\\''");
  return `curl${verb} ${url} -H 'Content-Type: application/json' \\\n  -d '${json}'`;
}

/** A text of a route: backticks become code, links become their text. */
function Inline({ text }: { readonly text: string }) {
  const parts = text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").split("`");
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
