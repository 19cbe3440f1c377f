/** The client of PyPI lists and calls everything. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { TOOLS } from "#mcp/server.ts";
import { sampleApp } from "#test/api/sample-world.ts";
import { ended } from "#test/clients/process.ts";
import { listen } from "#test/support/listen.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { SAMPLE_CALLS } from "./calls.ts";

const python = optionalPython(["mcp"], "MCP with the client of PyPI");
const server = listen(sampleApp().answer);

describe.skipIf(python === null)("PyPI mcp", () => {
  test("lists and calls every tool, and its own validation takes every content, of a refusal too", async () => {
    const refused = { tool: "get_rate", given: { base: "USD", quote: "XYZ" } };
    const script = join(import.meta.dir, "python_client.py");
    const calls = JSON.stringify([...SAMPLE_CALLS, refused]);
    const address = `${server.url}/v1/mcp/`;
    const { code, out, err } = await ended([python as string, script, address, "-", calls]);
    if (code !== 0) throw new Error(err);
    const got = JSON.parse(out);
    expect(got.tools).toEqual(TOOLS.map(({ name }) => name));
    expect(got.resources).toContain("crossrate://official/MEX/fix");
    expect(got.prompts).toContain("compare_pair");
    expect(JSON.parse(got.read).count).toBe(31);
    SAMPLE_CALLS.forEach(({ tool, says }, nth) => {
      const { isError, text, content } = got.results[nth];
      expect([tool, isError, content.result]).toEqual([tool, false, "success"]);
      for (const words of says) expect(text).toContain(words);
    });
    const { isError, content } = got.results.at(-1);
    expect([isError, content.result, content.code]).toEqual([true, "error", "invalid_pair"]);
  });
});
