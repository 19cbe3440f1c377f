/** Two collectors of one lake, on real stores: one is paused, killed, cut off, and asked to end; the other goes on. */

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { MOTO } from "#test/store/bucket/storage-server.ts";
import { optionalPostgres } from "#test/store/ledger/engine/postgres.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { until } from "#test/support/until.ts";
import { leaderOf, type Member, openSite, otherThan, type Site, verified } from "./site.ts";
import {
  eventFaults,
  faultsOfQuotes,
  figuresIn,
  publicationsIn,
  type Witness,
  watchReplica,
} from "./witness.ts";

setDefaultTimeout(120_000);

const POSTGRES = optionalPostgres("collectors that take over from each other");
const REDIS = optionalTool("redis-server", "collectors that take over from each other");

describe.skipIf(POSTGRES === null || REDIS === null || MOTO === null)("two collectors", () => {
  let site: Site;
  let witness: Witness;

  beforeAll(async () => {
    site = await openSite(POSTGRES ?? "", REDIS ?? "", { tables: "eue_reference,mex_dof" });
    const [a, b] = site.collectors;
    await a.start();
    await until("the first one collects", async () => (await a.isCollecting()) === true);
    await Promise.all([b.start(), site.replicas[0].start()]);
    witness = watchReplica(site);
    await until("live rates are served", () => witness.newest() > 0);
  });
  afterAll(async () => {
    await witness?.stop();
    await site?.end();
  });

  const leading = async (): Promise<Member> => {
    let leader: Member | null = null;
    await until("one of them collects", async () => {
      leader = await leaderOf(site);
      return leader !== null;
    });
    return leader as unknown as Member;
  };
  const takesOver = async (member: Member) => {
    await until(`${member.name} takes over`, async () => (await member.isCollecting()) === true);
    const before = site.now();
    await until("the replica serves newer live rates", () => witness.newest() > before);
  };

  test("collect in turns: the second one stands by, and answers like a replica", async () => {
    expect((await leading()).name).toBe("a");
    const [, b] = site.collectors;
    expect(await b.isCollecting()).toBe(false);
    await until("its lake is up to date", async () => {
      const answer = await fetch(`${b.process()?.url}/status`);
      const { checks } = await answer.json();
      return checks.lake.observations > 0;
    });
    // A collector answers probes, and nothing else.
    const url = site.collectors[0].process()?.url;
    const answers = ["/health", "/status", "/v1/latest", "/docs"].map(
      async (path) => (await fetch(`${url}${path}`)).status,
    );
    expect(await Promise.all(answers)).toEqual([200, 200, 404, 404]);
  });

  test("one that is paused is followed, and stands by when it goes on", async () => {
    const paused = await leading();
    const next = otherThan(site, paused);
    paused.pause();
    await takesOver(next);
    paused.resume();
    await until("it stands by", async () => (await paused.isCollecting()) === false);
    expect(await next.isCollecting()).toBe(true);
  });

  test("one that is killed is followed", async () => {
    const killed = await leading();
    const next = otherThan(site, killed);
    await killed.kill();
    await takesOver(next);
    await killed.start();
    await until("it stands by", async () => (await killed.isCollecting()) === false);
  });

  test("one that is cut off from the ledger is followed, and stands by when it is back", async () => {
    const alone = await leading();
    const next = otherThan(site, alone);
    alone.ways.postgres.cut("silent");
    await takesOver(next);
    alone.ways.postgres.restore();
    await until("it stands by", async () => (await alone.isCollecting()) === false);
  });

  test("one that is asked to end is followed at once, and leaves nothing behind", async () => {
    const ending = await leading();
    const ended = ending.end();
    await takesOver(otherThan(site, ending));
    expect(await ended).toBe(0);
  });

  test("and nothing that was served is lost, nothing is stored twice, and nobody committed beside the other", async () => {
    const last = await leading();
    const logs = site.collectors.flatMap((one) => one.process()?.log() ?? []);
    expect(logs.filter((line) => line.includes('"lake_damaged"'))).toEqual([]);
    // One that another took over from writes no quotes, and does not try to.
    expect(logs.filter((line) => line.includes('"live-watch"'))).toEqual([]);
    expect(await last.end()).toBe(0);
    await witness.stop();
    expect(witness.served.size).toBeGreaterThan(20);
    // What a killed one had in its journal comes with its next start.
    for (const one of site.collectors) {
      await one.start();
      expect(await one.end()).toBe(0);
    }
    expect(await faultsOfQuotes(site, witness)).toEqual([]);
    const { versions, events } = await publicationsIn(site.postgres.url);
    expect(versions.length).toBeGreaterThan(10);
    expect(new Set(versions).size).toBe(versions.length);
    expect(eventFaults(versions, events)).toEqual([]);
    const figures = await figuresIn(site.place);
    expect(figures.length).toBeGreaterThan(10_000);
    expect(new Set(figures).size).toBe(figures.length);
    const { code, out } = await verified(site);
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(out).toMatch(/^daily .*, intact$/m);
  });
});
