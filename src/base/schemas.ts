/** The schema library's settings for a run. */
import * as z from "zod/mini";
import en from "zod/v4/locales/en.js";

/** Turns off the compilation of schemas, which pays off only after thousands of values. Call it before the first schema is used. */
export function configureSchemas(): void {
  z.config({ ...en(), jitless: true });
}
