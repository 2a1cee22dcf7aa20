import { SkillError } from '../../kernel/errors.ts';
import type { FolderDigest } from '../../policy/digest.ts';
import type { Engine } from '../engine.ts';
import { permissionsOf } from './prepare.ts';
import type { Target } from './target.ts';
import { watchGrants } from './watch-grants.ts';

/** What a run was allowed on the strength of. */
export interface Allowed {
  /** The files that the grant is for. */
  readonly digest: FolderDigest;
  /** How grants stood before it was looked up. */
  readonly since: string;
}

/** Calls back when a run under way would no longer be allowed what it asks for. Returns how to stop. */
export function watchPermissions(
  engine: Engine,
  target: Target,
  { digest, since }: Allowed,
  revoked: (why: SkillError) => void,
): () => void {
  const check = async (): Promise<void> => {
    try {
      await permissionsOf(engine, target, digest);
    } catch (error) {
      if (!(error instanceof SkillError) || error.code !== 'denied') return; // the next run is told
      revoked(new SkillError('denied', `its grant was revoked or changed: ${error.message}`, { cause: error }));
    }
  };
  return watchGrants(engine.environment, () => void check(), target.skill.id, since);
}
