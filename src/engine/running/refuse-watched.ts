import type { Environment } from '../../kernel/environment.ts';
import { SkillError } from '../../kernel/errors.ts';
import { readPolicy } from '../../policy/operator.ts';
import type { Enforcement } from '../../sandbox/types.ts';

/** Refuses what would only be watched, where the operator wants it held. */
export async function refuseWatched(environment: Environment, enforcement: readonly Enforcement[]): Promise<void> {
  const isWatched = enforcement.some(({ what, by }) => /^(?:memory|cpu)$/.test(what) && by.startsWith('watched'));
  if (!isWatched) return;
  const { watchedLimits, file } = await readPolicy(environment);
  if (watchedLimits) return;
  const message = `memory and processor time can only be watched here, which the policy in ${file} does not allow`;
  throw new SkillError('denied', message, {
    hint: 'Run it where control groups can be made (repertoire doctor --sandbox), or set `watched_limits` under [allow] to true.',
  });
}
