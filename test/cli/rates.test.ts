/** The commands about rates on a real server over HTTP: digits as sent, files whole, refusals with what to do. */

import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { newClient } from "#cli/client.ts";
import { fileSink } from "#cli/download.ts";
import { eventsOf } from "#cli/stream.ts";
import { captured } from "#test/commands/captured.ts";
import { runCommand, runInProcess, startCommand, until } from "#test/commands/process.ts";
import { startNewDemo } from "#test/docs/lake-demo.ts";
import { listen } from "#test/support/listen.ts";
import { tcpWayTo } from "#test/support/tcp-way.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { onTerminal, terminalPython } from "./pseudo-terminal.ts";

const demo = await startNewDemo();
const environment = {
  CROSSRATE_URL: demo.url,
  CROSSRATE_API_KEY: demo.key,
  XDG_CONFIG_HOME: temporaryDirectory(),
};

const run = (line: string, changes: Record<string, string> = {}) =>
  runInProcess(line.split(" "), { ...environment, ...changes });

/** A way to the demo that is cut after so many bytes of its answers, connection by connection. */
async function cutting(...bytes: readonly number[]) {
  const way = await tcpWayTo(Number(new URL(demo.url).port));
  way.cutAfter(...bytes);
  return { ...way, url: `http://127.0.0.1:${way.port}` };
}

const served = async (path: string) => await (await demo.ask(path)).text();

const YEAR = "start_date=2024-01-01&end_date=2024-12-31";
const JANUARY = "start_date=2024-01-01&end_date=2024-01-31";

test("a server on this machine is asked without the proxy of the environment", async () => {
  for (const name of ["NO_PROXY", "no_proxy"]) {
    const proxied = { ...environment, HTTP_PROXY: "http://127.0.0.1:9", [name]: "rates.example.com" };
    const { code, err } = await runCommand(["latest", "USD", "EUR"], proxied);
    expect({ code, err }).toEqual({ code: 0, err: "" });
  }
});

describe("--json prints the bytes of the server", () => {
  test.each([
    ["latest EUR USD,JPY --json", "/v1/latest?base=EUR&symbols=USD,JPY"],
    ["latest EUR/USD --json", "/v1/latest?base=EUR&symbols=USD"],
    ["latest usd-eur,jpy --json", "/v1/latest?base=USD&symbols=EUR,JPY"],
    ["history 2024-12-28 EUR CHF --json", "/v1/2024-12-28?base=EUR&symbols=CHF"],
    ["history EURCHF 2024-12-28 --json", "/v1/2024-12-28?base=EUR&symbols=CHF"],
    ["convert 100 USD/EUR 2024-03-01 --json", "/v1/convert/USD/EUR?amount=100&date=2024-03-01"],
    ["range eurusd 2024-01-01 2024-01-31 --json", `/v1/range?symbols=USD&base=EUR&${JANUARY}`],
    ["fluctuation USD/EUR 2024-01-01 2024-12-31 --json", `/v1/fluctuation?base=USD&symbols=EUR&${YEAR}`],
    ["average USD/EUR 2024-01-01 2024-12-31 --json", `/v1/average?base=USD&symbols=EUR&${YEAR}`],
    ["convert 100 USD EUR --on 2024-03-01 --json", "/v1/convert/USD/EUR?amount=100&date=2024-03-01"],
    ["range USD EUR 2024-01-01 2024-01-31 --json", `/v1/range?symbols=EUR&base=USD&${JANUARY}`],
    ["currencies --json", "/v1/currencies"],
    ["official --json", "/v1/official"],
  ])("%s", async (line, path) => {
    const { code, out } = await run(line);
    expect({ code, out }).toEqual({ code: 0, out: `${await served(path)}\n` });
  });

  test("and --csv its CSV, with the ends of lines of a terminal", async () => {
    for (const [line, path] of [
      ["latest EUR USD,JPY --csv", "/v1/latest?base=EUR&symbols=USD,JPY&format=csv"],
      ["history 2024-12-28 EUR CHF --csv", "/v1/2024-12-28?base=EUR&symbols=CHF&format=csv"],
      [
        "fluctuation USD/EUR 2024-01-02 2024-12-31 --csv",
        "/v1/fluctuation?base=USD&symbols=EUR&start_date=2024-01-02&end_date=2024-12-31&format=csv",
      ],
    ] as const)
      expect(await run(line)).toMatchObject({ code: 0, out: (await served(path)).replaceAll("\r\n", "\n") });
  });

  test("of every page of a range, a body a line", async () => {
    const { out } = await run("range USD EUR 2022-01-01 2024-12-31 --json");
    const pages = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(pages.map(({ has_more: more }) => more)).toEqual([true, true, false]);
    const whole = await served(
      "/v1/range?symbols=EUR&base=USD&start_date=2022-01-01&end_date=2024-12-31&format=csv",
    );
    expect(pages.flatMap(({ data }) => data)).toHaveLength(whole.trimEnd().split("\n").length - 1);
  });
});

