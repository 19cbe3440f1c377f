/** Addresses of Redis: one server, a master that sentinels name, or a cluster. Settings check them, connections are made from them. */

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

interface Login {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

interface Several extends Login {
  readonly tls: boolean;
  readonly hosts: readonly HostAndPort[];
}

export interface SentinelAddress extends Several {
  readonly kind: "sentinel";
  readonly name: string;
  readonly database: number;
  readonly sentinelLogin: Login;
}

export interface ClusterAddress extends Several {
  readonly kind: "cluster";
}

/** Of one server the whole text is the address. */
export type RedisAddress =
  | { readonly kind: "server"; readonly url: string }
  | SentinelAddress
  | ClusterAddress;

/** Holds nothing of the address. */
export interface AddressFault {
  readonly kind: "fault";
  readonly needed: string;
}

const SERVER = "redis://host:6379/0";
const SENTINEL = "redis+sentinel://host1:26379,host2:26379/master-name/0";
const CLUSTER = "redis+cluster://host1:6379,host2:6379";
const PARTS = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/?#]*)@)?([^@/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/i;
const HOST = /^(\[[0-9a-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i;
const MASTER_NAME = /^[\w.-]+$/;
const SENTINEL_PARAMETERS = ["sentinel_username", "sentinel_password"];

/** Reads the value of REDIS_URL. */
export function parseRedisAddress(text: string): RedisAddress | AddressFault {
  if (/^rediss?:\/\//i.test(text)) return serverOf(text);
  const parts = PARTS.exec(text);
  if (parts === null || parts[5]?.includes("@")) {
    if (/^rediss?\+(sentinel|cluster):/i.test(text))
      return fault(
        `the form is ${SENTINEL} or ${CLUSTER}, with user:password@ before the hosts; write @ / ? # in a password as %40 %2F %3F %23`,
      );
    return fault(`${SERVER}, ${SENTINEL} or ${CLUSTER} is needed, with rediss instead of redis for TLS`);
  }
  const [, scheme = "", kind, login, list = "", path = "", query = ""] = parts;
  const isCluster = kind?.toLowerCase() === "cluster";
  const hosts = hostsOf(list, isCluster ? 6379 : 26379);
  if (hosts === null)
    return fault(
      "the hosts are separated by commas, each host or host:port with a port from 1 to 65535, IPv6 in brackets",
    );
  const redisLogin = loginOf(login);
  if (redisLogin === null) return fault(PERCENT);
  const common = { tls: scheme.toLowerCase() === "rediss", hosts, ...redisLogin };
  if (!isCluster) return sentinelOf(common, path, query);
  if (path.replace(/\/$/, "") !== "" || query !== "")
    return fault(
      `a cluster has database 0 alone, and no parameters: ${CLUSTER} ends with its hosts, any of its nodes`,
    );
  return { kind: "cluster", ...common };
}

function serverOf(text: string): RedisAddress | AddressFault {
  const url = URL.parse(text);
  if (url !== null && url.search === "") return { kind: "server", url: text.replace(/\/+$/, "") };
  if (text.includes(","))
    return fault(`several hosts need ${SENTINEL} for a master with sentinels, or ${CLUSTER} for a cluster`);
  return fault(`a redis:// or rediss:// address is needed, such as ${SERVER}, without parameters`);
}

function sentinelOf(common: Several, path: string, query: string): SentinelAddress | AddressFault {
  const [name = "", database = "0", ...more] = path.replace(/\/$/, "").split("/");
  if (!MASTER_NAME.test(name) || !/^\d{1,5}$/.test(database) || more.length > 0)
    return fault(
      `after the sentinels come the name of the master, as in their "sentinel monitor", and a database: ${SENTINEL}`,
    );
  const parameters = new Map<string, string>();
  for (const pair of query === "" ? [] : query.split("&")) {
    const [key = "", ...value] = pair.split("=");
    if (!SENTINEL_PARAMETERS.includes(key))
      return fault(
        `the parameters are ${SENTINEL_PARAMETERS.join(" and ")}, what the sentinels themselves ask for`,
      );
    const decoded = unescaped(value.join("="));
    if (decoded === null) return fault(PERCENT);
    parameters.set(key, decoded);
  }
  const sentinelLogin = {
    username: parameters.get("sentinel_username"),
    password: parameters.get("sentinel_password"),
  };
  return { kind: "sentinel", ...common, name, database: Number(database), sentinelLogin };
}

const PERCENT = "% in a name or password is written as %25, other special characters in the same manner";

function hostsOf(list: string, usualPort: number): readonly HostAndPort[] | null {
  const hosts = list.split(",").map((text) => {
    const [, host = "", digits] = HOST.exec(text.trim()) ?? [];
    const port = Number(digits ?? usualPort);
    // Sockets take an IPv6 address without its brackets.
    return { host: host.replace(/^\[|\]$/g, ""), port };
  });
  return hosts.every(({ host, port }) => host !== "" && port >= 1 && port <= 65_535) ? hosts : null;
}

/** `user:password`, `:password` or `user`; null where it is not well escaped. */
function loginOf(text: string | undefined): Login | null {
  if (text === undefined) return { username: undefined, password: undefined };
  const [user = "", ...rest] = text.split(":");
  const [username, password] = [unescaped(user), unescaped(rest.join(":"))];
  if (username === null || password === null) return null;
  return { username: username || undefined, password: password || undefined };
}

function unescaped(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function fault(needed: string): AddressFault {
  return { kind: "fault", needed };
}
