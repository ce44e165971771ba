/**
 * Frees the memory of a chunk now, instead of at the next garbage collection: buffers are outside of V8's heap, so 60 MB of
 * unused ones add up between two collections.
 *
 * Only the last user of a chunk may call this. Chunks of a stream may share a buffer, so only the last chunk of a buffer frees it.
 * Small buffers, which Node takes from a shared pool, are not freed.
 */
export function releaseBuffer({ buffer, byteOffset, length }: Buffer): void {
  const isLast = byteOffset + length === buffer.byteLength;
  if (isLast && buffer.byteLength > Buffer.poolSize && buffer instanceof ArrayBuffer) buffer.transfer(0);
}