describe("a table", () => {
  test("of a weekend says that there is no row, and how to fill it", async () => {
    const { code, out } = await run("range USD EUR 2024-01-06 2024-01-07");
    expect(code).toBe(0);
    expect(out).toContain("there is no row; --fill fills days without a publication");
  });
  test("of a range has every row, in one call", async () => {
    const calls = async () => Number((await demo.ask("/v1/currencies")).headers.get("x-ratelimit-remaining"));
    const before = await calls();
    const { out } = await run("range USD EUR,JPY 2020-01-01 2024-12-31");
    // The call itself, and the one that asks how many are left.
    expect(before - (await calls())).toBe(2);
    const days = await served(
      "/v1/range?symbols=EUR,JPY&start_date=2020-01-01&end_date=2024-12-31&format=csv&layout=wide",
    );
    const printed = out.split("\n").filter((line) => /^\d{4}-/.test(line));
    expect(printed.map((line) => line.slice(0, 10))).toEqual(
      days
        .trimEnd()
        .split("\n")
        .slice(1)
        .map((line) => line.slice(0, 10)),
    );
  });

  test("marks a day that is filled from an earlier one, and each rate that is simulated", async () => {
    const { out } = await run("history 2024-12-28 EUR CHF");
    expect(out).toMatch(/^1 EUR on 2024-12-28, filled from the last publication before it\n/);
    const { rates } = JSON.parse(await served("/v1/2024-12-28?base=EUR&symbols=CHF"));
    const row = `CHF +${rates.CHF} +ecb_daily +2024-12-27 \\d\\d:15:00 +simulated\\n`;
    expect(out).toMatch(new RegExp(row));
  });

  test("of weeks has the day of each rate beside the Monday", async () => {
    const { out } = await run("range EUR USD,TWD 2026-03-20 2026-04-13 --interval 1w");
    const rows = out.split("\n").map((line) => line.split(/ {2,}/));
    expect(rows[0]).toEqual(["from", "last", "USD_simulated", "TWD_simulated", "source"]);
    const friday = JSON.parse(await served("/v1/2026-03-20?base=EUR&symbols=USD"));
    expect(rows[1]?.slice(0, 3)).toEqual(["2026-03-16", "2026-03-20", String(friday.rates.USD)]);
  });

  test("of bars and of changes has a row each", async () => {
    const bars = await run("range USD EUR 2026-04-13 2026-04-13 --interval 1m");
    expect(bars.out).toMatch(
      /^start +symbol +open_simulated +high_simulated +low_simulated +close_simulated +mean_simulated +ticks +source\n2026-04-13 16:30:00 +EUR/,
    );
    const changes = await run("range USD EUR 2026-04-01 2026-04-13 --updated-after 2026-01-01T00:00:00Z");
    expect(changes.out).toMatch(/revision +updated_at/);
    const [next, token] = /^next: --updated-after (v1-\S+)$/m.exec(changes.out) ?? [];
    expect(next).toBeDefined();
    const after = await run(`range USD EUR 2026-04-01 2026-04-13 --updated-after ${token}`);
    expect(after.out).toContain(`next: --updated-after ${token}`);
  });

  test("names the currencies that it has no rate of", async () => {
    for (const words of [
      "history 2012-01-03 EUR ISK,USD",
      "average EUR ISK,USD --period 2012",
      "range EUR ISK,USD 2012-01-03 2012-01-04",
    ])
      expect((await run(words)).out).toContain("\nno rate: ISK\n");
  });

  test("of a mean says which days count, and whether more are to come", async () => {
    const said = async (words: string) => (await run(`average USD EUR --period ${words}`)).out;
    expect(await said("2024 --method calendar")).toContain("2024-12-31, calendar days\n");
    expect(await said("2026")).toContain("not complete: figures are still to come");
    expect((await run("average USD EUR --period 2024 2024-01-01")).err).toContain(
      "--period or days, not both",
    );
  });
});

