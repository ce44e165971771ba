/** Paths of the site's files that every system can hold: the archive made on Linux is unpacked on Windows and macOS. */

const reservedCharacters = /[?#%\\:*"<>|\p{Cc}]/gu;
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;
/** File systems take 255; an extension and a number need some of them. */
const maxSegmentBytes = 220;

function cutSegment(segment: string): string {
  // No character takes less than a byte: what is longer needs no counting.
  const characters = [...segment.slice(0, maxSegmentBytes)];
  while (Buffer.byteLength(characters.join("")) > maxSegmentBytes) characters.pop();
  return characters.join("").replace(/[\uD800-\uDBFF]$/, "");
}

function toPortableSegment(segment: string): string {
  const plain = cutSegment(segment.replace(reservedCharacters, "-")).replace(/[. ]+$/, (end) =>
    "-".repeat(end.length),
  );
  return windowsDevice.test(plain) ? `_${plain}` : plain;
}

/** Replaces what a URL or some file system would give a meaning of its own, or refuse. */
export function toPortablePath(path: string): string {
  return path.split("/").map(toPortableSegment).join("/");
}

/** The same for names that some system takes for one and the same. */
function identityOf(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** The paths of one site; no two are the same on any system. */
export interface PathClaims {
  isFree(path: string): boolean;
  /** Takes a path that is free; its folders are spelled as they were at their first claim. */
  claim(path: string): string;
  /** Takes the path, or the first free one that is numbered before its extension. */
  claimNext(path: string): string;
}

/** Starts without any path taken. */
export function createPathClaims(): PathClaims {
  const taken = new Set<string>();
  const folders = new Map<string, string>();

  function spell(path: string): string {
    const segments = path.split("/");
    const name = segments.pop() ?? "";
    let folder = "";
    for (const segment of segments) {
      const wanted = `${folder}${segment}/`;
      folder = folders.get(identityOf(wanted)) ?? wanted;
      folders.set(identityOf(wanted), folder);
    }
    return folder + name;
  }

  const isFree = (path: string) => !taken.has(identityOf(path));

  function claim(path: string): string {
    taken.add(identityOf(path));
    return spell(path);
  }

  function claimNext(path: string): string {
    const [, base = path, extension = ""] = /^(.*?)(\.[^./]*)?$/s.exec(path) ?? [];
    let free = path;
    for (let count = 2; !isFree(free); count += 1) free = `${base}-${count}${extension}`;
    return claim(free);
  }

  return { isFree, claim, claimNext };
}
