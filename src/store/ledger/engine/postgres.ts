/** The ledger on Postgres: a pool that fails fast, is replaced when it no longer answers, and repeats transactions that lost a race. */

import { LedgerUnavailable } from "#domain/account/ledger-faults.ts";
import { DEADLINE_MILLISECONDS, type Engine, type Statements } from "./engine.ts";
import { meaningOf } from "./faults.ts";
import { checkParams, type Param, type Row } from "./rows.ts";

export interface PostgresOptions {
  readonly url: string;
  /** At most so many at once, for this process. */
  readonly connections: number;
  readonly deadlineMilliseconds?: number;
}

type Asker = Pick<Bun.SQL, "unsafe">;

/** Below the deadline, so that the server gives up first and the connection stays usable. */
const STATEMENT_MILLISECONDS = 1500;
const CONNECT_SECONDS = 1.5;
const LOCKS = { forUpdate: " FOR UPDATE", forUpdateSkipLocked: " FOR UPDATE SKIP LOCKED" };
const ATTEMPTS = 8;
const LONGEST_PAUSE_MILLISECONDS = 20;

/** SQL of the server's clock in milliseconds, moving within a transaction too. */
const TIME = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";

/** Never rejects: it connects with the first statement. */
export function openPostgres({
  url,
  connections,
  deadlineMilliseconds = DEADLINE_MILLISECONDS,
}: PostgresOptions): Engine {
  const connect = () =>
    new Bun.SQL({
      adapter: "postgres",
      url,
      max: connections,
      connectionTimeout: CONNECT_SECONDS,
      connection: {
        application_name: "crossrate-ledger",
        statement_timeout: STATEMENT_MILLISECONDS,
        lock_timeout: STATEMENT_MILLISECONDS,
        idle_in_transaction_session_timeout: 2 * DEADLINE_MILLISECONDS,
      },
    });
  let pool = connect();
  let answeredAt = performance.now();

  const ask = async (asker: Asker, text: string, params: readonly Param[]) => {
    try {
      const result = await asker.unsafe(text, checkParams(params));
      answeredAt = performance.now();
      return result;
    } catch (fault) {
      if ((fault as { errno?: unknown }).errno !== undefined) answeredAt = performance.now();
      throw fault;
    }
  };
  const statementsOf = (asker: Asker): Statements => ({
    rows: async (text, ...params) => (await ask(asker, text, params)) as unknown as readonly Row[],
    run: async (text, ...params) => (await ask(asker, text, params)).count as number,
  });

  /** A server that is paused, or a cable that is cut, says nothing at all: the pool's connections are then given up. */
  const bounded = async <T>(work: (on: Bun.SQL) => Promise<T>): Promise<T> => {
    const used = pool;
    const begun = performance.now();
    const working = work(used);
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new LedgerUnavailable("no answer in time")),
      deadlineMilliseconds,
    );
    try {
      return await Promise.race([working, late.promise]);
    } catch (fault) {
      working.catch(() => {});
      if (fault instanceof LedgerUnavailable && answeredAt < begun && used === pool) {
        pool = connect();
        used.close({ timeout: 0 }).catch(() => {});
      }
      throw fault;
    } finally {
      clearTimeout(timer);
    }
  };

  /** A read on a connection that had died unnoticed is asked once more, on another. */
  const reading = <T>(work: (statements: Statements) => Promise<T>): Promise<T> =>
    bounded(async (on) => {
      try {
        return await work(statementsOf(on));
      } catch (fault) {
        if ((fault as { code?: unknown }).code !== "ERR_POSTGRES_CONNECTION_CLOSED") throw fault;
        return await work(statementsOf(on));
      }
    });

  return {
    read: {
      rows: (text, ...params) => reading((statements) => statements.rows(text, ...params)),
      run: (text, ...params) => reading((statements) => statements.run(text, ...params)),
    },
    write: (work) =>
      bounded(async (on) => {
        for (let attempt = 1; ; attempt++) {
          try {
            return await on.begin((sql) => work({ ...statementsOf(sql), ...LOCKS }));
          } catch (fault) {
            if (meaningOf(fault) !== "race" || attempt === ATTEMPTS) throw fault;
          }
          await Bun.sleep((LONGEST_PAUSE_MILLISECONDS * attempt) / ATTEMPTS);
        }
      }),
    time: TIME,
    close: () => pool.close({ timeout: DEADLINE_MILLISECONDS / 1000 }),
  };
}