describe("a conversion", () => {
  test.each([
    "convert 100 USD EUR --on 2024-03-01",
    "convert USD EUR 100 --on 2024-03-01",
    "convert 100 usd to eur --on=2024-03-01",
  ])("is understood as people type it: %s", async (line) => {
    const { rate, converted } = JSON.parse(await served("/v1/convert/USD/EUR/100?date=2024-03-01"));
    const { code, out } = await run(line);
    expect(code).toBe(0);
    expect(out).toMatch(/^100 USD at the rate of 2024-03-01\n/);
    expect(out).toMatch(
      new RegExp(`\\nEUR +${converted} +${Number(converted).toFixed(2)} +${rate} +ecb_daily`),
    );
  });

  test("at a day that is filled says so, and its CSV names what is simulated", async () => {
    const line = "convert 100 EUR CHF --on 2024-12-28";
    expect((await run(line)).out).toContain("at the rate of 2024-12-28, filled from an earlier day\n");
    expect((await run(`${line} --csv`)).out).toStartWith(
      "from,to,amount,rate_simulated,converted_simulated,",
    );
  });

  test("with separators or two amounts is refused before anything is sent", async () => {
    for (const line of ["convert 1,000 USD EUR", "convert 1 2 USD EUR", "convert 100 USD"])
      expect(await run(line, { CROSSRATE_URL: "http://127.0.0.1:9" })).toMatchObject({ code: 2, out: "" });
  });
});

/** A body that breaks off behind a text. */
function cutBehind(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      await Bun.sleep(50);
      controller.error("cut");
    },
  });
}

