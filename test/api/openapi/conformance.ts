/** Holds any answer of the product against its OpenAPI document: status, media type, body to the last member, headers. */

import Ajv, { type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { PLAN_GATED_MEMBERS } from "#api/errors.ts";
import { dashboardDocument } from "#api/openapi/dashboard.ts";
import { openApiDocument } from "#api/openapi/document.ts";
import { describedRoutes } from "#api/resources.ts";
import { ERRORS, type ErrorCode } from "#domain/faults/errors.ts";

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is searched by name
type Json = Record<string, any>;

const FACTS = { routes: describedRoutes(), version: "test", serverUrl: "/", exact: true as const };
/** The public interface and the dashboard's as one: what both name is the same. */
const DOCUMENT: Json = joined(openApiDocument(FACTS), dashboardDocument(FACTS));
const ROOT = "https://document.test/openapi.json";
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: true });
addFormats(ajv);
ajv.addSchema(DOCUMENT, ROOT);

function joined(main: Json, other: Json): Json {
  const both = (name: string) => ({ ...other["components"][name], ...main["components"][name] });
  const components = { ...main["components"], schemas: both("schemas"), responses: both("responses") };
  return { ...main, paths: { ...other["paths"], ...main["paths"] }, components };
}

/** Checks a whole response, reading a copy of its body. Throws a sentence that names what is not as documented. */
export async function assertResponseConforms(method: string, url: string, response: Response): Promise<void> {
  // Frankfurter's second version at the root is the same as below the prefix, where the document has it.
  const path = new URL(url, "http://localhost").pathname.replace(/^\/v2\//, "/compat/frankfurter/v2/");
  const type = mimeOf(response.headers.get("content-type"));
  const bytes = await bodyOf(response.clone(), type);
  const json =
    bytes.byteLength > 0 && type !== null && (type === "application/json" || type.endsWith("+json"));
  const body = json
    ? JSON.parse(new TextDecoder().decode(bytes))
    : bytes.byteLength === 0
      ? undefined
      : bytes;
  assertConforms(path, method, response.status, type, body, response.headers);
}

/** The whole body; of a stream, which has no end, what comes first. */
async function bodyOf(response: Response, type: string | null): Promise<Uint8Array> {
  if (type !== "text/event-stream" || response.body === null)
    return new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  const { value } = await reader.read();
  // Not waited for: a branch of a divided stream has left only when the other one has, too.
  void reader.cancel();
  return value ?? new Uint8Array();
}

/**
 * `path` is one of the document, or a concrete path ("/v1/2026-04-10"). `body` is parsed JSON, or undefined when there is
 * none. A path or method that is not documented must be refused.
 */
function assertConforms(
  path: string,
  method: string,
  status: number,
  contentType: string | null,
  body: unknown,
  headers: Headers,
): void {
  const where = `${method} ${path} → ${status}`;
  const verb = method.toLowerCase() === "head" ? "get" : method.toLowerCase();
  const found = findOperation(path);
  const mime = mimeOf(contentType);
  if (found === null || DOCUMENT["paths"][found]?.[verb] === undefined) {
    assertRefusal(where, status, mime, body, headers, method);
    return;
  }
  const whole = resolve(["paths", found, verb, "responses", "200"]);
  if (status === 206 && whole !== null && at(whole)["x-byte-ranges"] !== undefined) {
    if (mime === null || mime.includes("json") !== mime.includes("ndjson")) fail(where, `a part of ${mime}`);
    return;
  }
  const pointer = resolve(["paths", found, verb, "responses", String(status)]);
  if (pointer === null) fail(where, "this status is not documented");
  const response = at(pointer);
  assertHeaders(where, pointer, response["headers"] ?? {}, status, mime, headers);
  if (response["content"] === undefined) {
    if (body !== undefined) fail(where, "no body is documented");
    return;
  }
  if (mime === null || response["content"][mime] === undefined) fail(where, `${mime} is not documented`);
  if (method.toLowerCase() === "head") {
    if (body !== undefined) fail(where, "HEAD has no body");
    return;
  }
  if (mime.endsWith("/json") || mime.endsWith("+json"))
    validate(where, [...pointer, "content", mime, "schema"], body);
  if (mime === "application/json") assertOwnMembers(where, body);
}

/** Holds every example of a JSON body or a parameter in the documents, composed or stated, against its schema. */
export function assertExamplesConform(): void {
  for (const [path, methods] of Object.entries<Json>(DOCUMENT["paths"])) {
    for (const [method, { parameters, requestBody, responses }] of Object.entries<Json>(methods)) {
      const place = ["paths", path, method];
      for (const [index, { name, example, examples }] of (parameters ?? []).entries()) {
        const stated = example ?? examples?.sample.value;
        if (stated !== undefined)
          validate(`the example of ${name}`, [...place, "parameters", String(index), "schema"], stated);
      }
      if (requestBody !== undefined) assertExample([...place, "requestBody"]);
      for (const status of Object.keys(responses))
        assertExample(resolve([...place, "responses", status]) ?? []);
    }
  }
}

function assertExample(body: readonly string[]): void {
  const { example, examples = {} } = at(body)["content"]?.["application/json"] ?? {};
  const stated = Object.values<Json>(examples).map(({ value }) => value);
  for (const one of example === undefined ? stated : [example, ...stated])
    validate(`the example of ${body.join(" ")}`, [...body, "content", "application/json", "schema"], one);
}

/** Members of its own that a code brings: all of them with it, and none without. */
const OWN_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  plan_gated: Object.keys(PLAN_GATED_MEMBERS),
  validation_error: ["errors"],
};

