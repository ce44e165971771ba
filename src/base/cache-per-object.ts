/** A function of an object whose result is kept as long as the object itself. */
export function cachePerObject<Key extends WeakKey, Value extends {}>(
  make: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}
