import { thisProcess } from '../../kernel/owner.ts';
import { removeFolder } from '../linux/owner.ts';
import { temporaryFolder } from '../temporary.ts';
import { type RunSpec, scratchTarget } from '../types.ts';

export const scratchPrefix = 'repertoire-scratch-';

/** What a run is given where folders cannot be shown under other names. */
export interface RealRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly scratch: string;
  remove(): void;
}

/** The run with its skill where it really is, and a scratch folder of its own that goes away after it. */
export function realRunOf(spec: RunSpec): RealRun | null {
  if (spec.task.kind !== 'command') return null;
  const scratch = temporaryFolder(`${scratchPrefix}${thisProcess()}-`);
  // Variables may name the scratch folder. Arguments are somebody's text, and are left alone.
  const env = Object.entries(spec.env).map(([name, value]) => [name, value === scratchTarget ? scratch : value]);
  return {
    program: spec.task.program,
    args: spec.task.args,
    env: { ...(Object.fromEntries(env) as Record<string, string>), TMPDIR: scratch },
    cwd: spec.folder === 'skill' ? spec.skillFolder : scratch,
    scratch,
    remove: () => removeFolder(scratch),
  };
}
