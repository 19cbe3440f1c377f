/** The files around the code are correct: compose.yaml, the workflows, the lists of pages. */

import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfig, SETTINGS } from "#config.ts";
import { ROOT, readDocument } from "./document.ts";

interface ComposeService {
  readonly env_file?: string;
  readonly image?: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
}

const MASTER_KEYS = `1:${Buffer.alloc(32, 7).toString("base64")}`;

async function yaml<T>(path: string): Promise<T> {
  return Bun.YAML.parse(await readDocument(path)) as T;
}

/** A value as Compose fills it in: `${NAME:-otherwise}`. */
function filledIn(value: string, environment: Readonly<Record<string, string>>): string {
  return value.replace(
    /\$\{([A-Z_]+):-([^}]*)\}/g,
    (_, name: string, otherwise: string) => environment[name] || otherwise,
  );
}

describe("compose.yaml", async () => {
  const compose = await yaml<{
    readonly services: Readonly<Record<string, ComposeService>>;
    readonly volumes: Readonly<Record<string, unknown>>;
  }>("compose.yaml");
  const services = Object.entries(compose.services);
  const ours = services.filter(([, { build }]) => build !== undefined);
  const imageEnvironment = Object.fromEntries(
    Array.from((await readDocument("Dockerfile")).matchAll(/\b([A-Z_]+)=([^\s\\]+)/g), ([, name, value]) => [
      name,
      value,
    ]),
  );

  test("starts one service on its own, and the rest by the profiles replicas and monitoring", () => {
    expect(services.filter(([, { profiles }]) => profiles === undefined).map(([name]) => name)).toEqual([
      "crossrate",
    ]);
    expect(ours.map(([name]) => name)).toEqual(["crossrate", "replica-1", "replica-2"]);
    for (const [name, { profiles }] of services)
      if (name !== "crossrate")
        expect([name, profiles]).toEqual([name, [name === "prometheus" ? "monitoring" : "replicas"]]);
  });

  test.each(ours.map(([name, service]) => [name, service] as const))(
    "gives %s every setting of .env but those written here, which exist, and with a master key the program takes them",
    (_, { env_file, environment = {} }) => {
      expect(env_file).toBe(".env");
      const known = new Set<string>(Object.keys(SETTINGS.properties));
      expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
      for (const given of [{ MASTER_KEYS }, { ACCESS: "open" }] as Record<string, string>[]) {
        const filled = Object.entries(environment).map(([name, value]) => [name, filledIn(value, given)]);
        const wrong = { NODE_ENV: "development", HOST: "127.0.0.1", PORT: "4000", DATA_DIR: "data/live" };
        const config = readConfig({ ...imageEnvironment, ...wrong, ...given, ...Object.fromEntries(filled) });
        const { production, host, port, dataDir } = config;
        expect({ production, host, port, dataDir }).toEqual({
          ...{ production: true, host: imageEnvironment["HOST"] ?? "" },
          ...{ port: Number(imageEnvironment["PORT"]), dataDir: imageEnvironment["DATA_DIR"] ?? "" },
        });
      }
    },
  );

  test("publishes the port that the image listens on, each service on its own port of the loopback address", async () => {
    const { PORT } = imageEnvironment;
    expect(await readDocument("Dockerfile")).toMatch(new RegExp(`^EXPOSE ${PORT}$`, "m"));
    const published = ours.map(([, { ports = [] }]) => ports.map((port) => port.split(":")));
    expect(published.map(([first]) => [first?.[0], first?.[2]])).toEqual(ours.map(() => ["127.0.0.1", PORT]));
    expect(new Set(published.map(([first]) => first?.[1])).size).toBe(ours.length);
  });

  test("has a health check for every service, and places every store in a volume", async () => {
    expect(await readDocument("Dockerfile")).toContain("HEALTHCHECK");
    for (const [name, { build, healthcheck }] of services)
      expect([name, build !== undefined || healthcheck !== undefined]).toEqual([name, true]);
    const mounted = services.flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => volume.split(":")[0] ?? ""),
    );
    const [files, named] = [
      mounted.filter((one) => one.startsWith("./")),
      mounted.filter((one) => !one.startsWith("./")),
    ];
    for (const file of files) expect([file, existsSync(join(ROOT, file))]).toEqual([file, true]);
    expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)));
    for (const [, { volumes = [] }] of ours) expect(volumes[0]).toEndWith(`:${imageEnvironment["DATA_DIR"]}`);
  });

  test("runs our services on a root that is read-only, and has Prometheus scrape the port of metrics", async () => {
    for (const [, { read_only, tmpfs, environment = {} }] of ours) {
      expect([read_only, tmpfs]).toEqual([true, ["/tmp"]]);
      expect(environment["METRICS_HOST"]).toBe("0.0.0.0");
    }
    const { scrape_configs } = await yaml<{
      readonly scrape_configs: readonly {
        readonly job_name: string;
        readonly static_configs: readonly { readonly targets: readonly string[] }[];
      }[];
    }>("deploy/prometheus/prometheus.yml");
    expect(scrape_configs.map(({ job_name }) => job_name)).toEqual(["crossrate"]);
    const port = compose.services["crossrate"]?.environment?.["METRICS_PORT"];
    expect(scrape_configs[0]?.static_configs[0]?.targets).toEqual([`crossrate:${port}`]);
  });

  test("has one replica that collects, as many replicas as REPLICAS states, and a Redis that evicts nothing", () => {
    const replicas = ours
      .filter(([, { profiles }]) => profiles !== undefined)
      .map(([, { environment = {} }]) => environment);
    expect(replicas.map((environment) => environment["ROLE"])).toEqual(["all", "api"]);
    for (const environment of replicas) expect(environment["REPLICAS"]).toBe(String(replicas.length));
    expect(compose.services["redis"]?.command).toEqual(["redis-server", "--maxmemory-policy", "noeviction"]);
    for (const environment of replicas) {
      expect(new URL(environment["REDIS_URL"] ?? "").hostname).toBe("redis");
      const database = new URL(filledIn(environment["DATABASE_URL"] ?? "", {}));
      expect(database.hostname).toBe("postgres");
      expect(database.username).toBe(compose.services["postgres"]?.environment?.["POSTGRES_USER"] ?? "");
      expect(database.pathname).toBe(`/${compose.services["postgres"]?.environment?.["POSTGRES_DB"]}`);
    }
    for (const [, { depends_on: needed = {} }] of services)
      for (const name of Object.keys(needed)) expect(Object.keys(compose.services)).toContain(name);
  });
});

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly needs?: string | readonly string[];
        readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
      }
    >
  >;
}

