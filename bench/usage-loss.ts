/**
 * What usage a `kill -9` loses, under load, on SQLite and on Postgres: how old the oldest lost call was, and which part of the
 * last second's calls is lost. `bun run bench:usage-loss` prints a table. The promise is: nothing older than a second.
 */

import { Database } from "bun:sqlite";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join as pathOf } from "node:path";
import { startReplica } from "#test/live-redis/replica-process.ts";
import { bearer, join, type Member, PASSWORD, post } from "#test/metered/client.ts";
import { optionalPostgres, startPostgres } from "#test/store/ledger/engine/postgres.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 8);
const WARM_MILLISECONDS = 1_500;
const MEMBERS = 20;

interface Load {
  readonly name: string;
  /** Callers at once, and their pauses in milliseconds. */
  readonly callers: number;
  readonly pause: number;
  /** Changes of accounts beside it: each is on the platter before its answer. */
  readonly writers: number;
}

const LOADS: readonly Load[] = [
  { name: "some calls", callers: 4, pause: 10, writers: 0 },
  { name: "as many as it serves", callers: 32, pause: 0, writers: 0 },
  { name: "the same, and changes of accounts", callers: 32, pause: 0, writers: 8 },
];

interface Figures {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly oldest: number;
  /** Lost calls ÷ calls of the last second. */
  readonly part: number;
}

async function round(load: Load, databaseUrl: string | null, counted: (dataDir: string) => Promise<number>) {
  const dataDir = mkdtempSync(pathOf(tmpdir(), "crossrate-loss-"));
  const plans = pathOf(dataDir, "plans.json");
  writeFileSync(plans, JSON.stringify({ free: { minute: 1_000_000_000, month: 1_000_000_000 } }));
  const server = await startReplica({
    DATA_DIR: dataDir,
    ACCESS: "metered",
    ROLE: "api",
    LIVE_FEED: "off",
    TRUSTED_PROXIES: "127.0.0.0/8",
    PLANS_FILE: plans,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  });
  try {
    const members: Member[] = [];
    for (let nth = 0; nth < MEMBERS; nth++) members.push(await join(server.url));
    const before = await counted(dataDir);
    const answeredAt: number[] = [];
    let stopped = false;
    const repeat = async (work: () => Promise<void>) => {
      while (!stopped) await work().catch(() => Bun.sleep(1));
    };
    const call = (nth: number) => async () => {
      const answer = await fetch(`${server.url}/v1/currencies`, {
        headers: bearer(members[nth % MEMBERS]?.key ?? ""),
      });
      await answer.arrayBuffer();
      if (answer.status === 200) answeredAt.push(performance.now());
      if (load.pause > 0) await Bun.sleep(load.pause);
    };
    let written = 0;
    const write = (nth: number) => async () => {
      written += 1;
      const member = members[nth % MEMBERS] as Member;
      const request = post({ policy_version: `v${written}` }, bearer(member.token));
      await (await fetch(`${server.url}/v1/consent`, request)).arrayBuffer();
      if (written % 50 === 0)
        await fetch(
          `${server.url}/v1/auth/sign-in?cookie=0`,
          post({ email: member.email, password: PASSWORD }),
        );
    };
    const work = [
      ...Array.from({ length: load.callers }, (_, nth) => repeat(call(nth))),
      ...Array.from({ length: load.writers }, (_, nth) => repeat(write(nth))),
    ];
    await Bun.sleep(WARM_MILLISECONDS + Math.random() * 1_000);
    const killedAt = performance.now();
    await server.end("SIGKILL");
    const answered = answeredAt.filter((at) => at <= killedAt).length;
    stopped = true;
    await Promise.all(work);
    const lost = Math.max(0, answered - ((await counted(dataDir)) - before));
    const lastSecond = answeredAt.filter((at) => at > killedAt - 1_000 && at <= killedAt).length;
    const oldest = lost === 0 ? 0 : killedAt - (answeredAt[answered - lost] ?? killedAt);
    return { perSecond: lastSecond, oldest, part: lost / Math.max(1, lastSecond) };
  } finally {
    await server.end("SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function inSqlite(dataDir: string): Promise<number> {
  const file = new Database(pathOf(dataDir, "ledger.sqlite"), { readonly: true });
  const row = file.query("SELECT coalesce(sum(served), 0) AS calls FROM usage_daily").get();
  file.close();
  return (row as { calls: number }).calls;
}

function inPostgres(url: string) {
  return async (): Promise<number> => {
    const sql = new Bun.SQL({ adapter: "postgres", url, max: 1 });
    const [row] = await sql.unsafe("SELECT coalesce(sum(served), 0) AS calls FROM usage_daily");
    await sql.close();
    return Number(row.calls);
  };
}

function row(engine: string, { name }: Load, rounds: readonly Figures[]): string {
  const mean = (of: (one: Figures) => number) =>
    rounds.reduce((sum, one) => sum + of(one), 0) / rounds.length;
  const most = (of: (one: Figures) => number) => Math.max(...rounds.map(of));
  const percent = (part: number) => `${(100 * part).toFixed(1)} %`;
  return `| ${engine} | ${name} | ${mean((one) => one.perSecond).toFixed(0)} | ${mean((one) => one.oldest).toFixed(0)} | ${most((one) => one.oldest).toFixed(0)} | ${percent(mean((one) => one.part))} | ${percent(most((one) => one.part))} |`;
}

console.log(
  "| ledger | load | calls/s | oldest lost, mean ms | worst ms | lost ÷ last second, mean | worst |",
);
console.log("|---|---|---|---|---|---|---|");
const programs = optionalPostgres("usage lost on Postgres");
const postgres = programs === null ? null : await startPostgres(programs);
for (const load of LOADS) {
  const [sqlite, others]: [Figures[], Figures[]] = [[], []];
  for (let nth = 0; nth < ROUNDS; nth++) {
    sqlite.push(await round(load, null, inSqlite));
    if (postgres === null) continue;
    const url = await postgres.database();
    others.push(await round(load, url, inPostgres(url)));
  }
  console.log(row("SQLite", load, sqlite));
  if (others.length > 0) console.log(row("Postgres", load, others));
}
await postgres?.stop();
