/** Addresses of Redis: one server, a master that sentinels name, or a cluster. Settings check them, connections are made from them. */

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

type Login = ReturnType<typeof loginOf>;

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

/** For one server, `url` is the whole text. */
export type RedisAddress =
  | { readonly kind: "server"; readonly url: string }
  | SentinelAddress
  | ClusterAddress;

/** What an operator reads about an address that is refused. */
export const REDIS_ADDRESS_NEEDED =
  "redis://host:6379/0, redis+sentinel://host1:26379,host2:26379/master-name/0 or redis+cluster://host1:6379,host2:6379 is needed, with rediss instead of redis for TLS and user:password@ before the hosts; @ / ? # % in a password are written %40 %2F %3F %23 %25, IPv6 is in brackets; the only parameters are sentinel_username and sentinel_password, for the sentinels themselves";

const SEVERAL =
  /^(?<scheme>rediss?)\+(?<kind>sentinel|cluster):\/\/(?:(?<user>[^@/?#:]*)(?::(?<password>[^@/?#]*))?@)?(?<list>[^@/?#]*)(?:\/(?<path>[^?#@]*))?(?:\?(?<query>[^#@]*))?$/i;
const HOST = /^(?:\[(?<ipv6>[0-9a-f:.]+)\]|(?<name>[\w.-]+))(?::(?<port>\d{1,5}))?$/i;
const MASTER = /^(?<name>[\w.-]+)(?:\/(?<database>\d{1,5}))?\/?$/;
const PARAMETER = /^(?<name>sentinel_username|sentinel_password)=(?<value>.*)$/;

/** Reads the value of REDIS_URL; null for any other text. */
export function parseRedisAddress(text: string): RedisAddress | null {
  if (/^rediss?:\/\//i.test(text)) {
    const { search = null, pathname = "" } = URL.parse(text) ?? {};
    const isServer = search === "" && /^(\/\d{0,5}\/?)?$/.test(pathname);
    return isServer ? { kind: "server", url: text.replace(/\/+$/, "") } : null;
  }
  const { scheme, kind, user, password, list = "", path = "", query = "" } = SEVERAL.exec(text)?.groups ?? {};
  if (scheme === undefined) return null;
  const isCluster = kind?.toLowerCase() === "cluster";
  const hosts = list.split(",").map((host) => hostOf(host.trim(), isCluster ? 6379 : 26_379));
  if (!hosts.every((host) => host !== null)) return null;
  try {
    const common = { tls: scheme.toLowerCase() === "rediss", hosts, ...loginOf(user, password) };
    // A cluster has database 0 alone, and no parameters.
    if (isCluster) return path.replace("/", "") + query === "" ? { kind: "cluster", ...common } : null;
    const { name, database = "0" } = MASTER.exec(path)?.groups ?? {};
    const parameters = query === "" ? [] : query.split("&").map((one) => PARAMETER.exec(one)?.groups);
    if (name === undefined || parameters.includes(undefined)) return null;
    const parameter = (of: string) => parameters.findLast((one) => one?.["name"] === of)?.["value"];
    const sentinelLogin = loginOf(parameter("sentinel_username"), parameter("sentinel_password"));
    return { kind: "sentinel", ...common, name, database: Number(database), sentinelLogin };
  } catch (fault) {
    // A % that is not escaped.
    if (fault instanceof URIError) return null;
    throw fault;
  }
}

function hostOf(text: string, usualPort: number): HostAndPort | null {
  const { ipv6, name, port: digits } = HOST.exec(text)?.groups ?? {};
  const [host, port] = [ipv6 ?? name, Number(digits ?? usualPort)];
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port };
}

function loginOf(user = "", password = "") {
  return {
    username: decodeURIComponent(user) || undefined,
    password: decodeURIComponent(password) || undefined,
  };
}
