import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isThere } from '../../../core/disk/files.ts';
import { makeFolder } from '../../../core/disk/make-folder.ts';
import type { Environment } from '../../../core/environment.ts';
import { reasonOf, SkillError } from '../../../core/errors.ts';
import { choice, optional, text } from '../../../core/schema/schema.ts';
import { type DiscoveryOptions, standardRoots } from '../../../discovery/roots.ts';
import { runtimeNames } from '../../../run/policy/types.ts';
import { scaffold } from '../../../run/tools/scaffold/scaffold.ts';
import { defineOperation } from '../../operation.ts';

export interface NewOutput {
  readonly name: string;
  readonly folder: string;
  /** Paths relative to the folder. */
  readonly files: readonly string[];
}

/** Mode of a skill's folders, for others to read too: containers, and all runs of root, are users that own nothing. */
const sharedMode = 0o777;

export const create = defineOperation({
  name: 'new',
  effect: 'acts',
  input: {
    what: choice(['skill'], 'What to create: skill.'),
    name: text('Its name: lower-case-words.'),
    dir: optional(text('The folder to create it in (./skills).')),
    description: optional(text('What it does, and when an agent should use it, in a sentence or two.')),
    runtime: choice([...runtimeNames, 'none'], 'What its tool runs in; none for a skill of instructions alone.', {
      default: 'native',
    }),
  },
  changes: ({ name, dir, runtime }) => ({ skills: [name], parameters: { dir, runtime } }),
  async run({ environment, configuration }, { name, dir, runtime, description }, { origin }): Promise<NewOutput> {
    const parent = resolve(environment.cwd, dir ?? 'skills');
    if (origin === 'console') refuseUnsearched(parent, configuration.values, environment);
    const folder = join(parent, name);
    const files = scaffold(name, runtime, description);
    if (isThere(folder)) {
      throw new SkillError('unwritable', `${folder} already exists`, {
        hint: 'Choose another name, or another --dir.',
      });
    }
    try {
      for (const { path, content, executable } of files) {
        const file = join(folder, path);
        makeFolder(dirname(file), sharedMode);
        writeFileSync(file, content, { flag: 'wx' });
        if (executable) chmodSync(file, 0o755);
      }
    } catch (error) {
      throw new SkillError('unwritable', `${folder} cannot be written (${reasonOf(error)})`);
    }
    return { name, folder, files: files.map(({ path }) => path) };
  },
});

/** Refuses a folder in which nobody looks for skills: a page may have a skill made, and no file anywhere else. */
function refuseUnsearched(folder: string, options: DiscoveryOptions, environment: Environment): void {
  const isSearched = standardRoots(options, environment, (path) => path === folder).some(({ path }) => path === folder);
  if (isSearched) return;
  throw new SkillError('denied', `${folder} is not a folder that is searched for skills`, {
    hint: 'Choose one of the folders that doctor lists.',
  });
}
