import { looksSecret } from '../../core/text/secret-names.ts';
import { canonical, noCapabilities } from '../policy/capabilities.ts';
import type { Capabilities } from '../policy/types.ts';

/** A variable in a text: `${NAME}`, `${NAME:-default}` or `${NAME:?what to do}`. */
const reference = /\$\{([A-Za-z_]\w{0,127})(?::([-?])([^}]*))?\}/g;

/** Fills the variables of a text in; null where one is not set and has no default. */
export function filledIn(text: string, lookUp: (name: string) => string | undefined): string | null {
  let isWhole = true;
  const filled = text.replace(reference, (_, name: string, kind: string | undefined, fallback: string | undefined) => {
    const value = lookUp(name);
    if (value !== undefined && value !== '') return value;
    isWhole &&= kind === '-';
    return fallback ?? '';
  });
  return isWhole ? filled : null;
}

/** The capabilities that the variables in these values ask for: what looks secret is a secret. */
export function referencedBy(values: Readonly<Record<string, string>>): Capabilities {
  const names = Object.values(values).flatMap((value) => [...value.matchAll(reference)].map(([, name = '']) => name));
  return canonical({
    ...noCapabilities,
    env: names.filter((name) => !looksSecret(name)),
    secrets: names.filter((name) => looksSecret(name)),
  });
}
