/** Records in Postgres: one row per record, as JSON. */
import { randomBytes } from "node:crypto";
import type pg from "pg";
import type * as z from "zod/mini";
import type { Log } from "../../base/runtime.ts";
import {
  type Dated,
  expectedValues,
  type Records,
  StorageUnavailableError,
  type Work,
} from "../base/storage.ts";
import { inTransaction, whileAvailable } from "./database.ts";

/** Queues work in the connection's transaction. */
export type SendWork = (client: pg.PoolClient, id: string, work: Work) => Promise<void>;

interface Row {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Tokens of the newest changes. */
  readonly change: string | null;
}

/** Opens a collection. A record that does not match the schema, such as one of a newer program, is treated as missing. */
export function openPostgresRecords<Value extends Dated>(
  pool: pg.Pool,
  collection: string,
  schema: z.ZodMiniType<Value>,
  sendWork: SendWork,
  log: Log,
): Records<Value> {
  const parse = ({ id, data }: Pick<Row, "id" | "data">): Value | undefined => {
    const parsed = schema.safeParse(data);
    if (!parsed.success) log.warning(`Ignored an invalid record: ${collection}/${id}`);
    return parsed.data;
  };
  /** @throws {StorageUnavailableError} for a record of a newer program, so that its work is handed back for that program. */
  const parseOwn = (row: Row): Value => {
    const value = parse(row);
    if (value !== undefined) return value;
    throw new StorageUnavailableError(`The record ${collection}/${row.id} was written by a newer program.`);
  };
  const select = "SELECT id, data, change FROM docs_platform.records WHERE collection = $1 AND id = $2";
  const insert = `INSERT INTO docs_platform.records (collection, id, data, change) VALUES ($1, $2, $3, $4)
    ON CONFLICT DO NOTHING`;
  const replace = `UPDATE docs_platform.records SET data = $3, change = left($4 || coalesce(' ' || change, ''), 2000)
    WHERE collection = $1 AND id = $2`;
  /** Changes or creates a record, and queues the work in the same transaction. */
  const change = (id: string, changeOf: (current: Value | undefined) => Value, work?: Work) => {
    const token = randomBytes(9).toString("base64url");
    let changed: Value | undefined;
    const run = async (client: pg.PoolClient): Promise<Value> => {
      const [row] = (await client.query<Row>(`${select} FOR UPDATE`, [collection, id])).rows;
      // The change was committed, but its response was lost. Other changes may have followed.
      if (changed !== undefined && row?.change?.includes(token)) return changed;
      const current = row && parseOwn(row);
      changed = changeOf(current);
      // Preserve fields that a newer program added.
      const unknown = Object.entries(row?.data ?? {}).filter(([name]) => current && !(name in current));
      const data = toJson({ ...Object.fromEntries(unknown), ...changed });
      const { rowCount } = await client.query(row ? replace : insert, [collection, id, data, token]);
      // Another process has created the record meanwhile.
      if (rowCount !== 1) return run(client);
      if (work !== undefined) await sendWork(client, id, work);
      return changed;
    };
    return whileAvailable(log, () => inTransaction(pool, run));
  };
  return {
    async get(id) {
      // The id may come from a request, and Postgres rejects NUL.
      if (id.includes("\0")) return undefined;
      const { rows } = await whileAvailable(log, () => pool.query<Row>(select, [collection, id]));
      return rows[0] && parse(rows[0]);
    },
    async list(query = {}) {
      const { updatedBefore, limit } = query;
      const parameters: unknown[] = [collection];
      const add = (parameter: unknown) => `$${parameters.push(parameter)}`;
      const conditions = expectedValues(query).map(
        ({ name, values }) => `data->>'${name}' = ANY(${add(values)})`,
      );
      if (updatedBefore !== undefined)
        conditions.push(`coalesce(data->>'updatedAt', data->>'createdAt') < ${add(updatedBefore)}`);
      const filter = ["collection = $1", ...conditions].join(" AND ");
      const rest = `ORDER BY data->>'createdAt' DESC, id LIMIT ${add(limit ?? null)}`;
      const selectAll = `SELECT id, data FROM docs_platform.records WHERE ${filter} ${rest}`;
      const { rows } = await whileAvailable(log, () => pool.query<Row>(selectAll, parameters));
      return rows.map(parse).filter((value) => value !== undefined);
    },
    put: (id, value, work) => change(id, () => value, work),
    update(id, changeOf, work) {
      const changeExisting = (current: Value | undefined) => {
        if (current === undefined) throw new RangeError(`No record ${id} in ${collection}.`);
        return changeOf(current);
      };
      return change(id, changeExisting, work);
    },
    upsert: change,
    async remove(id) {
      const query = "DELETE FROM docs_platform.records WHERE collection = $1 AND id = $2";
      await whileAvailable(log, () => pool.query(query, [collection, id]));
    },
  };
}

/** Serializes to JSON that Postgres accepts: without NUL and unpaired surrogates. */
function toJson(value: object): string {
  return JSON.stringify(value, (_, field: unknown) =>
    typeof field === "string" ? field.replaceAll("\0", "\uFFFD").toWellFormed() : field,
  );
}
