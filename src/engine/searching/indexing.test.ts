import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hostEnvironment } from '../../core/environment.ts';
import { sha256 } from '../../core/hash.ts';
import { keyBytes, writeKey } from '../../search/index/key.ts';
import { openSegment } from '../../search/index/segment.ts';
import { createBuilder, type Wanted } from './indexing.ts';
import { namesOf } from './source.ts';

const text = (word: string) => `---\nname: one\ndescription: About ${word}.\n---\n\n${word}\n`;

/** A skill as it was found, with its file on disk. */
function found(name: string, content: string): Wanted {
  const dir = mkdtempSync(join(tmpdir(), 'repertoire-building-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const file = join(dir, 'SKILL.md');
  writeFileSync(file, content);
  const digest = `sha256:${sha256(content)}`;
  const source = { id: file, file, dir, name, fullName: name, description: 'About.', digest, frontmatter: {} };
  const key = Buffer.alloc(keyBytes);
  writeKey(key, 0, digest, namesOf(source));
  return { key, source, toolMark: '' };
}

describe('skills that are being indexed', () => {
  it('are left out if they are not what they were when they were found, so that nothing stands under a wrong key', async () => {
    const [same, changed, gone] = [
      found('same', text('walrus')),
      found('changed', text('crane')),
      found('gone', text('owl')),
    ];
    writeFileSync(changed.source.file, text('badger'));
    rmSync(gone.source.file);
    const { bytes, problem } = await createBuilder(null, hostEnvironment())([changed, same, gone]);
    const segment = openSegment(bytes);
    expect([segment.documents, problem]).toEqual([1, undefined]);
    expect([same, changed, gone].map(({ key }) => segment.find(key, 0))).toEqual([0, -1, -1]);
    const terms = Array.from({ length: segment.terms }, (_, at) => segment.termAt(at));
    expect(terms).toContain('walru');
    for (const term of ['badger', 'crane', 'owl']) expect(terms).not.toContain(term);
  });
});
