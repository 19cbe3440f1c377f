/** What code generators need of an OpenAPI document beyond its validity. Each rule prevents a client that was not generated, or was generated wrong. */

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is searched by name
type Json = Record<string, any>;

/** Members whose values are data, not schemas. */
const DATA = new Set(["example", "examples", "enum", "const", "default"]);
const TIMES = new Set(["date", "date-time"]);
/** Beside a reference nothing else is read, or the generator stops. */
const BESIDE_REFERENCE = new Set(["$ref", "description", "summary", "examples"]);
/** Types that generated code gets from its language or its runtime. */
const TAKEN =
  "Any Array ApiClient ApiException ApiResponse Blob Boolean Client Configuration Date Dict Enum Error Exception File Float Int Integer List Map None Null Number Object Optional Promise Record Request Response Result Set String Type Union Unset Void";
/** What generators append to the name of an operation to name types of its own. */
const OF_OPERATION = ["Request", "Response", "Params", "Body", "JSONBody", "JSONRequestBody"];

/** Everything in a document that a generator cannot handle, each with its path; empty when there is nothing. */
export function shapeFaults(document: Json): readonly string[] {
  const faults: string[] = [];
  walk(document, "", (place, node) => faults.push(...schemaFaults(place, node)));
  return [...faults, ...nameFaults(document), ...bodyFaults(document)];
}

/** Calls back with every object of a document that can be a schema, from the outside in. */
function walk(node: unknown, place: string, see: (place: string, node: Json) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (!Array.isArray(node)) see(place, node as Json);
  for (const [key, value] of Object.entries(node)) {
    if (!DATA.has(key) || isNameOfProperty(place)) walk(value, `${place}/${key}`, see);
  }
}

function isNameOfProperty(place: string): boolean {
  return place.endsWith("/properties");
}

function schemaFaults(place: string, node: Json): string[] {
  if (isNameOfProperty(place)) return [];
  const faults: string[] = [];
  const types: unknown[] = Array.isArray(node["type"]) ? node["type"] : [node["type"]];
  const wrong = (what: string) => faults.push(`${place}: ${what}`);
  for (const keyword of ["items", "prefixItems", "not", "if", "unevaluatedProperties"]) {
    if (typeof node[keyword] === "boolean") wrong(`${keyword} is ${node[keyword]}`);
  }
  if (node["type"] === "null" && !/\/anyOf\/\d+$/.test(place)) wrong("a bare null type");
  if (TIMES.has(node["format"]) && node["pattern"] !== undefined) wrong("a pattern beside a format of time");
  if (types.includes("number") && node["format"] !== "double") wrong("a number without format double");
  if (types.includes("integer") && !/^int(32|64)$/.test(node["format"]))
    wrong("an integer without its width");
  if (typeof node["$ref"] === "string") {
    const others = Object.keys(node).filter((keyword) => !BESIDE_REFERENCE.has(keyword));
    if (others.length > 0) wrong(`${others.join(", ")} beside a reference`);
  }
  if (Array.isArray(node["enum"])) faults.push(...enumFaults(place, node["enum"]));
  faults.push(...unionFaults(place, node), ...namelessFaults(place, node));
  return faults;
}

/** Constants get their names from the values: those have to be there, and differ. */
function enumFaults(place: string, members: readonly unknown[]): string[] {
  if (members.includes(null)) return [`${place}: null among the values of an enum; write anyOf with a null`];
  const names = members.map((keyword) => normal(String(keyword)));
  if (names.includes("")) return [`${place}: a value without a letter`];
  return new Set(names).size === names.length ? [] : [`${place}: values that differ in signs or case alone`];
}

/** A union is a type of its own and needs a name, unless it only adds null or joins plain values. */
function unionFaults(place: string, node: Json): string[] {
  const faults: string[] = [];
  for (const keyword of ["anyOf", "oneOf"]) {
    if (!Array.isArray(node[keyword])) continue;
    const members: Json[] = node[keyword].filter((member: Json) => member["type"] !== "null");
    if (members.length < node[keyword].length && members.length !== 1) {
      faults.push(`${place}: null in a union of several`);
    }
    if (members.length > 1 && members.every((member) => member["const"] !== undefined)) {
      faults.push(`${place}: constants in a union; write an enum`);
    }
    if (keyword === "anyOf" && members.some((member) => member["$ref"]) && members.length > 1) {
      faults.push(`${place}: anyOf; write oneOf, of which generators make a union`);
    }
    const inline = members.some((member) => member["type"] === "object");
    if (inline) faults.push(`${place}: an object without a name in a union`);
    const named = /^\/components\/schemas\/\w+$/.test(place);
    if (members.length > 1 && members.some((member) => member["$ref"]) && !named) {
      faults.push(`${place}: a union without a name`);
    }
  }
  return faults;
}

/** Objects in lists and maps get names like `VersionsInner` when they have none of their own. */
function namelessFaults(place: string, node: Json): string[] {
  return ["items", "additionalProperties"].flatMap((keyword) =>
    node[keyword]?.["properties"] === undefined ? [] : [`${place}: an object without a name in ${keyword}`],
  );
}

/** Names that are one and the same in some generated language, where case, signs and suffixes get lost. */
function nameFaults(document: Json): string[] {
  const { schemas, responses = {} } = document["components"];
  const faults: string[] = [];
  const owners = new Map<string, string>(
    TAKEN.split(" ").map((name) => [normal(name), `type ${name} of languages`]),
  );
  const claim = (name: string, owner: string): void => {
    const other = owners.get(normal(name));
    if (other === undefined || other === owner) owners.set(normal(name), owner);
    else faults.push(`${owner} and ${other} are both ${normal(name)}`);
  };
  for (const name of Object.keys(schemas)) claim(name, `schema ${name}`);
  for (const name of Object.keys(responses)) claim(name, `response ${name}`);
  for (const id of operationIds(document)) {
    for (const suffix of OF_OPERATION) claim(`${id}${suffix}`, `operation ${id}`);
  }
  return faults;
}

function operationIds(document: Json): string[] {
  const groups = [
    ...Object.values(document["paths"]),
    ...Object.values(document["webhooks"] ?? {}),
  ] as Json[];
  return groups.flatMap((group) =>
    Object.values(group).map((operation) => operation["operationId"] as string),
  );
}

/** A JSON body is a schema with a name, or a list of such: what has none is called after the operation and the status. */
function bodyFaults(document: Json): string[] {
  const faults: string[] = [];
  walk(document, "", (place, node) => {
    const schema = node["application/json"]?.["schema"];
    if (schema === undefined) return;
    const named = schema["$ref"] ?? schema["items"]?.["$ref"];
    if (named === undefined) faults.push(`${place}: a JSON body without a name`);
  });
  return faults;
}

function normal(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
