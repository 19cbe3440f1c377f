/** Reads settings one at a time: types of values, and the collected faults. */

import { parseAddress } from "#domain/net/address.ts";
import { parseRedisAddress } from "#domain/net/redis-address.ts";
import type { Instant } from "#domain/time/day.ts";
import { readInstant } from "#domain/time/instant.ts";
import { SETTINGS, type SettingName } from "./table.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type SettingsReader = ReturnType<typeof newReader>;

/** Every method notes a fault and gives something harmless where the value is not usable. */
export function newReader(
  environment: Environment,
  defaults: Partial<Record<SettingName, string>>,
  faults: string[],
) {
  const text = (name: SettingName): string | null => {
    const given = environment[name]?.trim();
    if (given !== undefined && given !== "") return given;
    return defaults[name] ?? SETTINGS.find((setting) => setting.name === name)?.fallback ?? null;
  };
  const fault = (name: SettingName, what: string) => {
    faults.push(`${name}=${shown(name, text(name))}: ${what}`);
  };
  const integerOrNull = (name: SettingName, least: number, most: number): number | null => {
    const value = text(name);
    if (value === null) return null;
    if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    fault(name, `a whole number from ${least} to ${most} is needed`);
    return least;
  };
  return {
    text,
    fault,
    /** Null where the setting is empty. */
    integerOrNull,
    integer: (name: SettingName, least: number, most: number) => integerOrNull(name, least, most) ?? least,
    choice: <T extends string>(name: SettingName, allowed: readonly T[]) => {
      const found = allowed.find((candidate) => candidate === text(name));
      if (found === undefined) fault(name, `one of ${allowed.join(", ")} is needed`);
      return found ?? (allowed[0] as T);
    },
    /** Comma-separated; case does not matter, the result is spelled as in `allowed`, each once. */
    choices: <T extends string>(name: SettingName, allowed: readonly T[]): readonly T[] => {
      const found = new Set<T>();
      for (const word of listOf(text(name))) {
        const match = allowed.find((candidate) => candidate.toLowerCase() === word.toLowerCase());
        if (match === undefined) fault(name, `${word} is none of ${allowed.join(", ")}`);
        else found.add(match);
      }
      return [...found];
    },
    /** An address with one of the protocols, without the slashes at its end. */
    address: (name: SettingName, protocols: readonly string[], needed: string): string | null => {
      const value = text(name);
      if (value === null) return null;
      const url = URL.parse(value);
      if (url !== null && protocols.includes(url.protocol) && url.search === "")
        return value.replace(/\/+$/, "");
      fault(name, needed);
      return null;
    },
    /** An address of this machine, or a name of it: what is neither is found out when it is listened on. */
    listenHost: (name: SettingName): string => {
      const host = text(name) as string;
      if (/:|^[\d.]+$/.test(host) && parseAddress(host) === null)
        fault(
          name,
          "write an address of this machine, such as 127.0.0.1 or ::1, or 0.0.0.0 for every interface; the port is a setting of its own",
        );
      return host;
    },
    /** The address of one server, of sentinels or of a cluster, as written. */
    redisAddress: (name: SettingName): string | null => {
      const value = text(name);
      if (value === null) return null;
      const address = parseRedisAddress(value);
      if (address.kind === "fault") {
        fault(name, address.needed);
        return null;
      }
      return address.kind === "server" ? address.url : value;
    },
    instant: (name: SettingName): Instant | null => {
      const value = text(name);
      if (value === null) return null;
      const at = readInstant(value);
      if (at === null) fault(name, "a UTC instant such as 2026-04-13T16:30:00Z is needed");
      return at;
    },
  };
}

/** The words of a comma-separated list. */
export function listOf(text: string | null): string[] {
  return (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

/** Faults are printed and logged: a secret that was mistyped must not be. */
function shown(name: SettingName, value: string | null): string {
  const setting = SETTINGS.find((candidate) => candidate.name === name);
  const isSecret = setting !== undefined && "secret" in setting && setting.secret;
  return isSecret && value !== null ? "…" : (value ?? "");
}
