import type { World } from '../support/world.ts';
import { attack } from './hostile.ts';
import { claude } from './skills-for-people.ts';

export const image = `<img src=x onerror=${attack}>`;
export const quoted = `"><script>${attack}<script>`;
export const turned = 'A \u202Egnp.exe\u202C and \u2066isolated \u0007bell \u001B[31mred';
/** The same as it may be seen. */
export const upright = 'A \uFFFDgnp.exe\uFFFD and \uFFFDisolated \uFFFDbell \uFFFD[31mred';

/** Skills whose names, descriptions and further fields are markup, turn the direction of text, or never end. */
export function evilNames(world: World): void {
  const write = (folder: string, frontmatter: readonly string[]): void =>
    void world.write(`${claude}/${folder}/SKILL.md`, ['---', ...frontmatter, '---', '# Text', ''].join('\n'));
  write(image, [`name: '${image}'`, `description: '${image} in the folder'`]);
  write('named', [
    `name: '${quoted}'`,
    `description: '${quoted} in the name'`,
    `license: '${image}'`,
    `'${image}': '${quoted}'`,
    `metadata: { deep: ['${image}'] }`,
  ]);
  write('turned', ['name: turned', `description: ${JSON.stringify(turned)}`, `license: ${JSON.stringify(turned)}`]);
  write('endless', ['name: endless', `description: ${'W'.repeat(5000)}`, `license: ${'L'.repeat(5000)}`]);
  write('long-name', [`name: ${'n'.repeat(5000)}`, 'description: Has a long name.']);
  world.write(`${claude}/broken ${image}/SKILL.md`, `no front matter ${quoted}\n`);
}

export const evilFiles = [
  `${image}.txt`,
  `${quoted}.txt`,
  'it\'s & "both" #1?.txt',
  '%0d%0aSet-Cookie: a=b.txt',
  '%2e%2e%2fup.txt',
  'line\nbreak.txt',
  'turned\u202Etxt.exe',
  `folder ${image}/in.txt`,
  `${'long'.repeat(50)}.txt`,
] as const;

/** A skill whose files have names that are more than names. */
export function evilFileNames(world: World): void {
  world.skill(`${claude}/filed`);
  for (const path of evilFiles)
    world.write(`${claude}/filed/${path}`, `The text of file ${evilFiles.indexOf(path)}.\n`);
}

/** Texts that are short to write and long to draw. */
export const bombs: Readonly<Record<string, string>> = {
  'quotes in quotes': '>'.repeat(10_000),
  'lists in lists': Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth * 2)}- a`)
    .join('\n')
    .slice(0, 500_000),
  'open brackets': '['.repeat(100_000),
  'open pictures': '![['.repeat(30_000),
  'words in stars': '*a '.repeat(150_000),
  'stars and lines': '*a_'.repeat(100_000),
  'ticks that never match': Array.from({ length: 600 }, (_, length) => '`'.repeat(length + 1)).join(' '),
  'a wide table': `${'|a'.repeat(3000)}|\n${'|-'.repeat(3000)}|\n${`${'|b'.repeat(3000)}|\n`.repeat(20)}`,
  'a long table': `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(40_000)}`,
  'many links': '[a](b.md) '.repeat(40_000),
  'many notes': `${Array.from({ length: 5000 }, (_, n) => `[^${n}]`).join('')}\n\n${Array.from({ length: 5000 }, (_, n) => `[^${n}]: [^${n + 1}]`).join('\n')}`,
  'many headings': '# a\n'.repeat(60_000),
  'many references': `${'[a]: /x\n'.repeat(20_000)}\n${'[a]'.repeat(40_000)}`,
  'one long word': 'a'.repeat(500_000),
  'many entities': '&amp;'.repeat(90_000),
  'open tags': '<a '.repeat(100_000),
};
