/**
 * The manifests of deploy/kubernetes: settings that exist, probes that are answered, labels that meet; and the program runs as they say,
 * with a root that is read-only, as a user without rights. Their schemas are checked by `bun run check:deploy`.
 */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmodSync, chownSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { readConfig, SETTINGS } from "#config.ts";
import { recentDirectory } from "#test/commands/lakes.ts";
import { type Process, startServe } from "#test/commands/process.ts";
import { ROOT } from "#test/docs/document.ts";
import { optionalPostgres, startPostgres } from "#test/store/ledger/engine/postgres.ts";
import { atEnd } from "#test/support/at-end.ts";
import { freePort } from "#test/support/free-port.ts";
import { optionalTool, saySkipped } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import {
  imageEnvironment,
  MANIFESTS,
  type Probe,
  readManifests,
  settingsOf,
  workloads,
} from "./manifests.ts";

setDefaultTimeout(120_000);
const SECRETS = {
  MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
  DATABASE_URL: "postgres://crossrate:secret@postgres.databases:5432/crossrate",
  REDIS_URL: "redis://:secret@redis.databases:6379",
  AWS_ACCESS_KEY_ID: "an id",
  AWS_SECRET_ACCESS_KEY: "a key",
  CURSOR_SECRET: "a secret of all replicas",
};
const image = await imageEnvironment();
const { version } = await Bun.file(`${ROOT}/package.json`).json();

describe.each(MANIFESTS)("%s", async (file) => {
  const resources = await readManifests(file);
  const made = workloads(resources);

  test.each(made)("$kind $name has settings that the program takes, and its own image", ({ container }) => {
    const settings = settingsOf(resources, container);
    const known = new Set<string>(Object.keys(SETTINGS.properties));
    expect(Object.keys(settings).filter((name) => !known.has(name))).toEqual([]);
    const config = readConfig({ ...image, ...SECRETS, ...settings });
    expect(config.production).toBe(true);
    expect(container.image).toEndWith(`/crossrate:${version}`);
    const ports = new Map(container.ports.map(({ name, containerPort }) => [name, String(containerPort)]));
    expect([ports.get("http"), ports.get("metrics")]).toEqual([image["PORT"], settings["METRICS_PORT"]]);
    expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toEqual([
      image["DATA_DIR"] ?? "",
      "/tmp",
    ]);
  });

  test.each(made)("$kind $name has no rights, and its bounds", ({ pod, container }) => {
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(pod.securityContext).toMatchObject({
      ...{ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      fsGroupChangePolicy: "OnRootMismatch",
    });
    expect(container.securityContext).toMatchObject({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ["ALL"] },
    });
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(25);
    expect(Object.keys(container.resources.requests)).toEqual(["cpu", "memory", "ephemeral-storage"]);
    expect(Object.keys(container.resources.limits)).toEqual(["memory", "ephemeral-storage"]);
  });

  test("every selector finds pods of the file, and each thing is there once", () => {
    const names = resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    for (const { kind, metadata, spec } of resources) {
      if (kind !== "Namespace")
        expect([metadata.name, metadata.namespace]).toEqual([metadata.name, "crossrate"]);
      const selector = spec?.selector?.matchLabels ?? spec?.podSelector?.matchLabels ?? spec?.selector ?? {};
      const matching = made.filter(({ labels }) =>
        Object.entries(selector).every(([name, value]) => labels[name] === value),
      );
      expect([kind, metadata.name, matching.length > 0]).toEqual([kind, metadata.name, true]);
      if (spec?.serviceName !== undefined) expect(names).toContain(`Service ${spec.serviceName}`);
    }
    for (const kind of ["PodDisruptionBudget", "NetworkPolicy", "ConfigMap", "Service"])
      expect(resources.some((resource) => resource.kind === kind)).toBe(true);
    // Secrets are made by hand, and never lie beside the manifests.
    expect(resources.some(({ kind }) => kind === "Secret")).toBe(false);
  });

  // On one volume one process writes; with a volume for each they take over from each other.
  const collectors = file === "bucket.yaml" ? 2 : 1;

  test("so many processes collect as have a volume, and REPLICAS is the number of all", () => {
    const roles = made.map(({ container, replicas }) => [
      settingsOf(resources, container)["ROLE"] ?? "all",
      replicas,
    ]);
    expect(roles.filter(([role]) => role === "all")).toEqual([["all", collectors]]);
    const all = made.reduce((sum, { replicas }) => sum + replicas, 0);
    for (const { container } of made)
      expect(Number(settingsOf(resources, container)["REPLICAS"] ?? 1)).toBe(all);
  });
});

