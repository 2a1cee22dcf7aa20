import { dirname } from 'node:path';
import { findProgram } from '../../../agents/setup/plan/entry.ts';
import { SkillError } from '../../../core/errors.ts';
import { choice, flag, optional, text } from '../../../core/schema/schema.ts';
import { aliasFile, aliasName, isOnPath, namesakesOf, putAlias, removeAlias } from '../../alias.ts';
import { defineOperation } from '../../operation.ts';

export interface AliasOutput {
  readonly name: string;
  readonly file: string;
  readonly action: 'made' | 'unchanged' | 'removed' | 'absent';
  /** Whether a shell looks for programs in its folder. */
  readonly isOnPath: boolean;
  /** Other programs of that name that a shell finds first. */
  readonly hiddenBy: readonly string[];
  /** Other programs of that name that a shell no longer finds. */
  readonly hides: readonly string[];
}

export const alias = defineOperation({
  name: 'alias',
  effect: 'acts',
  input: {
    name: choice([aliasName], `The other name: ${aliasName}.`),
    dir: optional(text('The folder to put it in (~/.local/bin).')),
    remove: flag('Remove it again.', { default: false }),
  },
  async run({ environment }, { name, dir, remove }): Promise<AliasOutput> {
    if (environment.platform === 'win32') {
      throw new SkillError('unavailable', 'aliases are shell scripts, which Windows does not run', {
        hint: `In PowerShell: Set-Alias ${name} repertoire`,
      });
    }
    const file = aliasFile(dir, environment);
    const program = findProgram(environment);
    const action = remove ? removeAlias(file, program) : putAlias(file, program);
    const { before, behind } = namesakesOf(file, environment);
    return {
      name,
      file,
      action,
      isOnPath: isOnPath(dirname(file), environment),
      hiddenBy: before,
      hides: remove ? [] : behind,
    };
  },
});
