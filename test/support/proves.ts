import { it } from 'vitest';

/**
 * A test that proves requirements. The ids stand first, so that the gate can read them from the source, and in the
 * title, so that a failure names what is broken.
 */
export function proves(ids: string | readonly string[], title: string, test: () => void | Promise<void>): void {
  const list = typeof ids === 'string' ? [ids] : ids;
  it(`${title} [${list.join(' ')}]`, test);
}
