/** deploy/compose.bucket.yaml over compose.yaml: what the program is given, and that the storage beside it is what it asks for. */

import { describe, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { readConfig, SETTINGS } from "#config.ts";
import { readDocument } from "#test/docs/document.ts";

interface Service {
  readonly build?: string;
  readonly image?: string;
  readonly profiles?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly depends_on?: Readonly<Record<string, object>>;
  readonly entrypoint?: readonly string[];
  readonly healthcheck?: object;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const OVERLAY = "deploy/compose.bucket.yaml";
const read = async (path: string) => Bun.YAML.parse(await readDocument(path)) as Compose;

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

describe(OVERLAY, async () => {
  const [base, overlay] = [await read("compose.yaml"), await read(OVERLAY)];
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
    const known = new Set<string>(Object.keys(SETTINGS.properties));
    for (const { environment = {} } of replicas)
      expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
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