const mayUnshare = Bun.spawnSync(["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], {
  stderr: "ignore",
}).success;
if (!mayUnshare) saySkipped("the program on a read-only root needs the right to mount");

describe.skipIf(!mayUnshare)("as the pod of one.yaml", async () => {
  const resources = await readManifests("one.yaml");
  const [{ container, pod } = never()] = workloads(resources);
  const uid = Number(pod.securityContext["runAsUser"]);

  /** A volume as a cluster mounts it: another owner, the group of the pod, which new files inherit. */
  async function volume(directory: string): Promise<string> {
    for (const name of ["", ...readdirSync(directory, { recursive: true }).map(String)])
      chownSync(join(directory, name), name === "" ? 0 : uid, uid);
    chmodSync(directory, 0o2775);
    return directory;
  }

  async function start(data: string, more: Record<string, string> = {}) {
    const ports = {
      [image["PORT"] ?? ""]: freePort(),
      [settingsOf(resources, container)["METRICS_PORT"] ?? ""]: freePort(),
    };
    const [port, metricsPort] = Object.values(ports).map(String);
    const child = Bun.spawn(
      [
        "unshare",
        "--mount",
        "bash",
        join(import.meta.dir, "pod.sh"),
        ROOT,
        process.execPath,
        data,
        String(uid),
      ],
      {
        env: {
          PATH: process.env["PATH"] ?? "",
          ...image,
          ...settingsOf(resources, container),
          MASTER_KEYS: SECRETS.MASTER_KEYS,
          UPSTREAM_BASE: "http://127.0.0.1:9",
          LIVE_FEED: "off",
          ...more,
          PORT: port ?? "",
          METRICS_PORT: metricsPort ?? "",
        },
        stdout: "ignore",
        stderr: "pipe",
      },
    );
    atEnd(() => child.kill("SIGKILL"));
    const said = new Response(child.stderr).text();
    const probed = async ({ httpGet: { path, port: of, httpHeaders = [] } }: Probe) => {
      const headers = Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value]));
      return (await fetch(`http://127.0.0.1:${ports[String(of)]}${path}`, { headers })).status;
    };
    await until("the pod is started", async () => {
      if (child.exitCode !== null) throw new Error(await said);
      return (await probed(container.startupProbe).catch(() => 0)) === 200;
    });
    return { child, probed, said, url: `http://127.0.0.1:${port}` };
  }

  test("it starts on a new volume, answers every probe, keeps its stores to itself, and starts on them again", async () => {
    const data = await volume(temporaryDirectory());
    for (let round = 0; round < 2; round++) {
      const { child, probed, said, url } = await start(data);
      const { startupProbe, readinessProbe, livenessProbe } = container;
      for (const probe of [startupProbe, readinessProbe, livenessProbe])
        expect(await probed(probe)).toBe(200);
      // The port is published to nobody under another name.
      expect((await fetch(`${url}/health`)).status).toBe(421);
      child.kill("SIGTERM");
      expect([await child.exited, (await said).includes('"level":"error"')]).toEqual([0, false]);
      const ledger = statSync(join(data, "ledger.sqlite"));
      expect([ledger.uid, (ledger.mode & 0o777).toString(8)]).toEqual([uid, "600"]);
    }
  });

  test("it makes an export there", async () => {
    const data = await volume(await recentDirectory());
    const { child, said, url } = await start(data, { ACCESS: "open" });
    const path = "/v1/range?base=EUR&symbols=USD&start_date=2026-02-02&end_date=2026-04-10&format=parquet";
    const answer = await fetch(url + path, { headers: { Host: "crossrate" } });
    const bytes = new Uint8Array(await answer.arrayBuffer());
    expect([answer.status, new TextDecoder().decode(bytes.slice(-4))]).toEqual([200, "PAR1"]);
    child.kill("SIGTERM");
    expect([await child.exited, await said]).toEqual([0, expect.not.stringContaining('"level":"error"')]);
  });
});

function never(): never {
  throw new Error("one.yaml makes no pod");
}

const HAPROXY = optionalTool("haproxy", "the rolling restart");
const WRK = optionalTool("wrk", "the rolling restart");
const POSTGRES = optionalPostgres("a balancer while the ledger is away");

const CONFIGURATION = join(import.meta.dir, "../../deploy/haproxy.cfg");

/** The market is open, and yesterday's rates are in the lake. */
const NOW = "2026-04-14T12:00:00Z";