describe("a file", () => {
  const query = "/v1/range?symbols=*&base=EUR&start_date=1999-01-04&end_date=2026-04-13";

  test.each(["csv", "parquet", "ndjson", "arrow"])(
    "%s has the bytes of the server, and no other file is left",
    async (format) => {
      const folder = temporaryDirectory();
      const out = join(folder, `eur.${format}`);
      const { code, out: said } = await run(`range EUR * 2024-01-01 2024-12-31 -o ${out}`);
      expect(code).toBe(0);
      expect(said).toMatch(/, SIMULATED rates\n$/);
      const path = `/v1/range?symbols=*&base=EUR&start_date=2024-01-01&end_date=2024-12-31&format=${format}`;
      const answer = await demo.ask(path);
      expect(Buffer.compare(readFileSync(out), Buffer.from(await answer.arrayBuffer()))).toBe(0);
      expect(readdirSync(folder)).toEqual([`eur.${format}`]);
    },
  );

  test("that is cut often is continued where it stopped, as long as bytes come", async () => {
    const whole = await served(`${query}&format=csv`);
    const out = join(temporaryDirectory(), "eur.csv");
    const proxy = await cutting(300_000, 200_000, 150_000, 150_000, 150_000, 150_000, 150_000);
    const { code, err } = await run(`range EUR * 1999-01-04 2026-04-13 -o ${out} --url ${proxy.url}`);
    expect(code).toBe(0);
    expect(err.match(/cut at .*; it is continued/g)).toHaveLength(7);
    expect(proxy.asked()).toHaveLength(8);
    for (const [nth, request] of proxy.asked().entries())
      expect([/^range: bytes=\d+-\r$/im.test(request), /^if-range: "/im.test(request)]).toEqual([
        nth > 0,
        nth > 0,
      ]);
    expect(readFileSync(out, "utf8")).toBe(whole);
  });

  test("that is cut behind its last byte is whole", async () => {
    const headers = { etag: '"1"', "content-type": "text/csv" };
    const ending = listen(({ headers: sent }) => {
      const range = sent.get("range");
      if (range === null) return new Response(cutBehind("123"), { headers });
      if (range === "bytes=3-") return new Response(null, { status: 416 });
      return new Response("3", { status: 206, headers: { ...headers, "content-range": "bytes 2-2/3" } });
    });
    const out = join(temporaryDirectory(), "rates.csv");
    expect((await run(`range EUR * 2024-01-01 2024-01-31 --url ${ending.url} -o ${out}`)).code).toBe(0);
    expect(readFileSync(out, "utf8")).toBe("123");
  });

  test("of standard output is continued too", async () => {
    const whole = await served(`${query}&format=csv`);
    const proxy = await cutting(400_000);
    const { code, out } = await run(`range EUR * 1999-01-04 2026-04-13 --csv --url ${proxy.url}`);
    expect({ code, isWhole: out === whole }).toEqual({ code: 0, isWhole: true });
  });

  test("that begins again at each cut is given up when no more of it comes than before", async () => {
    let asked = 0;
    const headers = { "content-type": "text/csv" };
    const ending = listen(() => {
      asked += 1;
      return new Response(asked > 50 ? "123" : cutBehind(asked % 2 === 0 ? "1" : "12"), { headers });
    });
    const out = join(temporaryDirectory(), "rates.csv");
    const { code, err } = await run(`range EUR * 2024-01-01 2024-01-31 --url ${ending.url} -o ${out}`);
    expect([code, err, asked]).toEqual([4, expect.stringContaining("the download breaks off"), 6]);
  });

  test("whose download fails leaves the old one, and nothing else", async () => {
    const folder = temporaryDirectory();
    const out = join(folder, "rates.csv");
    await Bun.write(out, "old");
    const proxy = await cutting(500_000, 0, 0, 0, 0, 0, 0);
    const { code, err } = await run(`range EUR * 1999-01-04 2026-04-13 --url ${proxy.url} -o ${out}`);
    expect([code, err]).toEqual([4, expect.stringContaining("the download breaks off")]);
    expect([readFileSync(out, "utf8"), readdirSync(folder)]).toEqual(["old", ["rates.csv"]]);
  });

  test("that changes while it comes begins again", async () => {
    const headers = (etag: string) => ({ etag, "content-type": "text/csv" });
    let asked = 0;
    const changing = listen(() => {
      asked += 1;
      if (asked === 1) return new Response(cutBehind("111"), { headers: headers('"1"') });
      return new Response("22", { headers: headers('"2"') });
    });
    const out = join(temporaryDirectory(), "rates.csv");
    const command = `range EUR * 2024-01-01 2024-01-31 --url ${changing.url}`;
    expect((await run(`${command} -o ${out}`)).code).toBe(0);
    expect(readFileSync(out, "utf8")).toBe("22");
    // What is printed cannot be taken back: two versions must not be mixed.
    asked = 0;
    const printed = await run(`${command} --csv`);
    expect(printed).toMatchObject({ code: 4, out: "111" });
    expect(printed.err).toContain("the file was replaced while it was sent; run the command again");
  });

  test("that a link names takes the bytes, and the link stays; a folder is refused", async () => {
    const folder = temporaryDirectory();
    const [file, link] = [join(folder, "rates.csv"), join(folder, "link.csv")];
    await Bun.write(file, "old");
    symlinkSync(file, link);
    const command = "range USD EUR 2024-01-02 2024-01-05 --format csv -o";
    expect((await run(`${command} ${link}`)).code).toBe(0);
    expect([readlinkSync(link), readFileSync(file, "utf8")]).toEqual([
      file,
      expect.stringContaining("2024-01-05"),
    ]);
    const refused = await run(`${command} ${folder}`);
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("a file is needed")]);
  });

  test("that has other bytes than the server's digest says is not kept", async () => {
    const folder = temporaryDirectory();
    const digest = `sha-256=:${new Bun.CryptoHasher("sha256").update("123").digest("base64")}:`;
    for (const [body, code, kept] of [
      ["124", 4, []],
      ["123", 0, ["rates.csv"]],
    ] as const) {
      const server = listen(() => new Response(body, { headers: { "repr-digest": digest } }));
      const said = await run(
        `range EUR * 2024-01-01 2024-01-31 --url ${server.url} -o ${join(folder, "rates.csv")}`,
      );
      expect([said.code, readdirSync(folder)]).toEqual([code, [...kept]]);
      expect(said.err.includes("not those of the server's digest")).toBe(code === 4);
    }
  });
});

