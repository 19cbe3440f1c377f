/** The SDK's own clients, unmodified, behind one face: npm 1.x, npm 2.x as it connects by default, and 2.x on the revision without a handshake. */

import * as sdk2 from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { atEnd } from "#test/support/at-end.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests read members of contents freely
export type Content = any;

export type McpClient = ReturnType<typeof faceOf>;

export const CLIENTS = ["npm 1.x", "npm 2.x", "npm 2.x, 2026-07-28"] as const;
export type ClientKind = (typeof CLIENTS)[number];

const INFO = { name: "a test", version: "1" };

export async function connect(
  kind: ClientKind,
  url: string,
  headers: Record<string, string> = {},
): Promise<McpClient> {
  const address = new URL("/v1/mcp/", url);
  const requestInit = { headers };
  if (kind === "npm 1.x") {
    const client = new Client(INFO);
    // biome-ignore lint/suspicious/noExplicitAny: its optional session id is not exact
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit }) as any);
    return faceOf(client as unknown as SomeClient);
  }
  const versionNegotiation = { mode: kind === "npm 2.x" ? "legacy" : { pin: "2026-07-28" } } as const;
  const client = new sdk2.Client(INFO, { versionNegotiation });
  await client.connect(new sdk2.StreamableHTTPClientTransport(address, { requestInit }));
  return faceOf(client as unknown as SomeClient);
}

interface SomeClient {
  listTools(): Promise<{ tools: { name: string; description?: string }[] }>;
  callTool(
    params: object,
  ): Promise<{ isError?: boolean; content: { text: string }[]; structuredContent: unknown }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: object): Promise<{ contents: { mimeType?: string; text: string }[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: object): Promise<{ messages: { content: { text: string } }[] }>;
  close(): Promise<void>;
}

/** It is closed with the test file. */
function faceOf(client: SomeClient) {
  atEnd(() => client.close());
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name: string, given: Record<string, unknown> = {}) => {
      const {
        isError = false,
        content,
        structuredContent,
      } = await client.callTool({ name, arguments: given });
      return {
        isError,
        text: content.map(({ text }) => text).join("\n"),
        content: structuredContent as Content,
      };
    },
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    read: async (uri: string) => {
      const [first] = (await client.readResource({ uri })).contents;
      if (first === undefined) throw new Error(`${uri} has no contents`);
      return first;
    },
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name: string, given: Record<string, string>) => {
      const { messages } = await client.getPrompt({ name, arguments: given });
      return messages.map(({ content }) => content.text).join("\n");
    },
  };
}
