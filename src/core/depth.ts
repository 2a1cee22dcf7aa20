/** Deeper than any real file; what is thousands of levels deep overflows the stack of whoever prints or compares it. */
const mostLevels = 100;
export const tooDeep = `nested more than ${mostLevels} levels deep`;

/** Looks without recursion, which is what such a value is made to break. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostLevels) return true;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return false;
}
