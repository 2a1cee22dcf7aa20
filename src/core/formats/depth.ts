/**
 * Levels of nesting, more than any real file has. Thousands of them overflow the stack of whatever prints or compares
 * the value.
 */
const mostLevels = 100;
export const tooDeep = `nested more than ${mostLevels} levels deep`;

/** Tells whether a value is nested too deeply, without recursion, which is what such a value is made to break. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostLevels) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
