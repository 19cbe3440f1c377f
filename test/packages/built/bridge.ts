/** A bridge of another project, unmodified: it lists the tools of /v1/mcp/ and forwards calls from standard input and output. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { TOOLS } from "#mcp/server.ts";
import { binaryPath } from "./made.ts";
import { NPM_SETTINGS } from "./npx.ts";
import { type Step, startedDemo } from "./step.ts";

const BRIDGE = "mcp-remote@0.15.1";

export const BRIDGE_STEPS: readonly Step[] = [
  {
    what: `${BRIDGE} lists the tools of /v1/mcp/ and forwards calls`,
    run: async (folder) => {
      const [cwd, home] = [join(folder, "bridge"), join(folder, "bridge-home")];
      for (const path of [cwd, home]) mkdirSync(path, { recursive: true });
      const demo = await startedDemo([binaryPath()], { cwd, env: { HOME: home } });
      const client = new Client({ name: "check", version: "1" });
      try {
        const env = { HOME: home, PATH: process.env["PATH"] ?? "", ...NPM_SETTINGS };
        const args = ["-y", BRIDGE, `${demo.url}/v1/mcp/`, "--allow-http", "--transport", "http-only"];
        await client.connect(new StdioClientTransport({ command: "npx", args, cwd, env, stderr: "ignore" }));
        const { tools } = await client.listTools();
        const [names, expected] = [tools, TOOLS].map((list) => list.map(({ name }) => name).join());
        if (names !== expected) throw new Error(`it lists ${names}`);
        const asked = { name: "convert", arguments: { amount: "100", from: "USD", to: "JPY" } };
        const { isError, structuredContent } = await client.callTool(asked);
        if (isError === true) throw new Error(JSON.stringify(structuredContent));
        const refused = await client.callTool({ name: "get_rate", arguments: { pair: "usd-xyz" } });
        if (refused.isError !== true) throw new Error("a refusal arrives as a result");
        return `${tools.length} tools`;
      } finally {
        await client.close();
        await demo.end();
      }
    },
  },
];
