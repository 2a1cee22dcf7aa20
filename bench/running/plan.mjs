import { randomUUID } from 'node:crypto';
import { skillTarget } from '../../src/sandbox/types.ts';
import { specFor } from './spec.mjs';

/**
 * What the native runtime launches for a run that does nothing.
 *
 * @param {string} folder of the skill
 * @returns {import('../../src/sandbox/linux/plan.ts').LaunchPlan}
 */
export function planFor(folder) {
  const { env, limits } = specFor(folder, { kind: 'command', program: '/bin/true', args: [] });
  const skill = { source: folder, target: skillTarget, access: /** @type {const} */ ('read') };
  return {
    id: randomUUID(),
    argv: ['/bin/true'],
    env,
    cwd: skillTarget,
    binds: [skill],
    proc: true,
    limits,
    stdin: 'none',
  };
}
