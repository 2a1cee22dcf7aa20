import type { Environment } from '../../kernel/environment.ts';
import { statOf } from '../../kernel/files.ts';
import { grantsFolder } from '../../policy/grants.ts';

/** Looking this often is cheaper than being told, and works on every file system. */
const lookMs = 500;

/** Calls back when anybody grants or revokes something: at a terminal, through an agent, or here. Returns how to stop. */
export function watchGrants(environment: Environment, changed: () => void): () => void {
  const folder = grantsFolder(environment);
  const lookOf = (): number => {
    const stats = statOf(folder);
    return stats.ok ? stats.value.mtimeMs : 0;
  };
  let last = lookOf();
  const timer = setInterval(() => {
    const now = lookOf();
    if (now !== last) changed();
    last = now;
  }, lookMs).unref();
  return () => clearInterval(timer);
}