test("both workflows run the whole check, and nothing is published before it", async () => {
  for (const name of ["ci", "release"]) {
    const { permissions, jobs } = await yaml<Workflow>(`.github/workflows/${name}.yml`);
    expect(permissions).toEqual({ contents: "read" });
    expect(jobs["check"]?.steps.map(({ run }) => run)).toContain(".ci/run");
  }
  const { jobs } = await yaml<Workflow>(".github/workflows/release.yml");
  const { check: _, release, ...made } = jobs;
  for (const [name, { needs }] of Object.entries(made)) expect([name, needs]).toEqual([name, "check"]);
  expect([...(release?.needs ?? [])].sort()).toEqual(Object.keys(made).sort());
  expect(existsSync(`${ROOT}/Dockerfile`)).toBe(true);
});

test("README.md is a first page, and docs/README.md lists every page of docs", async () => {
  const readme = await readDocument("README.md");
  expect(readme.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  expect(readme.match(/\]\(/g)?.length).toBeLessThanOrEqual(15);
  const list = await readDocument("docs/README.md");
  for await (const page of new Bun.Glob("*.md").scan(`${ROOT}/docs`))
    if (page !== "README.md") expect(list).toContain(`](${page})`);
  const index = await readDocument("docs/decisions/README.md");
  for await (const page of new Bun.Glob("[0-9]*.md").scan(`${ROOT}/docs/decisions`))
    expect(index).toContain(`](${page})`);
});
