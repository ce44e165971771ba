import { z } from "zod";
import { publicName } from "../src/action/input-catalog.ts";
import { Outputs } from "../src/action/outputs.ts";

const Meta = z.object({ description: z.string(), commands: z.array(z.string()) });

/** The outputs as data: public name, commands and description, read off the schema. */
export function listOutputs() {
  return Object.entries(Outputs.shape).map(([key, schema]) => ({
    name: publicName(key),
    ...Meta.parse(schema.meta()),
  }));
}
