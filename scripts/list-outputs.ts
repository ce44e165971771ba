import { z } from "zod";
import { publicName } from "../src/commands/input-catalog.ts";
import { Outputs } from "../src/commands/outputs.ts";

const Meta = z.object({ description: z.string(), commands: z.array(z.string()) });

/** The outputs as data: public name, commands and description, read off the schema. */
export function listOutputs() {
  return Object.entries(Outputs.shape).map(([key, schema]) => ({
    name: publicName(key),
    ...Meta.parse(schema.meta()),
  }));
}