function assertOwnMembers(where: string, body: unknown): void {
  const { result, code, checks } = Object(body);
  // The answer of /status is its report beside the envelope.
  if (result !== "error" || checks !== undefined) return;
  const wanted = ["result", "code", "message", ...(OWN_MEMBERS[code] ?? [])].sort();
  const present = Object.keys(Object(body)).sort();
  if (present.join() !== wanted.join()) fail(where, `${code} has the members ${wanted}, not ${present}`);
}

/** What undocumented paths and methods answer: the envelope, with the status of its code. */
function assertRefusal(
  where: string,
  status: number,
  mime: string | null,
  body: unknown,
  headers: Headers,
  method: string,
): void {
  if (method === "OPTIONS" && status === 204) return;
  if (headers.get("x-request-id") === null) fail(where, "X-Request-Id is missing");
  if (mime !== "application/json" && mime !== "application/problem+json") {
    fail(where, `a refusal is JSON, not ${mime}`);
  }
  if (status === 405 && headers.get("allow") === null) fail(where, "Allow is missing");
  if (method === "HEAD") return;
  const schema = mime === "application/json" ? "ErrorEnvelope" : "Problem";
  validate(where, ["components", "schemas", schema], body);
  const { code } = body as { code: ErrorCode };
  if (ERRORS[code].status !== status) fail(where, `${code} has the status ${ERRORS[code].status}`);
}

function findOperation(path: string): string | null {
  const paths = Object.keys(DOCUMENT["paths"]);
  if (paths.includes(path)) return path;
  // Literal segments win over parameters, segment by segment.
  const matching = paths.filter((one) => patternOf(one).test(path));
  return matching.sort((a, b) => (a.replaceAll("{", "~") < b.replaceAll("{", "~") ? -1 : 1))[0] ?? null;
}

function patternOf(path: string): RegExp {
  return new RegExp(
    `^${path
      .replaceAll(".", "\\.")
      .replace("{date}", "[\\d-]+")
      .replace(/\{\w+\}/g, "[^/]+")}$`,
  );
}

// ── Headers ──────────────────────────────────────────────────────────────────────────────────────

/** Present on every answer that documents them; the others depend on the mode or the media type. */
const OBLIGATORY = new Set(["X-Request-Id", "Cache-Control", "ETag", "Vary", "Retry-After", "Allow"]);

function assertHeaders(
  where: string,
  pointer: readonly string[],
  documented: Json,
  status: number,
  mime: string | null,
  headers: Headers,
): void {
  for (const name of Object.keys(documented)) {
    const value = headers.get(name);
    // Of small tables only workbooks have a name.
    const isNamed = mime?.endsWith(".sheet") === true || where.includes("/v1/range");
    const file = name === "Content-Disposition" && status === 200 && mime !== "application/json" && isNamed;
    if (value === null) {
      if (OBLIGATORY.has(name) || file) fail(where, `the header ${name} is missing`);
      continue;
    }
    validate(
      `${where}, header ${name}`,
      [...(resolve([...pointer, "headers", name]) ?? []), "schema"],
      value,
    );
  }
  for (const name of ["ETag", "Retry-After", "Allow"]) {
    if (headers.has(name) && documented[name] === undefined)
      fail(where, `the header ${name} is not documented`);
  }
}

// ── The document ─────────────────────────────────────────────────────────────────────────────────

/** The place that a path of member names leads to once references are followed, or null where there is none. */
function resolve(pointer: readonly string[]): readonly string[] | null {
  let place: readonly string[] = [];
  for (const name of pointer) {
    const reference = at(place)["$ref"];
    if (typeof reference === "string") place = reference.slice(2).split("/");
    if (at(place)[name] === undefined) return null;
    place = [...place, name];
  }
  const reference = at(place)["$ref"];
  return typeof reference === "string" ? reference.slice(2).split("/") : place;
}

function at(pointer: readonly string[]): Json {
  return pointer.reduce<Json>((node, name) => node[name], DOCUMENT);
}

const validators = new Map<string, ValidateFunction>();

function validate(where: string, pointer: readonly string[], value: unknown): void {
  const fragment = pointer
    .map((name) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  let check = validators.get(fragment);
  if (check === undefined) {
    check = ajv.compile({ $ref: `${ROOT}#/${fragment}` });
    validators.set(fragment, check);
  }
  if (check(value)) return;
  const faults = (check.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath || "/"} ${message} ${JSON.stringify(params)}`,
  );
  fail(where, `${faults.join("; ")} in ${JSON.stringify(value)?.slice(0, 400)}`);
}

function fail(where: string, what: string): never {
  throw new Error(`${where}: ${what}`);
}

function mimeOf(contentType: string | null): string | null {
  const mime = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  return mime === "" ? null : mime;
}
