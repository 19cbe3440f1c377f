import { expect, test } from "bun:test";
import { join, resolve } from "node:path";
import { openStreamFixture } from "#test/api/stream/streaming.ts";
import { browser, inBrowser } from "#test/support/browser.ts";
import { listen } from "#test/support/listen.ts";

const ENTRY = join(resolve(import.meta.dir, "../../.."), "clients/typescript/src/crossrate.ts");

/** Text of a program for the page: it has no access to what is around it here. */
const calls = (url: string) => `(async () => {
  const { Crossrate, isGenuineWebhook } = await import("/client.js");
  const crossrate = new Crossrate({ url: ${JSON.stringify(url)} });
  const events = [];
  for await (const { event, data } of crossrate.stream({ symbols: "EUR" })) {
    events.push([event, data.rates.EUR]);
    break;
  }
  const refused = await crossrate.latest({ base: "XXX" }).catch((fault) => fault);
  const window = { symbols: ["EUR"], start_date: "2026-04-01", end_date: "2026-04-10" };
  const secret = "whsec_0123456789ABCDEFGHIJKLMNOPQRSTUV";
  const signature = "t=0,v1=f762e327176314985aedc3630da634498817b71acd4eb5e28af8791dcd1e2216";
  return {
    latest: (await crossrate.latest({ symbols: "EUR" })).rates.EUR,
    converted: (await crossrate.convertBatch("USD", [["EUR", 5]])).conversions[0].converted,
    file: (await (await crossrate.rangeFile({ ...window, format: "csv" })).text()).split("\\n")[0],
    refused: [refused.name, refused.code, refused.status, refused.requestId],
    events,
    genuine: await isGenuineWebhook({ body: "", signature, secret, now: 0 }),
  };
})()`;

inBrowser("the TypeScript client", () => {
  const fixture = openStreamFixture();
  test("calls, streams, files, refusals and webhooks work in a page of another origin", async () => {
    await fixture.publish({ EUR: "0.8560" });
    const built = await Bun.build({ entrypoints: [ENTRY], target: "browser" });
    const script = await built.outputs[0]?.text();
    const { url: site } = listen((request) =>
      request.url.endsWith("/client.js")
        ? new Response(script, { headers: { "Content-Type": "text/javascript" } })
        : new Response("<!doctype html><title>A page</title>", { headers: { "Content-Type": "text/html" } }),
    );
    const page = await browser.newPage();
    await page.goto(site);
    expect(await page.evaluate(calls(`${listen(fixture.answer).url}/`))).toEqual({
      latest: 0.856,
      converted: 4.28,
      file: "date,base,symbol,rate,source,is_forward_filled,derived,derivation_bps_max",
      refused: ["CrossrateError", "unsupported_base", 400, expect.stringMatching(/^[\w-]{4,}$/)],
      events: [["snapshot", 0.856]],
      genuine: true,
    });
  });
});
