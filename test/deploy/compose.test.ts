/** compose.yaml, and deploy/compose.bucket.yaml over it: what the program is given, and that what is beside it is what it asks for. */

import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfig, SETTINGS } from "#config.ts";
import { ROOT, readDocument } from "#test/docs/document.ts";
import { imageEnvironment } from "./manifests.ts";

interface Service {
  readonly env_file?: string;
  readonly build?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const OVERLAY = "deploy/compose.bucket.yaml";
const yaml = async <T = Compose>(path: string) => Bun.YAML.parse(await readDocument(path)) as T;
const [base, overlay] = [await yaml("compose.yaml"), await yaml(OVERLAY)];

const signingKey = generateKeyPairSync("ed25519").privateKey.export({ format: "der", type: "pkcs8" });
const GIVEN: Readonly<Record<string, string>> = {
  MASTER_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
  CURSOR_SECRET: "a secret of this test",
  LAKE_SIGNING_KEY: signingKey.toString("base64"),
  STORAGE_PASSWORD: "a password of this test",
};

/** A value as Compose fills it in; one that is needed and not given is a fault. */
function filledIn(value: string, given: Readonly<Record<string, string>>): string {
  return value.replace(
    /\$\{([A-Z_]+):([-?])([^}]*)\}/g,
    (_, name: string, mark: string, otherwise: string) => {
      const found = given[name] ?? "";
      if (found === "" && mark === "?") throw new Error(`${name}: ${otherwise}`);
      return found === "" ? otherwise : found;
    },
  );
}

const unknownSettings = (environment: object) =>
  Object.keys(environment).filter((name) => !Object.hasOwn(SETTINGS.properties, name));

/** As Compose merges two files: maps by name, mounts by their target. */
function merged(below: Service, above: Service): Service {
  const target = (mount: string) => mount.split(":")[1];
  const mounts = [...(below.volumes ?? []), ...(above.volumes ?? [])];
  return {
    ...below,
    ...above,
    environment: { ...below.environment, ...above.environment },
    depends_on: { ...below.depends_on, ...above.depends_on },
    volumes: [...new Map(mounts.map((mount) => [target(mount), mount])).values()],
  };
}

describe("compose.yaml", async () => {
  const services = Object.entries(base.services);
  const ours = services.filter(([, { build }]) => build !== undefined);
  const image = await imageEnvironment();

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
      expect(unknownSettings(environment)).toEqual([]);
      for (const given of [GIVEN, { ACCESS: "open" }]) {
        const filled = Object.entries(environment).map(([name, value]) => [name, filledIn(value, given)]);
        const wrong = { NODE_ENV: "development", HOST: "127.0.0.1", PORT: "4000", DATA_DIR: "data/live" };
        const config = readConfig({ ...image, ...wrong, ...given, ...Object.fromEntries(filled) });
        const { production, host, port, dataDir } = config;
        expect({ production, host, port, dataDir }).toEqual({
          ...{ production: true, host: image["HOST"] ?? "" },
          ...{ port: Number(image["PORT"]), dataDir: image["DATA_DIR"] ?? "" },
        });
      }
    },
  );

  test("publishes the port that the image listens on, each service on its own port of the loopback address", async () => {
    const { PORT } = image;
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
    expect(new Set(named)).toEqual(new Set(Object.keys(base.volumes)));
    for (const [, { volumes = [] }] of ours) expect(volumes[0]).toEndWith(`:${image["DATA_DIR"]}`);
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
    const port = base.services["crossrate"]?.environment?.["METRICS_PORT"];
    expect(scrape_configs[0]?.static_configs[0]?.targets).toEqual([`crossrate:${port}`]);
  });

  test("has one replica that collects, as many replicas as REPLICAS states, and a Redis that evicts nothing", () => {
    const replicas = ours
      .filter(([, { profiles }]) => profiles !== undefined)
      .map(([, { environment = {} }]) => environment);
    expect(replicas.map((environment) => environment["ROLE"])).toEqual(["all", "api"]);
    for (const environment of replicas) expect(environment["REPLICAS"]).toBe(String(replicas.length));
    expect(base.services["redis"]?.command).toEqual(["redis-server", "--maxmemory-policy", "noeviction"]);
    for (const environment of replicas) {
      expect(new URL(environment["REDIS_URL"] ?? "").hostname).toBe("redis");
      const database = new URL(filledIn(environment["DATABASE_URL"] ?? "", {}));
      expect(database.hostname).toBe("postgres");
      expect(database.username).toBe(base.services["postgres"]?.environment?.["POSTGRES_USER"] ?? "");
      expect(database.pathname).toBe(`/${base.services["postgres"]?.environment?.["POSTGRES_DB"]}`);
    }
    for (const [, { depends_on: needed = {} }] of services)
      for (const name of Object.keys(needed)) expect(Object.keys(base.services)).toContain(name);
  });
});

