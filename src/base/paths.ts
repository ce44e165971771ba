/** Whether a path stays inside a folder: the one containment check of the project. */
import { isAbsolute, relative, sep } from "node:path";

/** Whether `path` is `folder` itself or lies below it; both absolute, links already resolved where links matter. */
export function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}
