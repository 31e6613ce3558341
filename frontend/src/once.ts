/**
 * A function of an object that is worked out once for each: for what is asked of every cell, and the
 * same in all of them. Answers and models are never changed, only replaced.
 */
export function once<K extends object, V>(work: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const value = work(key);
    known.set(key, value);
    return value;
  };
}
