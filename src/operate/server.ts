/**
 * The operators' listener: a separate port on the loopback address, because it must never be public. Its application is
 * admission → session → page or form. Whoever can read the token file can sign in.
 */

import { lstat, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { Elysia } from "elysia";
import { readForm } from "#api/request/body.ts";
import { asRouted } from "#api/request/inner-request.ts";
import { query } from "#api/request/query.ts";
import { type Random, randomText } from "#domain/account/key.ts";
import type { CollectionReview, FigureReview } from "#ports.ts";
import type { Emit } from "#telemetry.ts";
import { accounts, type OperatorTools } from "#web/operator/accounts.tsx";
import { audit } from "#web/operator/audit.tsx";
import { figurePages } from "#web/operator/figures.tsx";
import { overview } from "#web/operator/overview.tsx";
import { assets, refusals, seeOther } from "#web/operator/respond.ts";
import { admission, type SessionDeps, session } from "./session.ts";

/** Thrown when the token cannot be stored safely. The message says what to do and never contains the token. */
export class TokenFileFault extends Error {
  constructor(path: string, what: string) {
    super(`${path}: ${what}`);
    this.name = "TokenFileFault";
  }
}

const OTHERS_WRITE = 0o022;

/**
 * Replaces the token file in one step; a link is replaced, not followed. Rejects with TokenFileFault when anyone but the
 * owner could replace the file.
 */
export async function writeToken(path: string, token: string, random: Random): Promise<void> {
  const folder = dirname(path);
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  if (!stats.isDirectory()) throw new TokenFileFault(folder, "a plain directory is needed here");
  if ((stats.mode & OTHERS_WRITE) !== 0) {
    throw new TokenFileFault(folder, `others may replace files in it; run: chmod 700 ${folder}`);
  }
  const made = `${path}.${randomText(random, 8)}.new`;
  const file = await open(made, "wx", 0o600);
  try {
    await file.writeFile(`${token}\n`);
  } finally {
    await file.close();
  }
  await rename(made, path);
}

/** Removes the token file, unless another process has written its own token to it. */
async function removeToken(path: string, token: string): Promise<void> {
  const text = await readFile(path, "utf8").catch(() => "");
  if (text.trim() === token) await rm(path, { force: true });
}

export interface OperatorDeps extends Omit<SessionDeps, "clock"> {
  /** The loopback address of the listener. */
  readonly host: string;
  readonly tools: OperatorTools;
  readonly figures: FigureReview;
  readonly collections: CollectionReview;
  readonly emit: Emit;
}

const LARGEST_FORM_BYTES = 4_096;

export const operatorApp = (deps: OperatorDeps) =>
  new Elysia({ precompile: true, normalize: false, handler: { standardHostname: false } })
    .use(refusals(deps))
    .use(admission(deps))
    .use(query)
    .onParse(async ({ request }) => await readForm(request, LARGEST_FORM_BYTES))
    .use(session({ ...deps, clock: deps.tools.clock }))
    .get("/", async () => seeOther("/operator/overview"))
    .use(assets())
    .use(overview(deps))
    .use(accounts(deps.tools))
    .use(audit(deps.tools))
    .use(figurePages(deps));

export interface OperatorServerOptions extends Omit<OperatorDeps, "token"> {
  /** The file that the token is written to. `port` 0 takes any free port. */
  readonly tokenPath: string;
}

export interface OperatorServer {
  readonly url: string;
  /** Resolves when the port is closed, all requests have ended, and the token is removed. */
  stop(): Promise<void>;
}

const TOKEN_CHARACTERS = 43; // 256 bits
/** The runtime refuses larger requests; forms have a smaller bound. */
const LARGEST_REQUEST_BYTES = 65_536;

/** Rejects when the port is taken, or with TokenFileFault. */
export async function startOperatorServer(options: OperatorServerOptions): Promise<OperatorServer> {
  const { port, host, tokenPath, random, emit } = options;
  const token = randomText(random, TOKEN_CHARACTERS);
  const unanswered = new Set<Promise<Response>>();
  const server = Bun.serve({
    port,
    hostname: host,
    reusePort: false,
    development: false,
    maxRequestBodySize: LARGEST_REQUEST_BYTES,
    fetch: (request) => {
      const answered = Promise.resolve(app.fetch(asRouted(request)));
      unanswered.add(answered);
      return answered.finally(() => unanswered.delete(answered));
    },
  });
  const app = operatorApp({ ...options, token, port: server.port ?? port });
  // Only when the port is bound: if another process has the port, its token file must stay.
  await writeToken(tokenPath, token, random).catch(async (fault: unknown) => {
    await server.stop(true);
    throw fault;
  });
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${server.port}`;
  emit({ kind: "listener_started", listener: "operators", url, tokenPath });
  return {
    url,
    stop: async () => {
      await server.stop(true);
      // The ledger is closed next: every change must be complete.
      await Promise.allSettled(unanswered);
      await removeToken(tokenPath, token);
    },
  };
}
