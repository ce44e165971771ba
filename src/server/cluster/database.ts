/** Postgres connections, transactions, and migrations of the platform's tables. */
import pg from "pg";
import { ActionError } from "../../base/errors.ts";
import { certificateErrorDetails } from "../../base/http.ts";
import { retry } from "../../base/retry.ts";
import type { Log } from "../../base/runtime.ts";
import { codeOf, messageOf } from "../../base/text.ts";
import { StorageUnavailableError } from "../base/storage.ts";

/**
 * Each migration upgrades the tables by one version. Version N of the program must also work with the tables of version N+1, so a
 * migration must not rename or remove what the previous program uses. Released migrations never change.
 */
const migrations = [
  `CREATE TABLE docs_platform.records (
     collection text NOT NULL,
     id text NOT NULL,
     data jsonb NOT NULL,
     change text,
     PRIMARY KEY (collection, id)
   );
   CREATE INDEX records_created ON docs_platform.records (collection, (data->>'createdAt') DESC);
   CREATE INDEX records_updated ON docs_platform.records (collection, (coalesce(data->>'updatedAt', data->>'createdAt')));
   CREATE INDEX records_status ON docs_platform.records (collection, (data->>'status'));
   CREATE INDEX records_domain ON docs_platform.records (collection, (data->>'domain'));`,
];

/** The client's own timeout of a query, for a network that drops packets. */
export const clientTimeout = { query_timeout: 65_000 };

/** @param maxIdleMs Postgres closes a connection that is idle in a transaction for longer, for example on a paused machine. */
export function openPool(connectionString: string, max: number, log: Log, maxIdleMs = 10_000): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: "docs-platform",
    connectionTimeoutMillis: 30_000,
    statement_timeout: 60_000,
    ...clientTimeout,
    idle_in_transaction_session_timeout: maxIdleMs,
    keepAlive: true,
  });
  // A connection can break before its first user listens, and an error without a listener would end the process.
  pool.on("connect", (client) => client.on("error", () => undefined));
  // The pool replaces an idle connection that breaks.
  pool.on("error", (error) => log.debug(`A connection to the database ended: ${error.message}`));
  return pool;
}

/**
 * SQLSTATEs and system errors of temporary failures: broken connections; a server that starts, stops, is a standby, refuses the user
 * (while its password changes), or lacks connections, memory or disk; and transaction conflicts.
 */
const unavailable =
  /^(?:08|28|57|53|58|25P03|25006|40|55P03|ECONN(?:REFUSED|RESET)$|EPIPE$|ETIMEDOUT$|ENOTFOUND$|EAI_AGAIN$|EHOSTUNREACH$)/;

/**
 * Runs idempotent work, and retries it for up to 30 seconds while the database is unavailable, for example during its restart.
 *
 * @throws {StorageUnavailableError} if the database stays unavailable.
 */
export async function whileAvailable<Result>(log: Log, work: () => Promise<Result>): Promise<Result> {
  const retryAfterMs = (error: unknown) => (isUnavailable(error) ? 200 : undefined);
  const timing = { attempts: 12, backoff: { baseMs: 250, maxMs: 2000 }, deadlineMs: Date.now() + 30_000 };
  try {
    return await retry(work, { ...timing, retryAfterMs, signal: new AbortController().signal });
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    log.debug(`The database does not respond: ${messageOf(error)}`);
    throw new StorageUnavailableError("The database does not respond.", { cause: error });
  }
}

function isUnavailable(error: unknown): boolean {
  return (
    unavailable.test(codeOf(error) ?? "") ||
    /^(?:Connection terminated|timeout exceeded|Query read timeout|Client (?:has encountered|was closed))/.test(
      messageOf(error),
    )
  );
}

/** Runs work in a transaction, which is rolled back on an error. */
export async function inTransaction<Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A connection in use reports its failure as an event; the next statement then fails.
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError);
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    // Statements on a broken connection fail with an unspecific error, so prefer the connection's own error.
    const cause = broken ?? error;
    // Closing the connection rolls back as well, without waiting for a server that does not respond. The next attempt connects again,
    // perhaps to another server.
    if (cause instanceof Error && isUnavailable(cause)) broken ??= cause;
    else await client.query("ROLLBACK").catch(onError);
    throw cause;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

/**
 * Migrates the tables; only one process migrates at a time.
 *
 * @throws {ActionError} if the database is unavailable, or the user lacks permissions.
 */
export async function migrate(pool: pg.Pool): Promise<void> {
  try {
    await inTransaction(pool, async (client) => {
      await client.query("SELECT pg_advisory_xact_lock(hashtextextended('docs_platform.migrations', 0))");
      if ((await readVersion(client)) >= migrations.length) return;
      await client.query("CREATE SCHEMA IF NOT EXISTS docs_platform");
      await client.query("CREATE TABLE IF NOT EXISTS docs_platform.migrations (version int PRIMARY KEY)");
      for (const [index, migration] of migrations.entries()) {
        const insert = "INSERT INTO docs_platform.migrations VALUES ($1) ON CONFLICT DO NOTHING";
        const { rowCount } = await client.query(insert, [index + 1]);
        if (rowCount === 1) await client.query(migration);
      }
    });
  } catch (error) {
    const message = `The database cannot be used: ${messageOf(error)}`;
    throw new ActionError("unavailable", message, { hint: hintFor(error), cause: error });
  }
}

function hintFor(error: unknown): string {
  if (certificateErrorDetails(codeOf(error)).hint !== undefined)
    return "The server's certificate must name the host of --database-url. Set NODE_EXTRA_CA_CERTS to the file of the authority that issued it.";
  if (/no encryption|server does not support SSL/i.test(messageOf(error)))
    return "`sslmode=verify-full` in --database-url encrypts the connection, `sslmode=disable` does not.";
  return "Check --database-url. At the first start, the user needs the permission to create schemas.";
}

/** Whether the tables have this program's version or a newer one. */
export async function isMigrated(pool: pg.Pool): Promise<boolean> {
  return (await readVersion(pool)) >= migrations.length;
}

/** The version of the tables; 0 if there are none. */
async function readVersion(database: pg.Pool | pg.PoolClient): Promise<number> {
  const { rows: tables } = await database.query<{ found: string | null }>(
    "SELECT to_regclass('docs_platform.migrations') AS found",
  );
  if (tables[0]?.found == null) return 0;
  const { rows } = await database.query<{ version: number | null }>(
    "SELECT max(version) AS version FROM docs_platform.migrations",
  );
  return rows[0]?.version ?? 0;
}
