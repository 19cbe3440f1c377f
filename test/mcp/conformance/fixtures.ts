/** What the protocol's conformance suite requires of a server under test, behind the product's own transport. */

import { Server } from "@modelcontextprotocol/server";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (words: string) => ({ type: "text", text: words }) as const;
const image = { type: "image", data: PIXEL, mimeType: "image/png" } as const;
const embedded = (uri: string, mimeType: string, words: string) =>
  ({ type: "resource", resource: { uri, mimeType, text: words } }) as const;

type Content =
  | ReturnType<typeof text>
  | typeof image
  | ReturnType<typeof embedded>
  | { type: "audio"; data: string; mimeType: string };

const TOOLS: Readonly<Record<string, readonly Content[]>> = {
  test_simple_text: [text("This is a simple text response for testing.")],
  test_image_content: [image],
  test_audio_content: [{ type: "audio", data: SILENCE, mimeType: "audio/wav" }],
  test_embedded_resource: [
    embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ],
  test_multiple_content_types: [
    text("Multiple content types test:"),
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ],
  test_error_handling: [text("This tool intentionally returns an error for testing")],
  json_schema_2020_12_tool: [text("nothing")],
};

const ADDRESS_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: { type: "object", properties: { street: { type: "string" }, city: { type: "string" } } },
  },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  additionalProperties: false,
} as const;

const RESOURCES = [
  { uri: "test://static-text", name: "static-text", mimeType: "text/plain" },
  { uri: "test://static-binary", name: "static-binary", mimeType: "image/png" },
];

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  test_simple_prompt: [],
  test_prompt_with_arguments: ["arg1", "arg2"],
  test_prompt_with_embedded_resource: ["resourceUri"],
  test_prompt_with_image: [],
};

function messagesOf(name: string, given: Readonly<Record<string, string>>): readonly Content[] {
  if (name === "test_simple_prompt") return [text("This is a simple prompt for testing.")];
  if (name === "test_prompt_with_arguments")
    return [text(`Prompt with arguments: arg1='${given["arg1"]}', arg2='${given["arg2"]}'`)];
  if (name === "test_prompt_with_image") return [image, text("Please analyze the image above.")];
  const resource = embedded(
    given["resourceUri"] ?? "",
    "text/plain",
    "Embedded resource content for testing.",
  );
  return [resource, text("Please process the embedded resource above.")];
}

function contentsOf(uri: string) {
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: PIXEL };
  if (uri === "test://static-text")
    return { uri, mimeType: "text/plain", text: "This is the content of the static text resource." };
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
  const body = { id, templateTest: true, data: `Data for ID: ${id}` };
  return { uri, mimeType: "application/json", text: JSON.stringify(body) };
}

export function newFixtureServer(): Server {
  const server = new Server(
    { name: "fixtures", version: "1" },
    { capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} } },
  );
  server.setRequestHandler("tools/list", () => ({
    tools: Object.keys(TOOLS).map((name) => ({
      name,
      description: "A fixture",
      inputSchema: name === "json_schema_2020_12_tool" ? ADDRESS_SCHEMA : ({ type: "object" } as const),
    })),
  }));
  server.setRequestHandler("tools/call", ({ params: { name } }) => ({
    content: [...(TOOLS[name] ?? [])],
    ...(name === "test_error_handling" ? { isError: true } : {}),
  }));
  server.setRequestHandler("resources/list", () => ({ resources: RESOURCES }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template" }],
  }));
  server.setRequestHandler("resources/read", ({ params }) => ({ contents: [contentsOf(params.uri)] }));
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.entries(ARGUMENTS).map(([name, names]) => ({
      name,
      description: "A fixture",
      arguments: names.map((argument) => ({ name: argument, description: "Text", required: true })),
    })),
  }));
  server.setRequestHandler("prompts/get", ({ params: { name, arguments: given = {} } }) => ({
    messages: messagesOf(name, given).map((content) => ({ role: "user" as const, content })),
  }));
  server.setRequestHandler("completion/complete", () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
  return server;
}
