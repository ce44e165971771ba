/** The project's only check whether a path is inside a folder. */
import { isAbsolute, relative, sep } from "node:path";

/** Whether `path` is `folder` or is inside it. Both must be absolute. The caller resolves symbolic links if they matter. */
export function isInside(folder: string, path: string): boolean {
  const inner = relative(folder, path);
  return inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}
