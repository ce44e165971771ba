/** Stands for Amazon's command line: the test that `SYNC_URL` leads to copies one bucket to the other. */
import { check, startsWith } from "./check.ts";

const [, , from = "", to = ""] = process.argv.slice(2);
check(process.argv.length === 6 && startsWith(process.argv.slice(2), "s3", "sync"), "aws: invalid choice");
for (const address of [from, to]) check(/^s3:\/\/[\w.-]+$/.test(address), "Invalid argument type");
const parameters = new URLSearchParams({ from: from.slice(5), to: to.slice(5) });
const { status } = await fetch(`${process.env["SYNC_URL"]}/?${parameters}`, { method: "POST" });
check(status === 200, "fatal error: the buckets cannot be synchronized");
