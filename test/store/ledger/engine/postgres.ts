/** A real Postgres of the test's own: a cluster in a temporary directory, killed, paused, started again on the same port. */

import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endsWithFile } from "#test/support/at-end.ts";
import { freePort } from "#test/support/free-port.ts";
import { onceForTheRun } from "#test/support/once.ts";
import { saySkipped } from "#test/support/require-tool.ts";

const USER = "crossrate";
const INSTALLED = "/usr/lib/postgresql";
const GIVE_UP_MILLISECONDS = 20_000;

/** Directory of the server's programs, or null after printing the SKIPPED line. */
export function optionalPostgres(what: string): string | null {
  const folders = existsSync(INSTALLED) ? readdirSync(INSTALLED) : [];
  const newest = folders.sort((a, b) => Number(b) - Number(a))[0];
  const found =
    newest === undefined ? Bun.which("initdb")?.replace(/\/initdb$/, "") : `${INSTALLED}/${newest}/bin`;
  if (found === undefined || !existsSync(join(found, "initdb"))) {
    saySkipped(`${what} needs postgresql`);
    return null;
  }
  return found;
}

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** A running server; `programs` is what `optionalPostgres` gave. */
export async function startPostgres(programs: string) {
  const directory = mkdtempSync(join(tmpdir(), "crossrate-postgres-"));
  const data = join(directory, "data");
  const port = freePort();
  const as = asServerUser(directory);
  const empty = join(await onceForTheRun("empty cluster", (place) => initialize(programs, place)), "data");
  // With its owner, which is what the server looks at.
  run(["cp", "-a", empty, data]);
  let running: Bun.Subprocess | null = null;
  let databases = 0;

  const address = (database: string) => `postgres://${USER}@127.0.0.1:${port}/${database}`;
  const family = (): number[] => (running === null ? [] : [running.pid, ...childrenOf(running.pid)]);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of family()) {
      try {
        process.kill(pid, name);
      } catch {
        // Gone between looking and sending.
      }
    }
  };
  const gone = async (): Promise<void> => {
    await running?.exited;
    running = null;
  };
  const start = async (): Promise<void> => {
    const settings = {
      listen_addresses: "127.0.0.1",
      unix_socket_directories: directory,
      max_connections: "200",
      shared_buffers: "32MB",
      // No test cuts the machine's power; a killed server loses nothing by it.
      fsync: "off",
      // No replica copies it, and no test writes enough for a vacuum to be worth its work.
      wal_level: "minimal",
      max_wal_senders: "0",
      autovacuum: "off",
      // An operator's choice for other programs: the ledger relies on no default of these.
      default_transaction_isolation: "serializable",
      TimeZone: "Asia/Kathmandu",
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const command = [...as, join(programs, "postgres"), "-D", data, "-p", String(port), ...options];
    const end = performance.now() + GIVE_UP_MILLISECONDS;
    const log = Bun.file(join(directory, "log"));
    do {
      // One that finds its forerunner not quite gone ends at once, and is started again.
      if (running === null || running.exitCode !== null || running.signalCode !== null) {
        running = Bun.spawn(command, { stdout: "ignore", stderr: log });
      }
      if (performance.now() > end) throw new Error(`the Postgres server does not start: ${await log.text()}`);
      await Bun.sleep(30);
    } while (!isReady());
  };
  const isReady = () =>
    Bun.spawnSync([join(programs, "pg_isready"), "-q", "-h", "127.0.0.1", "-p", String(port)]).success;
  const createDatabase = async (name: string, original = "template1"): Promise<string> => {
    const sql = new Bun.SQL({ adapter: "postgres", url: address("postgres"), max: 1 });
    // A third of the work of the default strategy, which writes every page to the log.
    await sql.unsafe(`CREATE DATABASE ${name} TEMPLATE ${original} STRATEGY FILE_COPY`);
    await sql.close();
    return address(name);
  };

  await start();
  const url = await createDatabase("crossrate");
  return {
    /** Of the database "crossrate", which is empty at first. */
    url,
    /** On a server that was killed. */
    start,
    /** An empty database beside it, or a copy of another without connections; resolves with its address. */
    database: (original?: string) => {
      databases += 1;
      return createDatabase(`other_${databases}`, original);
    },
    /** SIGSTOP for every process of it: the port still takes connections, and nothing answers. */
    pause: () => signal("SIGSTOP"),
    resume: () => signal("SIGCONT"),
    /** kill -9 for every process of it; resolves when they are gone. */
    kill: async () => {
      // Stopped first: it must not start another process between looking and killing.
      running?.kill("SIGSTOP");
      const children = family().slice(1);
      signal("SIGKILL");
      await gone();
      while (children.some(isAlive)) await Bun.sleep(1);
    },
    /** Ends it as an operator would (SIGINT, "fast"), keeping its data; `start` brings it back. */
    shutDown: async () => {
      running?.kill("SIGINT");
      await gone();
    },
    /** Ends it and removes its directory. */
    stop: endsWithFile(async () => {
      signal("SIGCONT");
      running?.kill("SIGQUIT");
      await gone();
      rmSync(directory, { recursive: true, force: true });
    }),
  };
}

/** A cluster in `<place>/data` that is not started yet. */
async function initialize(programs: string, place: string): Promise<void> {
  run([
    ...asServerUser(place),
    join(programs, "initdb"),
    `--pgdata=${join(place, "data")}`,
    `--username=${USER}`,
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C.UTF-8",
    "--no-sync",
  ]);
}

function run(command: readonly string[]): void {
  const { success, stderr } = Bun.spawnSync([...command], { stdout: "ignore", stderr: "pipe" });
  if (!success) throw new Error(`${command.join(" ")}: ${stderr.toString()}`);
}

/** Gives a directory to the user that the server runs as; what to put before a command to run it as that user. */
function asServerUser(directory: string): readonly string[] {
  // The server refuses to run as root.
  const owner = serverUser();
  if (owner === null) return [];
  chownSync(directory, owner.uid, owner.gid);
  return ["setpriv", `--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"];
}

/** Whom the server runs as: null is ourselves. */
function serverUser(): { readonly uid: number; readonly gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((one) => /^(postgres|nobody):/.test(one));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) throw new Error("no user to run a Postgres server as");
  return { uid: Number(uid), gid: Number(gid) };
}

function childrenOf(parent: number): number[] {
  const path = `/proc/${parent}/task/${parent}/children`;
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return text.split(" ").filter(Boolean).map(Number);
}

/** A zombie, whose parent has not yet collected its exit status, does not count. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return false;
  try {
    return !/^\d+ \(.*\) [ZX] /.test(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}
