/** The SDK's clients and that of PyPI list and call everything; what they get are the figures of REST, to the last digit. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { TOOLS } from "#mcp/server.ts";
import { sampleApp } from "#test/api/sample-world.ts";
import { ended } from "#test/clients/process.ts";
import { listen } from "#test/support/listen.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { SAMPLE_CALLS, type SampleToolCall } from "./calls.ts";
import { CLIENTS, connect } from "./clients.ts";

const { url } = listen(sampleApp().answer);

async function restBody({ rest, body }: SampleToolCall): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const init = body === undefined ? {} : { method: "POST", headers, body };
  const answer = await fetch(`${url}${rest}`, init);
  expect(`${rest} ${answer.status}`).toBe(`${rest} 200`);
  return await answer.json();
}

for (const kind of CLIENTS) {
  describe(kind, async () => {
    const client = await connect(kind, url);
    // Their validators of the output are made from this list.
    await client.tools();

    test("lists every tool, each of them called below", async () => {
      const names = (await client.tools()).map(({ name }) => name);
      expect(names).toEqual(TOOLS.map(({ name }) => name));
      expect(new Set(SAMPLE_CALLS.map(({ tool }) => tool))).toEqual(new Set(names));
    });

    for (const call of SAMPLE_CALLS) {
      const { tool, given, adds, says } = call;
      test(`${tool} ${JSON.stringify(given)} has the body of its REST call`, async () => {
        const { isError, text, content } = await client.call(tool, given);
        expect([isError, content.result]).toEqual([false, "success"]);
        for (const words of says) expect(text).toContain(words);
        if (adds === undefined) expect(content).toEqual(await restBody(call));
        if (adds === "rounded") expect(content).toMatchObject((await restBody(call)) as object);
      });
    }

    test("a refusal is a tool error with the code, the message and what REST's headers say", async () => {
      const { isError, text, content } = await client.call("get_rate", { base: "USD", quote: "XYZ" });
      expect(isError).toBe(true);
      expect(content).toMatchObject({ result: "error", code: "invalid_pair", status: 400 });
      expect(text).toStartWith("invalid_pair: unknown or malformed pair");
    });

    test("arguments of another shape are a tool error that names them", async () => {
      const { isError, content } = await client.call("convert", { from: "USD", too: "EUR", amount: 1 });
      expect([isError, content.code]).toEqual([true, "invalid_request"]);
      expect(content.message).toContain("to: is missing");
      expect(content.message).toContain("too: is none of the documented members");
    });

    test("an unknown tool is an error of the protocol", async () => {
      await expect(client.call("get_weather")).rejects.toThrow("no such tool: get_weather");
    });

    test("lists and reads every resource", async () => {
      const uris = await client.resources();
      expect(uris).toContain("crossrate://official/MEX/fix");
      expect(uris).toContain("crossrate://docs/limits");
      for (const uri of uris) {
        const { mimeType, text } = await client.read(uri);
        if (mimeType === "text/markdown") expect(text).toStartWith("# ");
        else expect(JSON.parse(text).result).toBe("success");
      }
      await expect(client.read("crossrate://docs/../security")).rejects.toThrow();
    });

    test("lists the prompts and gets them with their arguments", async () => {
      expect(await client.prompts()).toEqual(["compare_pair", "explain_rate", "watch_official_table"]);
      const period = { base: "USD", quote: "JPY", start_date: "2026-04-01", end_date: "2026-04-13" };
      const text = await client.prompt("compare_pair", period);
      expect(text).toContain("get_fluctuation with base USD, symbols [JPY], start_date 2026-04-01");
      expect(await client.prompt("explain_rate", { base: "USD", quote: "EUR" })).toContain("USD/EUR now");
      await expect(client.prompt("compare_pair", { base: "USD" })).rejects.toThrow("quote is needed");
    });
  });
}

test("the prompts name tools that exist", async () => {
  const client = await connect("npm 2.x", url);
  const given = { base: "USD", quote: "JPY", start_date: "2026-04-01", end_date: "2026-04-13" };
  const more = { country: "MEX", type: "fix", since: "2026-04-01" };
  const texts = [];
  for (const name of await client.prompts()) texts.push(await client.prompt(name, { ...given, ...more }));
  const words = texts.join(" ").match(/\b(?:get|list|search)_\w+/g) ?? [];
  expect(words.length).toBeGreaterThanOrEqual(5);
  for (const word of words) expect(TOOLS.map(({ name }) => name)).toContain(word);
});

const python = optionalPython(["mcp"], "MCP with the client of PyPI");

describe.skipIf(python === null)("PyPI mcp", () => {
  test("lists and calls every tool, and its own validation takes every content, of a refusal too", async () => {
    const refused = { tool: "get_rate", given: { base: "USD", quote: "XYZ" } };
    const script = join(import.meta.dir, "python_client.py");
    const calls = JSON.stringify([...SAMPLE_CALLS, refused]);
    const address = `${url}/v1/mcp/`;
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
