import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { beginningOf } from './source.ts';

const text = (word: string) => `---\nname: one\ndescription: About.\n---\n${word}\n`;

/** Writes a skill to disk, in a folder that others can stand beside. */
function skillWith(content: string) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'repertoire-source-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const dir = join(root, 'one');
  mkdirSync(dir);
  const file = join(dir, 'SKILL.md');
  writeFileSync(file, content);
  const source = {
    id: dir,
    file,
    dir,
    name: 'one',
    fullName: 'one',
    description: 'About.',
    digest: '',
    frontmatter: {},
  };
  return { root, source };
}

/** A time at which a file that is written now has not been changed for long. */
const later = () => Date.now() + 60_000;

describe('the text that a passage is chosen from', () => {
  it('is kept while its file looks the same, and read anew when the file has changed', () => {
    const { root, source } = skillWith(text('walrus'));
    const first = beginningOf(source, later());
    expect(first.body).toContain('walrus');
    expect(beginningOf(source, later())).toBe(first);
    writeFileSync(join(root, 'new'), text('badger'));
    renameSync(join(root, 'new'), source.file);
    expect(beginningOf(source, later()).body).toContain('badger');
  });

  it('is not kept for a file that was written a moment ago, which could change again and look the same', () => {
    const { source } = skillWith(text('walrus'));
    expect(beginningOf(source)).not.toBe(beginningOf(source));
  });

  it('is not read from a file that leads out of its skill by now', () => {
    const { root, source } = skillWith(text('walrus'));
    beginningOf(source, later());
    writeFileSync(join(root, 'secret'), text('crane'));
    rmSync(source.file);
    symlinkSync(join(root, 'secret'), source.file);
    expect(() => beginningOf(source, later())).toThrow('leads outside');
    rmSync(source.file);
    expect(() => beginningOf(source, later())).toThrow('cannot be read');
  });

  it('belongs to the description that a skill has now', () => {
    const { source } = skillWith(text('walrus'));
    beginningOf(source, later());
    expect(beginningOf({ ...source, description: 'About owls.' }, later()).description).toBe('About owls.');
  });
});
