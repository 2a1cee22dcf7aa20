import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Signature } from '../core/disk/signature.ts';
import { createSlicer } from '../core/time-slice.ts';
import { type RootEntries, readEntries, writeEntries } from './cache.ts';

const signature: Signature = [1, 2.5, 3.5, 4];

function entriesFor(count: number): RootEntries {
  const rows = Array.from({ length: count }, (_, index) => {
    const frontmatter = { name: `skill-${index}`, description: `Zeile\n${index} ☃` };
    const skill = { ...frontmatter, frontmatter, repaired: false };
    const entry = { signature, digest: `sha256:${index}`, skill, diagnostics: [] };
    const listing = { file: 'SKILL.md', fileIsLink: false, folders: ['a'], links: [], isDisabled: false };
    return [`/${index}`, { listing: { ...listing, mayBePlugin: false, signature }, entry }] as const;
  });
  return new Map(rows);
}

async function written(entries: RootEntries): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'repertoire-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await writeEntries(join(folder, 'draft'), '/root', entries, createSlicer());
  return readFileSync(join(folder, 'draft'));
}

const read = (bytes: Buffer, root = '/root') => readEntries(bytes, root, createSlicer());

describe('the rows of a cache', () => {
  it.each([0, 1, 200, 201, 1234])('are read as they were written, %i of them', async (count) => {
    const entries = entriesFor(count);
    expect(await read(await written(entries))).toEqual(entries);
  });

  it('are trusted whole or not at all', async () => {
    const bytes = await written(entriesFor(450));
    const lines = bytes.toString('utf8').split('\n');
    expect(lines.length).toBe(4);
    expect(await read(Buffer.from(lines.slice(0, -1).join('\n')))).toBe('is damaged');
    expect(await read(bytes.subarray(0, -10))).toBe('is damaged');
    expect(await read(Buffer.concat([bytes, Buffer.from('\n')]))).toBe('is damaged');
    expect(await read(bytes, '/other')).toBe('is of another root');
  });

  it('are rejected where they are not of the right types', async () => {
    const { createHash } = await import('node:crypto');
    const [header = ''] = (await written(new Map())).toString('utf8').split('\n');
    for (const payload of ['{}', '[["/a",[[1],null,[]],0]]', '[["/a",0,[[1,2,3,4],"",{},null,null,0,0]]]', 'null']) {
      const sha256 = createHash('sha256').update(payload).digest('hex');
      const text = `${JSON.stringify({ ...JSON.parse(header), sha256 })}\n${payload}`;
      expect(await read(Buffer.from(text))).toBe('is damaged');
    }
  });
});