test("two commands that write one file at once share no byte of it", async () => {
  const out = join(temporaryDirectory(), "rates.csv");
  const bytes = (text: string) => new TextEncoder().encode(text);
  const [first, second] = [await fileSink(out), await fileSink(out)];
  await first.append(bytes("11"));
  await second.append(bytes("2"));
  await first.append(bytes("1"));
  await first.finish();
  await second.append(bytes("2"));
  expect(readFileSync(out, "utf8")).toBe("111");
  await second.finish();
  expect(readFileSync(out, "utf8")).toBe("22");
  for (const sink of [first, second]) await sink.close();
  expect(readdirSync(dirname(out))).toEqual(["rates.csv"]);
});

describe("what fails says why and what to do, and has its own exit code", () => {
  test.each([
    ["latest GBp", {}, 2, /pence are not served; write GBP or gbp/],
    ["convert 5 USD GBp", {}, 2, /pence are not served; write GBP or gbp/],
    ["latest XXX", {}, 2, /Unknown currency XXX; crossrate currencies lists/],
    ["latest USD/EUX", {}, 2, /Unknown currency EUX\. Did you mean EUR\?/],
    ["latest USD yen", {}, 2, /Unknown currency yen\. Did you mean JPY\?/],
    ["convert 5 franc EUR", {}, 2, /Unknown currency franc\. Did you mean CHF\?/],
    ["latest USD EUR/GBP", {}, 2, /EUR\/GBP: name one pair/],
    ["latest EUR,GBP", {}, 2, /name the base first/],
    ["range USD EUR 2024-02-01 2024-01-01", {}, 2, /is after/],
    ["range USD EUR 2024-01-01", {}, 2, /name a first and a last day/],
    ["history 2024-02-30", {}, 2, /name a calendar day/],
    ["latest --jsn", {}, 2, /unknown option '--jsn' \(Did you mean --json\?\)\nusage: crossrate latest /],
    ["latest", { CROSSRATE_URL: "rates.example.org" }, 2, /CROSSRATE_URL=rates\.example\.org: an address/],
    ["history 1998-01-01", {}, 3, /no_data_for_date, HTTP 404\)\n {2}request \S+/],
    [
      "latest",
      { CROSSRATE_API_KEY: "fxk_wrong" },
      3,
      /invalid_api_key, HTTP 401\)\n {2}the key is that of CROSSRATE_API_KEY/,
    ],
    ["history 2015-01-15", { CROSSRATE_API_KEY: "" }, 3, /plan_gated, HTTP 403/],
    ["official mex nothing", {}, 3, /not_found, HTTP 404/],
    ["latest", { CROSSRATE_URL: "http://127.0.0.1:9" }, 4, /nothing listens there\n {2}crossrate doctor/],
  ] as const)("%s %p: %p", async (line, changes, code, said) => {
    const answer = await run(line, changes);
    expect({ code: answer.code, out: answer.out }).toEqual({ code, out: "" });
    expect(answer.err).toMatch(said);
  });

  test("a limit says when the server takes the request again", async () => {
    let answer = await run("latest USD EUR", { CROSSRATE_API_KEY: "" });
    for (let call = 0; call < 13 && answer.code === 0; call++)
      answer = await run("latest USD EUR", { CROSSRATE_API_KEY: "" });
    expect(answer.code).toBe(5);
    expect(answer.err).toMatch(
      /rate_limited, HTTP 429\)\n {2}the server takes it again in \d+ (s|min), at \d{4}-.* UTC/,
    );
  });
});

