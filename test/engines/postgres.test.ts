import { describe, expect, test } from "vitest";
import { run } from "./engine.ts";
import { startPostgres } from "./postgres.ts";

async function query(url: string, sql: string, options: { timeout?: number } = {}): Promise<string> {
  const { stdout } = await run("psql", [url, "--no-psqlrc", "-At", "-c", sql], options);
  return stdout.trim();
}

describe("PostgreSQL of the tests", { timeout: 600_000 }, () => {
  test("keeps committed data and its address after a kill", async () => {
    await using postgres = await startPostgres();
    const url = await postgres.createDatabase();
    await query(url, "create table notes (text text); insert into notes values ('kept')");

    await postgres.kill();
    await expect(query(url, "select 1")).rejects.toThrow(/Connection refused/);
    await postgres.start();

    expect(await query(url, "select text from notes")).toBe("kept");
  });

  test("does not respond while it is paused, and responds afterwards", async () => {
    await using postgres = await startPostgres();
    const sleeper = query(postgres.url, "select pg_sleep(0.2), 'done'");

    await postgres.pause();
    await expect(query(postgres.url, "select 1", { timeout: 300 })).rejects.toThrow();
    await postgres.resume();

    expect(await sleeper).toBe("|done");
    expect(await query(postgres.url, "select 1")).toBe("1");
  });
});