describe(OVERLAY, () => {
  const replicas = ["replica-1", "replica-2"].map((name) =>
    merged(base.services[name] as Service, overlay.services[name] as Service),
  );
  const configs = replicas.map(({ environment = {} }) => {
    const filled = Object.entries(environment).map(([name, value]) => [name, filledIn(value, GIVEN)]);
    return readConfig({ ...GIVEN, ...Object.fromEntries(filled) });
  });

  test("changes the replicas alone, and adds the storage", () => {
    expect(Object.keys(overlay.services)).toEqual(["replica-1", "replica-2", "storage"]);
    expect(overlay.services["storage"]?.profiles).toEqual(["replicas"]);
    for (const name of Object.keys(overlay.volumes)) expect(base.volumes).not.toHaveProperty(name);
  });

  test("gives both replicas one bucket, one ledger, one Redis and the same secrets, and a disk of their own", () => {
    for (const { environment = {} } of replicas) expect(unknownSettings(environment)).toEqual([]);
    const [one, two] = configs;
    expect(one?.storage).not.toBeNull();
    expect(two?.storage).toEqual(one?.storage as NonNullable<typeof one>["storage"]);
    expect(two?.accounts.databaseUrl).toBe(one?.accounts.databaseUrl as string);
    expect(two?.redisUrl).toBe(one?.redisUrl as string);
    expect([one?.cursorSecret, two?.cursorSecret]).toEqual([GIVEN["CURSOR_SECRET"], GIVEN["CURSOR_SECRET"]]);
    expect(two?.lakeSigningKeys).toEqual(one?.lakeSigningKeys as never);
    expect(configs.map(({ role }) => role)).toEqual(["all", "api"]);
    const volumes = replicas.flatMap(({ volumes: mounts = [] }) => mounts);
    expect(volumes).toHaveLength(2);
    expect(new Set(volumes.map((mount) => mount.split(":")[0])).size).toBe(2);
  });

  test.each(["CURSOR_SECRET", "LAKE_SIGNING_KEY", "STORAGE_PASSWORD"])(
    "does not start without %s",
    (name) => {
      const environment = { ...replicas[0]?.environment };
      const fill = () => Object.values(environment).map((value) => filledIn(value, { ...GIVEN, [name]: "" }));
      expect(fill).toThrow(name);
    },
  );

  test("has the storage make the bucket, and know the key, that the replicas name; they wait until it is ready", () => {
    const {
      entrypoint = [],
      environment = {},
      healthcheck,
      volumes = [],
    } = overlay.services["storage"] as Service;
    const [place] = configs.map(({ storage }) => storage);
    expect(entrypoint.at(-1)).toContain(`mkdir -p /data/${place?.bucket} `);
    expect(entrypoint.at(-1)).toContain("minio server /data");
    expect(volumes).toEqual(["storage-data:/data"]);
    expect(new URL(place?.endpoint ?? "").host).toBe("storage:9000");
    expect(environment["MINIO_ROOT_USER"]).toBe(place?.accessKeyId as string);
    expect(filledIn(environment["MINIO_ROOT_PASSWORD"] ?? "", GIVEN)).toBe(place?.secretAccessKey as string);
    expect(healthcheck).toBeDefined();
    expect(Object.keys(replicas[0]?.depends_on ?? {}).sort()).toEqual(["postgres", "redis", "storage"]);
  });

  test("says at its top every secret that it needs", async () => {
    const text = await readDocument(OVERLAY);
    const needed = new Set(Array.from(text.matchAll(/\$\{([A-Z_]+):\?/g), ([, name]) => name));
    for (const name of needed) expect(text).toContain(`echo "${name}=`);
  });
});