/** The events that a client reads of a server, its waits in seconds, and what it says of them. */
function streamOf(url: string) {
  const controller = new AbortController();
  const [waits, lost]: [number[], string[]] = [[], []];
  const { terminal } = captured().context();
  const { signal } = controller;
  const clock = {
    now: Date.now,
    sleep: async (milliseconds: number) => void waits.push(milliseconds / 1000),
  };
  const server = { url, chosenBy: "--url", key: demo.key, keyFrom: null, login: null } as const;
  const client = newClient(server, { version: "test", clock, signal, terminal });
  const parts = { signal, clock, lost: (line: string) => void lost.push(line) };
  const events = eventsOf(client, "/v1/stream", { symbols: "EUR" }, parts);
  return { events, waits, lost, abort: () => controller.abort() };
}

test("a stream that is cut is continued from its last event", async () => {
  const proxy = await cutting();
  const { events, lost, abort } = streamOf(proxy.url);
  expect(await events.next()).toMatchObject({ value: { event: "snapshot" } });
  const next = events.next();
  proxy.cutOpen("ended");
  await until(
    async () => proxy.asked()[1] ?? "",
    (request) => request.includes("\r\n\r\n"),
  );
  expect(proxy.asked()[1]).toMatch(/^last-event-id: [0-9a-f]+-[0-9a-f]+\r$/im);
  expect(lost).toEqual([expect.stringMatching(/connecting again in 3 s$/)]);
  abort();
  await expect(next).rejects.toThrow();
});

test("a stream waits as long as the server says, longer after each refusal that passes, and ends at one that does not", async () => {
  const refusal = (status: number, headers = {}) =>
    Response.json({ result: "error", code: "a_code", message: "no" }, { status, headers });
  const answers = [
    new Response('retry: 7000\nid: one\nevent: rates\ndata: {"nth":1}\n\n'),
    refusal(503),
    refusal(429, { "retry-after": "40" }),
    // An event without an id leaves the last one in force.
    new Response('event: rates\ndata: {"nth":2}\n\n'),
    refusal(502),
    refusal(401),
  ];
  const asked: (string | null)[] = [];
  const { url } = listen((request) => {
    asked.push(request.headers.get("last-event-id"));
    if (asked.length > answers.length) abort();
    return answers[asked.length - 1] ?? refusal(500);
  });
  const { events, waits, abort } = streamOf(url);
  const seen: string[] = [];
  const follow = async () => {
    for await (const { data } of events) seen.push(data);
  };
  await expect(follow()).rejects.toMatchObject({ status: 401 });
  expect(seen).toEqual(['{"nth":1}', '{"nth":2}']);
  expect(waits).toEqual([7, 14, 40, 3, 6]);
  expect(asked).toEqual([null, "one", "one", "one", "one", "one"]);
});

