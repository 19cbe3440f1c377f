/** Connections to the master that sentinels name. After a failover the next attempt finds the new one. */

import { Socket } from "node:net";
import { Redis, type RedisOptions, SentinelConnector } from "ioredis";
import type { SentinelAddress } from "#domain/net/redis-address.ts";

/** The library's connector, with a round of sentinels that fails like any other attempt to connect. */
class OneRound extends SentinelConnector {
  override async connect(emit: Parameters<SentinelConnector["connect"]>[0]) {
    let reason = "";
    try {
      return await super.connect((type, fault) => {
        reason = fault.message;
        emit(type, fault);
      });
    } catch {
      // Left to itself the library either goes on without a word, or ends the connection for good.
      this.firstError = new Error(
        reason.replace(/^connected to (.*) successfully.*/, "$1 knows no such master"),
      );
      return new Socket().destroy();
    }
  }
}

/** Starts connecting. Only the sentinels of the address are asked: what others announce may not be reachable from here. */
export function connectToMaster(
  address: SentinelAddress,
  options: Omit<RedisOptions, "replyMapping">,
): Redis {
  const { hosts, name, database, username, password, sentinelLogin, tls } = address;
  const settings: Omit<RedisOptions, "replyMapping"> = {
    ...options,
    Connector: OneRound as NonNullable<RedisOptions["Connector"]>,
    sentinels: hosts.map(({ host, port }) => ({ host, port })),
    name,
    db: database,
    username,
    password,
    sentinelUsername: sentinelLogin.username,
    sentinelPassword: sentinelLogin.password,
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
    sentinelCommandTimeout: options.commandTimeout,
    sentinelRetryStrategy: () => null,
    updateSentinels: false,
  };
  const redis = new Redis(settings);
  // A sentinel that was cut off names the master of before, which may be a replica by now: the next one is asked.
  redis.on("ready", () => {
    redis.role().then(
      ([role]) => {
        if (role !== "master") redis.disconnect(true);
      },
      () => {},
    );
  });
  return redis;
}
