/** The requests of each command on each event, as the tests hold them: `npm run bench -- requests`. */
import { countedRuns } from "../test/support/counted-runs.ts";
import type { Report } from "./report.ts";

export const title = "Requests";

export async function run(): Promise<Report> {
  const rows: (string | number)[][] = [];
  for (const [command, runs] of Object.entries(countedRuns)) {
    for (const { event, run: send } of runs) {
      const { github, platform } = await send();
      rows.push([`${command}: ${event}`, github.length, platform.length]);
    }
  }
  const intro =
    'Each run uses stand-ins over real HTTP. "GitHub" is its API, its artifact service and its cache. Jobs end at the second poll. A longer job takes one request to the platform for each poll, and one to GitHub every two minutes. Tests check these counts.';
  return {
    intro,
    tables: [{ caption: "Requests of one run.", columns: ["run", "GitHub", "platform"], rows }],
  };
}
