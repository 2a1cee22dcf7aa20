import { basename } from 'node:path';
import { lengthOf } from '../../skill/rules/finding.ts';
import type { Skill } from '../../skill/types.ts';
import type { Rule } from './types.ts';

export const exactFileName: Rule = {
  about: 'text',
  state: 'lost',
  hits: ({ skill }) => basename(skill.file) !== 'SKILL.md',
  words: ({ skill }) => `looks only for SKILL.md, and this file is called ${basename(skill.file)}`,
};

/** For agents of which nobody knows how they take the letters of the file's name. */
export const fileNameUnsure: Rule = {
  ...exactFileName,
  state: 'unsure',
  words: ({ skill }) => `may look only for SKILL.md; this file is called ${basename(skill.file)}`,
};

/** How far below its folder an agent looks; 1 is the folder's own children. */
export function depthUpTo(most: number): Rule {
  const words = most === 1 ? 'looks only one folder deep' : `looks at most ${most} folders deep`;
  return {
    about: 'place',
    state: 'lost',
    // A plugin says itself where its skills are.
    hits: ({ root, trail }) => root.plugin === null && trail.length > most,
    words: ({ trail }) => `${words}, and this lies ${trail.length} deep`,
  };
}

/** A SKILL.md in the folder of skills itself, where only the folders below it are looked at. */
export const notInRoot: Rule = {
  about: 'place',
  state: 'lost',
  hits: ({ root, trail }) => root.plugin === null && trail.length === 0,
  words: () => 'looks for skills below this folder, not in it',
};

export const hiddenFoldersSkipped: Rule = {
  about: 'place',
  state: 'lost',
  // Codex keeps its own skills in `.system`, and reads them.
  hits: ({ root, trail }) =>
    root.plugin === null &&
    trail.some((name) => name.startsWith('.') && !(root.provider === 'codex' && name === '.system')),
  words: ({ trail }) => `skips hidden folders, such as ${trail.find((name) => name.startsWith('.'))}`,
};

export function nameUpTo(most: number): Rule {
  return {
    about: 'text',
    state: 'lost',
    hits: ({ skill }) => lengthOf(skill.plugin === null ? skill.name : skill.fullName) > (skill.plugin ? 129 : most),
    words: ({ skill }) => `refuses names of more than ${skill.plugin ? 129 : most} characters`,
  };
}

/** The specification to the letter. */
export const strictName: Rule = {
  about: 'text',
  state: 'lost',
  hits: ({ skill }) => !/^[a-z0-9-]{1,64}$/.test(skill.name),
  words: () => 'takes only names of lower-case letters, digits and hyphens, 64 at most',
};

export const strictDescription: Rule = {
  about: 'text',
  state: 'lost',
  hits: ({ skill }) => lengthOf(skill.description) > 1024,
  words: () => 'refuses descriptions of more than 1,024 characters',
};

export const slashRefused: Rule = {
  about: 'text',
  state: 'lost',
  hits: ({ skill }) => writtenName(skill).includes('/'),
  words: () => 'skips skills with a / in their name',
};

export const colonChanged: Rule = {
  about: 'text',
  state: 'listed',
  hits: ({ skill }) => /[:/\\]/.test(writtenName(skill)),
  words: () => 'writes - for : and / in names, so it goes by another name there',
};

export const brokenYamlSkipped: Rule = {
  about: 'text',
  state: 'lost',
  hits: ({ flaws }) => flaws.has('yaml'),
  words: () => 'skips it: its front matter is not valid YAML (repertoire validate --fix mends it)',
};

export const brokenYamlEmptied: Rule = {
  ...brokenYamlSkipped,
  state: 'bare',
  words: () =>
    'reads it without its description: its front matter is not valid YAML (repertoire validate --fix mends it)',
};

export const brokenYamlUnsure: Rule = {
  ...brokenYamlSkipped,
  state: 'unsure',
  words: () => 'may skip it: its front matter is not valid YAML (repertoire validate --fix mends it)',
};

export const oddFencesUnsure: Rule = {
  about: 'text',
  state: 'unsure',
  hits: ({ flaws }) => flaws.has('odd'),
  words: () => 'may not see it: its front matter is not written as it should be (repertoire doctor tells how)',
};

export const markRefused: Rule = {
  about: 'text',
  state: 'lost',
  hits: ({ startsWithMark }) => startsWithMark(),
  words: () => 'does not find the front matter of a file that starts with a byte order mark',
};

/** What its author called it, before signs that could be taken for a path were changed. */
function writtenName({ frontmatter, name }: Skill): string {
  const written = frontmatter['name'];
  return typeof written === 'string' ? written : name;
}
