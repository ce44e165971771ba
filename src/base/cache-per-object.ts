/** Caches the results of a function of an object. A result is kept as long as its object exists. */
export function cachePerObject<Key extends WeakKey, Value extends {}>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const cache = new WeakMap<Key, Value>();
  return (key) => {
    const value = cache.get(key) ?? compute(key);
    cache.set(key, value);
    return value;
  };
}
