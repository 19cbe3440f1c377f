/** rediss+sentinel:// and rediss+cluster://: everything is encrypted, and only a certificate that is trusted is believed. */

import { beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ended } from "#test/clients/process.ts";
import { makeAuthority } from "#test/gateways/webhook/certificate.ts";
import type { RedisServerOptions } from "#test/support/redis-server.ts";
import { optionalTool } from "#test/support/require-tool.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { until } from "#test/support/until.ts";
import { startServer } from "./deployment.ts";

const program = optionalTool("redis-server", "encrypted connections to Redis");

describe.skipIf(program === null)("encrypted", () => {
  const directory = temporaryDirectory();
  const authority = makeAuthority("an authority of this test");
  const trusted = join(directory, "ca.pem");
  const urls: Record<string, string> = {};

  beforeAll(async () => {
    const { key, cert } = authority.issue("localhost");
    const paths = {
      "tls-key-file": join(directory, "key.pem"),
      "tls-cert-file": join(directory, "cert.pem"),
    };
    writeFileSync(paths["tls-key-file"], key);
    writeFileSync(paths["tls-cert-file"], cert);
    writeFileSync(trusted, authority.ca);
    const encrypted = [
      ...Object.entries(paths).map((setting) => setting.join(" ")),
      `tls-ca-cert-file ${trusted}`,
      "tls-auth-clients no",
      "tls-replication yes",
    ];
    const start = (lines: readonly string[], options: RedisServerOptions = {}) =>
      startServer(program ?? "", {
        password: "secret",
        ca: authority.ca,
        lines: [...encrypted, ...lines],
        ...options,
      });
    const hostnames = ["cluster-announce-hostname localhost", "cluster-preferred-endpoint-type hostname"];
    const [master, member] = await Promise.all([
      start([]),
      start(["tls-cluster yes", ...hostnames], { isOfCluster: true }),
    ]);
    const sentinel = await start(
      [
        "sentinel resolve-hostnames yes",
        "sentinel announce-hostnames yes",
        `sentinel monitor rates localhost ${master.port} 1`,
        "sentinel auth-pass rates secret",
      ],
      { isSentinel: true },
    );
    await member.ask("CLUSTER", "ADDSLOTSRANGE", 0, 16_383);
    await until("the cluster is complete", async () =>
      String(await member.ask("CLUSTER", "INFO")).includes("cluster_state:ok"),
    );
    urls["sentinel"] = `rediss+sentinel://:secret@localhost:${sentinel.port}/rates?sentinel_password=secret`;
    urls["cluster"] = `rediss+cluster://:secret@localhost:${member.port}`;
  });

  const child = async (url: string, environment: Record<string, string>) => {
    const command = [process.execPath, join(import.meta.dir, "tls-child.ts"), url];
    return (await ended(command, { env: environment })).out.trim();
  };

  test.each(["sentinel", "cluster"])(
    "%s: works for who trusts its authority, and for nobody else",
    async (kind) => {
      const url = urls[kind] ?? "";
      expect(await child(url, { NODE_EXTRA_CA_CERTS: trusted })).toBe("shared");
      expect(await child(url, {})).toMatch(/certificate/);
    },
  );
});
