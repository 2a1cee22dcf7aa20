/** The result of an action, or something else where it throws: for what is only looked at, or may have gone meanwhile. */
export function attempt<T, F>(action: () => T, otherwise: F): T | F {
  try {
    return action();
  } catch {
    return otherwise;
  }
}

/** Tells whether an action can be done, by doing it. */
export function succeeds(action: () => void): boolean {
  return attempt(() => {
    action();
    return true;
  }, false);
}