test("a stream that is piped is a line of JSON an event, and Ctrl-C ends it", async () => {
  const command = startCommand(["stream", "USD", "EUR"], environment);
  const [line] = await command.until("out", /.*\n/);
  expect(JSON.parse(line)).toMatchObject({
    event: "snapshot",
    base: "USD",
    rates: { EUR: expect.any(Number) },
  });
  expect(await command.end("SIGINT")).toBe(130);
});

describe.skipIf(terminalPython === null)("on a terminal", () => {
  const ESCAPE = "\x1b[";

  test("tables have colours, unless NO_COLOR is set, and fit its width", async () => {
    const { shown } = await onTerminal(["latest", "USD", "EUR"], environment);
    expect(shown).toContain(`${ESCAPE}1mEUR${ESCAPE}0m`);
    const plain = await onTerminal(
      ["latest", "USD", "EUR"],
      { ...environment, NO_COLOR: "1" },
      { columns: 50 },
    );
    expect(plain.shown).not.toContain(ESCAPE);
    const lines = plain.shown.split("\r\n");
    expect(Math.max(...lines.slice(1).map((line) => line.length))).toBeLessThanOrEqual(50);
  });

  test("a download shows its bytes, which are gone at the end", async () => {
    const out = join(temporaryDirectory(), "eur.csv");
    const { shown, code } = await onTerminal(
      ["range", "EUR", "*", "1999-01-04", "2026-04-13", "-o", out],
      environment,
    );
    expect(code).toBe(0);
    expect(shown).toMatch(/\S+eur\.csv( {2}[\d.]+ (bytes|kB|MB)| +[█░]{20} +\d+ %)/);
    expect(shown.split("\r").at(-2)).toEndWith("SIMULATED rates");
  });

  test("a stream is a table that is drawn until Ctrl-C", async () => {
    const dialogue = [["SIMULATED", "\x03"]] as const;
    const { shown, code } = await onTerminal(["stream", "USD", "EUR"], environment, { dialogue });
    expect(code).toBe(130);
    expect(shown).toMatch(/1 USD.*market open[\s\S]*EUR/);
    expect(shown).not.toContain('{"event"');
  });

  test("a change of one currency replaces all that is known of it, and nothing of the others", async () => {
    const at = "2026-04-13T16:30:00Z";
    const facts = { base: "USD", timestamp: at, market_session: "open", notice: "Indicative." };
    const snapshot = {
      ...{ ...facts, rates: { JPY: 150.5, EUR: 0.95 }, sources: { JPY: "fred_daily", EUR: "live" } },
      ...{ effective_at: { JPY: at, EUR: at }, stale: { JPY: true, EUR: false }, derived_symbols: ["JPY"] },
      simulated: { JPY: true, EUR: true },
    };
    const change = {
      ...{ ...facts, rates: { EUR: 0.96 }, sources: { EUR: "live" }, effective_at: { EUR: at } },
      ...{ stale: { EUR: false }, derived_symbols: [] },
    };
    const events = [
      `event: snapshot\ndata: ${JSON.stringify(snapshot)}`,
      `event: rates\ndata: ${JSON.stringify(change)}`,
    ];
    const server = listen(() => new Response(`${events.join("\n\n")}\n\n`));
    const { shown } = await onTerminal(
      ["stream", "USD", "*"],
      { ...environment, CROSSRATE_URL: server.url, NO_COLOR: "1" },
      { columns: 120, dialogue: [["0.96", "\x03"]] },
    );
    const drawn = shown.slice(shown.lastIndexOf("1 USD"));
    expect(drawn).toMatch(/JPY +150\.5 +· +fred_daily .*derived, stale, simulated/);
    expect(drawn).toMatch(/EUR +0\.96 .* live /);
    expect(drawn).not.toMatch(/EUR .*simulated/);
  });
});