const statusOf = (url: string) =>
  fetch(`${url}/status`).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => null,
  );

/** HAProxy with the configuration of the product, before replicas on these two ports. */
async function balancerOf(ports: readonly number[]) {
  const [front, statistics] = [freePort(), freePort()];
  const text = (await Bun.file(CONFIGURATION).text())
    .replace("bind :8080", `bind 127.0.0.1:${front}`)
    .replace("bind 127.0.0.1:8404", `bind 127.0.0.1:${statistics}`)
    .replace("127.0.0.1:3001", `127.0.0.1:${ports[0]}`)
    .replace("127.0.0.1:3002", `127.0.0.1:${ports[1]}`);
  const path = join(temporaryDirectory(), "haproxy.cfg");
  await Bun.write(path, text);
  const balancer = Bun.spawn([HAPROXY ?? "", "-f", path, "-db"], { stdout: "ignore", stderr: "ignore" });
  /** Lines of its statistics, one a replica. */
  const lines = async (): Promise<readonly string[]> => {
    const answer = await fetch(`http://127.0.0.1:${statistics}/stats;csv`).catch(() => null);
    return ((await answer?.text()) ?? "").match(/^replicas,(one|two),.*/gm) ?? [];
  };
  const used = async () => (await lines()).filter((line) => line.includes(",UP,")).length;
  return { balancer, url: `http://127.0.0.1:${front}`, lines, used };
}

describe.skipIf(HAPROXY === null || WRK === null)("two replicas behind a balancer", () => {
  test("are restarted one after the other, and no request under way or to come is lost", async () => {
    const dataDir = await recentDirectory();
    const ports = [freePort(), freePort()];
    const replica = async (port: number): Promise<Process> => {
      const settings = {
        ...{ DATA_DIR: dataDir, ROLE: "api", LIVE_FEED: "off", OFFICIAL_TABLES: "off", NOW },
        // The balancer asks for the status every half second.
        SHUTDOWN_DELAY_SECONDS: "2",
      };
      const one = await startServe({ ...settings, PORT: String(port), HOST: "127.0.0.1" });
      await until("it is ready", async () => (await statusOf(one.url)) === 200);
      return one;
    };
    let replicas = await Promise.all(ports.map(replica));

    const { balancer, url, used } = await balancerOf(ports);
    await until("the balancer uses both", async () => (await used()) === 2);

    const load = Bun.spawn([WRK ?? "", "-t1", "-c16", "-d60s", `${url}/v1/latest`], { stdout: "pipe" });
    const restarted: Process[] = [];
    for (const [index, one] of replicas.entries()) {
      const ending = one.end("SIGTERM");
      await until("it says that it ends", async () => (await statusOf(one.url)) === 503);
      // It still answers those that the balancer sends to it.
      expect((await fetch(`${one.url}/v1/latest`)).status).toBe(200);
      expect(await ending).toBe(0);
      restarted.push(await replica(ports[index] as number));
      await until("the balancer uses both again", async () => (await used()) === 2);
    }
    replicas = restarted;
    // It prints what it has seen so far.
    load.kill("SIGINT");
    const report = await new Response(load.stdout).text();
    balancer.kill();
    await Promise.all([...replicas.map((one) => one.end()), balancer.exited, load.exited]);
    expect(Number(/(\d+) requests in/.exec(report)?.[1])).toBeGreaterThan(1_000);
    expect(report).not.toContain("Non-2xx");
    expect(report).not.toContain("Socket errors");
  });

  test.skipIf(POSTGRES === null)("serve rates while the ledger is away", async () => {
    const postgres = await startPostgres(POSTGRES ?? "");
    const port = freePort();
    const one = await startServe({
      ...{
        DATA_DIR: await recentDirectory(),
        ACCESS: "metered",
        LIVE_FEED: "off",
        OFFICIAL_TABLES: "off",
        NOW,
      },
      ...{ DATABASE_URL: await postgres.database(), PORT: String(port), HOST: "127.0.0.1" },
    });
    const { balancer, url, lines, used } = await balancerOf([port, freePort()]);
    await until("the balancer uses it", async () => (await used()) === 1);
    postgres.pause();
    // The last check as the statistics have it: what it found, and the status of the answer.
    await until("the balancer has seen it", async () => /,L7\w+,503,/.test((await lines())[0] ?? ""));
    expect((await fetch(`${url}/v1/latest`)).status).toBe(200);
    postgres.resume();
    balancer.kill();
    await Promise.all([one.end(), balancer.exited]);
  });
});
