/** The schema library's settings for a run. */
import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";

/** To be called before a run's first schema reads a value: compiling a schema pays off after thousands of them, and a run reads a few. */
export function configureSchemas(): void {
  z.config({ ...en(), jitless: true });
}
