import { expect, test } from "bun:test";
import { sampleApp } from "#test/api/sample-world.ts";
import { post } from "#test/metered/client.ts";
import { listen } from "#test/support/listen.ts";
import { damagedMessages } from "./damage.ts";

const server = listen(sampleApp().answer);

const MESSAGES = 1000;
const AT_ONCE = 16;
const PATIENCE_MILLISECONDS = 20_000;
const nextMessage = damagedMessages(20_260_728);

test(`${MESSAGES} damaged messages are each answered, none of them with a fault`, async () => {
  const statuses = new Map<number, number>();
  const one = async () => {
    const { text, headers } = nextMessage();
    const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
    const answer = await fetch(`${server.url}/v1/mcp/`, { ...post(text, headers), signal });
    const body = await answer.text();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (answer.status >= 500) throw new Error(`${answer.status} ${body} to ${text}`);
    if (answer.status === 202) return;
    const parsed = JSON.parse(body);
    // The SDK calls parameters of another shape an internal error; a fault of ours says so.
    if (/our side/.test(parsed.error?.message)) throw new Error(`${body} to ${text}`);
    if (parsed.result?.structuredContent?.code === "internal_error") throw new Error(`${body} to ${text}`);
  };
  for (let done = 0; done < MESSAGES; done += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  // It reached the tools, and it reached the refusals.
  expect([...statuses.keys()].sort()).toEqual(expect.arrayContaining([200, 400]));
  expect(statuses.get(200)).toBeGreaterThan(MESSAGES / 4);
});
