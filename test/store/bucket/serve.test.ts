/** `serve` with LAKE_URL as an operator meets it: a collector, a replica with a copy of its own, an outage, commands, other engines. */

import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { startSimulator } from "#demo/simulator.ts";
import { sha256 } from "#domain/chain/entry.ts";
import { openBucketClient } from "#store/bucket/client.ts";
import { newSigningKey } from "#test/api/sample-chain.ts";
import { type Process, runInProcess, startServe, until } from "#test/commands/process.ts";
import { optionalPython } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { bucketBehind, CREDENTIALS, MOTO, motoBucket } from "./storage-server.ts";

setDefaultTimeout(120_000);

const READERS = optionalPython(["deltalake", "polars", "pandas"], "other engines on a lake in a bucket");

const running: Process[] = [];
afterAll(async () => {
  for (const one of running) await one.end("SIGKILL");
});

// biome-ignore lint/suspicious/noExplicitAny: bodies are read freely here; their shapes are held in test/api
const json = async (url: string): Promise<any> => await (await fetch(url)).json();

interface DeltaAnswer {
  readonly version: number;
  readonly date: string;
  readonly figures: Readonly<Record<string, number>>;
  readonly rows: number;
  readonly polars: number;
}

describe.skipIf(MOTO === null)("serve with LAKE_URL", () => {
  test("a collector and a replica serve one lake, through an outage; commands and other engines read it", async () => {
    let now = "1999-09-14T16:30:00Z";
    const simulator = await startSimulator({ now: () => Date.parse(now) });
    const { place, way } = await bucketBehind(motoBucket);
    const { privateKey } = newSigningKey();
    const signingKey = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
    const lake = { LAKE_URL: `s3://${place.bucket}/fx`, ...CREDENTIALS };
    const quiet = { LIVE_FEED: "off", OFFICIAL_TABLES: "off", UPSTREAM_BASE: simulator.base };
    const settings = () => ({ NOW: now, ...lake, ...quiet });
    const collect = async (DATA_DIR: string) => {
      const one = await startServe({
        ...{ ...settings(), DATA_DIR, AWS_ENDPOINT_URL: place.endpoint },
        LAKE_SIGNING_KEY: signingKey,
      });
      running.push(one);
      await until(
        () => json(`${one.url}/status`),
        (status) => status.status === "ready",
      );
      return one;
    };
    const pageOf = async (one: Process) => {
      const status = await json(`${one.url}/status`);
      const date: string = status.checks.daily.ecb_daily.newest_date;
      const { rates } = await json(`${one.url}/v1/${date}?base=EUR`);
      return { date, rates: rates as Record<string, number> };
    };
    const newest = async () => {
      const entries = await openBucketClient(place).list("fx/daily/_delta_log/0");
      return Number(/(\d{20})\.json$/.exec(entries.at(-1)?.key ?? "")?.[1]);
    };

    // The collector's machine is lost after its first day; another one goes on with an empty directory.
    const first = await collect(temporaryDirectory());
    const oldPage = await pageOf(first);
    expect(await first.end("SIGTERM")).toBe(0);
    const oldVersion = await newest();
    now = "1999-09-15T16:30:00Z";
    const dataDir = temporaryDirectory();
    const collector = await collect(dataDir);
    const page = await pageOf(collector);
    expect(oldPage.date).toBe("1999-09-14");
    expect(page.date).toBe("1999-09-15");

    const replica = await startServe({
      ...{ ...settings(), DATA_DIR: temporaryDirectory(), AWS_ENDPOINT_URL_S3: way.endpoint, ROLE: "api" },
      UPSTREAM_BASE: "http://127.0.0.1:9",
    });
    running.push(replica);
    expect(await pageOf(replica)).toEqual(page);
    const manifest = await json(`${replica.url}/v1/lake/manifest.json`);
    expect(manifest).toEqual(await json(`${collector.url}/v1/lake/manifest.json`));
    const file = await fetch(`${replica.url}/v1/lake/${manifest.files[0].path}`);
    expect(sha256(await file.bytes())).toBe(manifest.files[0].sha256);

    const chain = await json(`${collector.url}/v1/lake/chain`);
    await until(
      () => json(`${replica.url}/v1/lake/chain`),
      ({ head }) => head.sequence === chain.head.sequence,
    );
    expect(await json(`${replica.url}/v1/lake/chain`)).toEqual(chain);

    way.decide(() => "gone");
    const status = await until(
      () => json(`${replica.url}/status`),
      ({ checks }) => checks.lake.detail !== null,
    );
    expect(status.status).toBe("degraded");
    expect(status.checks.lake.status).toBe("ok");
    expect(status.checks.lake.detail).toMatch(/^s3:\/\/\S+\/fx last answered \d+ s ago/);
    expect(await pageOf(replica)).toEqual(page);
    way.decide(() => "pass");
    await until(
      () => json(`${replica.url}/status`),
      ({ checks }) => checks.lake.detail === null,
    );

    const environment = { ...settings(), DATA_DIR: temporaryDirectory(), AWS_ENDPOINT_URL: place.endpoint };
    const verified = await runInProcess(["verify"], environment);
    expect(verified.out).toMatch(/^daily .*, intact$/m);
    expect(verified.out).toMatch(/^history {4}\d+ entries up to .*, as it was signed$/m);
    expect(verified.code).toBe(0);
    const head = await runInProcess(["verify", "head"], environment);
    const kept = join(temporaryDirectory(), "head.json");
    await Bun.write(kept, head.out);
    expect(JSON.parse(head.out)).toEqual(chain.head);
    expect((await runInProcess(["verify", "--against", kept], environment)).code).toBe(0);
    const out = join(temporaryDirectory(), "usd.csv");
    const command = ["export", "EUR", "USD", oldPage.date, page.date, "--out", out];
    expect(await runInProcess(command, environment)).toMatchObject({ code: 0 });
    expect(await Bun.file(out).text()).toContain(page.date);
    expect((await runInProcess(["compact"], environment)).code).toBe(0);
    // Commits of a command on a machine without the key: the collector signs them.
    await until(
      async () => (await runInProcess(["verify"], environment)).out,
      (out) => !out.includes("no entry yet"),
    );
    expect((await runInProcess(["verify", "--against", kept], environment)).code).toBe(0);
    const repaired = await runInProcess(["repair"], environment);
    expect(repaired.code).not.toBe(0);
    expect(repaired.err).toContain("a lake in a bucket is repaired in a directory");
    const hidden = await runInProcess(["verify"], { ...environment, LAKE_URL: "s3://no.dots" });
    expect(hidden.err).toContain("LAKE_URL=s3://no.dots: s3://bucket or s3://bucket/prefix is needed");

    if (READERS !== null) {
      const options = { ...CREDENTIALS, AWS_ENDPOINT_URL: place.endpoint, AWS_ALLOW_HTTP: "true" };
      const question = JSON.stringify([`s3://${place.bucket}/fx/daily`, options, oldVersion, await newest()]);
      const reader = join(import.meta.dir, "delta-reader.py");
      const { stdout, exitCode, stderr } = Bun.spawnSync([READERS, reader, question]);
      expect(`${exitCode} ${exitCode === 0 ? "" : stderr}`).toBe("0 ");
      const answers = JSON.parse(stdout.toString()) as readonly DeltaAnswer[];
      for (const [at, wanted] of [oldPage, page].entries()) {
        const { date, figures, rows, polars } = answers[at] as DeltaAnswer;
        expect(date).toBe(wanted.date);
        expect(Object.keys(figures).length).toBeGreaterThan(10);
        const served = Object.fromEntries(Object.keys(figures).map((quote) => [quote, wanted.rates[quote]]));
        expect(served).toEqual(figures);
        expect(polars).toBe(rows);
      }
      expect((answers[1] as DeltaAnswer).rows).toBeGreaterThan((answers[0] as DeltaAnswer).rows);
    }
    expect(await collector.end("SIGTERM")).toBe(0);
    expect(await replica.end("SIGTERM")).toBe(0);
    await simulator.stop();
  });
});
