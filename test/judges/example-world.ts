import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { World } from '../support/world.ts';

const examples = fileURLToPath(new URL('../../skills', import.meta.url));

/** More skills than fit on one page of a listing. */
const crowd = 110;

/** A machine with the skills that ship, and skills as others write them. */
export function exampleWorld(): World {
  const world = new World();
  cpSync(examples, world.path('project/skills'), { recursive: true });
  for (let n = 0; n < crowd; n++) world.skill(`project/.agents/skills/crowd-${n}`);
  nested(world);
  unusual(world);
  return world;
}

/** Skills that a listing of the skills extension must leave out, though they can be loaded. */
export const leftOut = ['repaired-skill', 'Not-A-Name', 'typed-metadata'];

/** Folders in folders, files that are not text, names that must be escaped. */
function nested(world: World): void {
  const folder = 'project/.claude/skills/nested-files';
  world.skill(folder, { body: '\nSee [forms](references/deep/er/FORMS.md).\n' });
  world.write(`${folder}/references/deep/er/FORMS.md`, '# Forms\n');
  world.write(`${folder}/references/deep/README`, '');
  world.write(
    `${folder}/assets/every-byte.bin`,
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
  );
  world.write(`${folder}/assets/mark.txt`, '\uFEFFwith a byte order mark\r\n');
  world.write(`${folder}/assets/50% ünïcode #1?.md`, 'ü\n');
  world.write(`${folder}/scripts/run.sh`, '#!/bin/sh\necho ok\n');
  world.skill(`${folder}/inner/nested-skill`);
}

/** Front matter that readers disagree about. */
function unusual(world: World): void {
  const extra = 'metadata:\n  author: "ann"\n  version: "1.0"\nallowed-tools: Read Grep\nlicense: MIT';
  world.skill('home/.claude/skills/many-fields', { extra, description: '>-\n  Folded text,\n  over two lines.' });
  const typed = 'version: 1.10\nstable: true\ntags: [a, "b: c"]\nuntil: 2030-01-02';
  world.skill('home/.codex/skills/typed-values', { extra: typed });
  world.skill('home/.codex/skills/typed-metadata', { extra: 'metadata:\n  version: 1.0' });
  world.skill('home/.claude/skills/repaired-skill', { description: 'Note: a colon that must be quoted' });
  world.skill('home/.claude/skills/odd-name', { name: 'Not-A-Name' });
  world.write(
    'home/.claude/skills/windows-lines/SKILL.md',
    '---\r\nname: windows-lines\r\ndescription: CRLF\r\n---\r\n\r\n# Text\r\n',
  );
}
