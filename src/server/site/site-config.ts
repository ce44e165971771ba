/** The site's configuration file, `docs.json` (or the older `mint.json`): everything in it is optional. */
import { z } from "zod";
import { resolveReferences } from "./config-references.ts";
import { type DocsTree, readPageText, UnusableFileError } from "./content/docs-tree.ts";

const hexColor = z.string().regex(/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i);

const Link = z.object({
  label: z.string().optional(),
  name: z.string().optional(),
  href: z.string().optional(),
  url: z.string().optional(),
});

const SiteConfig = z.object({
  name: z.string().optional().catch(undefined),
  logo: z
    .union([z.string(), z.object({ light: z.string(), dark: z.string().optional() })])
    .optional()
    .catch(undefined),
  favicon: z
    .union([z.string(), z.object({ light: z.string() }).transform(({ light }) => light)])
    .optional()
    .catch(undefined),
  colors: z
    .object({
      primary: hexColor.optional().catch(undefined),
      light: hexColor.optional().catch(undefined),
      dark: hexColor.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
  /** Any shape: `config-navigation.ts` reads it. */
  navigation: z.unknown().optional(),
  navbar: z
    .object({ links: z.array(Link).catch([]).optional() })
    .optional()
    .catch(undefined),
  redirects: z
    .array(z.object({ source: z.string(), destination: z.string() }))
    .optional()
    .catch(undefined),
});
/** What the site uses of `docs.json`. */
export type SiteConfig = z.infer<typeof SiteConfig>;

/** The configuration, or why there is none. */
export interface ReadSiteConfig {
  /** Which file it is from; absent without one. */
  readonly file?: string;
  readonly config: SiteConfig;
  readonly problem?: string;
}

const fileNames = ["docs.json", "mint.json"];

/** Reads the configuration file of a documents folder; a malformed one is a problem to warn about, not an error. */
export async function readSiteConfig(
  tree: DocsTree,
  { onWarning }: { readonly onWarning: (page: string, message: string) => void },
): Promise<ReadSiteConfig> {
  const file = fileNames.find((name) => tree.files.has(name));
  if (file === undefined) return { config: {} as SiteConfig };
  try {
    const written: unknown = JSON.parse(await readPageText(tree, file));
    const config = await resolveReferences(written, {
      docs: tree,
      file,
      onWarning: (message) => onWarning(file, message),
    });
    const parsed = SiteConfig.safeParse(config);
    if (parsed.success) return { file, config: parsed.data };
    return { file, config: {} as SiteConfig, problem: "it is not an object" };
  } catch (error) {
    if (error instanceof SyntaxError)
      return { file, config: {} as SiteConfig, problem: `it is not JSON: ${error.message}` };
    if (error instanceof UnusableFileError) return { file, config: {} as SiteConfig, problem: error.message };
    throw error;
  }
}
