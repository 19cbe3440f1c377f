/** The ledger on Postgres: every call has a deadline, a pool with a connection that stays silent is replaced, and a transaction that lost a race runs again. */

import { LedgerUnavailable } from "#domain/account/ledger.ts";
import { DEADLINE_MILLISECONDS, type Engine, type Statements } from "./engine.ts";
import { meaningOf } from "./faults.ts";
import { checkParams, type Row, raw, sqlOf } from "./rows.ts";

type Connection = Pick<Bun.SQL, "unsafe">;

/** One call of the engine. Late: its deadline has passed, and its caller has received LedgerUnavailable. */
interface Call {
  isLate: boolean;
}

/** Below the deadline: the server gives up first, and the connection stays usable. */
const STATEMENT_MILLISECONDS = 1500;
const CONNECT_SECONDS = 1.5;
const LOCKS = { forUpdate: raw(" FOR UPDATE"), forUpdateSkipLocked: raw(" FOR UPDATE SKIP LOCKED") };
/** Whatever the database or the user has for a default: under a stricter level a transaction that waited for a lock fails. */
const READ_COMMITTED = "ISOLATION LEVEL READ COMMITTED";
const ATTEMPTS = 8;
const LONGEST_PAUSE_MILLISECONDS = 20;
const NO_ANSWER = "no answer in time";

/** The server's clock in milliseconds, which advances within a transaction too. */
const TIME = raw("CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)");

/** Never rejects: it connects with the first statement. */
export function openPostgres({
  url,
  connections,
  deadlineMilliseconds = DEADLINE_MILLISECONDS,
}: {
  readonly url: string;
  readonly connections: number;
  readonly deadlineMilliseconds?: number;
}): Engine {
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
  let [connectedAt, answeredAt] = [performance.now(), performance.now()];

  const query = async (connection: Connection, call: Call, statement: Parameters<typeof sqlOf>) => {
    refuseLate(call);
    const { text, params } = sqlOf(...statement);
    try {
      const result = await connection.unsafe(text, checkParams(params));
      answeredAt = performance.now();
      return result;
    } catch (fault) {
      if ((fault as { errno?: unknown }).errno !== undefined) answeredAt = performance.now();
      throw fault;
    }
  };
  const statementsOf = (connection: Connection, call: Call): Statements => ({
    rows: async (...statement) => (await query(connection, call, statement)) as unknown as readonly Row[],
    run: async (...statement) => (await query(connection, call, statement)).count as number,
  });
  /** Closes the old pool's connections after the time that its other calls may take. */
  const replace = (used: Bun.SQL, closeSeconds: number) => {
    if (used !== pool) return;
    pool = connect();
    connectedAt = performance.now();
    used.close({ timeout: closeSeconds }).catch(() => {});
  };

  /**
   * A paused server or a cut cable sends nothing at all. When no call was answered since this one began, the pool is
   * replaced at the deadline; when others were, one deadline later, because then a single connection is silent.
   */
  const bounded = async <T>(work: (on: Bun.SQL, call: Call) => Promise<T>): Promise<T> => {
    const used = pool;
    const call = { isLate: false };
    const begun = performance.now();
    const working = work(used, call);
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      call.isLate = true;
      late.reject(new LedgerUnavailable(NO_ANSWER));
    }, deadlineMilliseconds);
    try {
      return await Promise.race([working, late.promise]);
    } catch (fault) {
      // Read-only: a connection keeps the default that its database had when it began. Only a new one learns of the end.
      if ((fault as { errno?: unknown }).errno === "25006" && begun - connectedAt > DEADLINE_MILLISECONDS)
        replace(used, DEADLINE_MILLISECONDS / 1000);
      if (call.isLate) {
        if (answeredAt < begun) replace(used, 0);
        const silent = setTimeout(() => replace(used, DEADLINE_MILLISECONDS / 1000), deadlineMilliseconds);
        const settled = () => clearTimeout(silent);
        working.then(settled, settled);
      }
      throw fault;
    } finally {
      clearTimeout(timer);
    }
  };

  /** A read on a connection that had died unnoticed is sent once more, on another. */
  const rows: Statements["rows"] = (...statement) =>
    bounded(async (on, call) => {
      const reading = statementsOf(on, call);
      try {
        return await reading.rows(...statement);
      } catch (fault) {
        if ((fault as { code?: unknown }).code !== "ERR_POSTGRES_CONNECTION_CLOSED") throw fault;
        return await reading.rows(...statement);
      }
    });

  return {
    read: { rows },
    write: (work) =>
      bounded(async (on, call) => {
        for (let attempt = 1; ; attempt++) {
          try {
            return await on.begin(READ_COMMITTED, async (connection) => {
              const result = await work({ ...statementsOf(connection, call), ...LOCKS });
              // A late caller has been refused: its transaction must not be committed any more.
              refuseLate(call);
              return result;
            });
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

/** Throws LedgerUnavailable once the deadline has passed, which rolls a transaction back. */
function refuseLate({ isLate }: Call): void {
  if (isLate) throw new LedgerUnavailable(NO_ANSWER);
}
