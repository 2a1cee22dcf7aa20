import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLexicon } from '../text/lexicon.ts';
import { buildSegment } from './build.ts';
import { documentOf } from './document.ts';
import { makerOf, readIndexFile, writeIndexFile } from './file.ts';
import { keyBytes } from './key.ts';

const maker = makerOf('an embedder');

function segmentOf(...words: string[]): Uint8Array {
  const lexicon = createLexicon();
  const documents = words.map((word) => {
    const text = { names: word, description: `About ${word}.`, metadata: '', body: '', tools: '' };
    return documentOf(new Uint8Array(keyBytes).fill(words.length), text, null, lexicon);
  });
  return buildSegment(documents, lexicon, 0);
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'repertoire-index-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

async function written(): Promise<string> {
  const path = join(folder(), 'one.index');
  await writeIndexFile(path, maker, segmentOf('walrus'));
  return path;
}

async function kindOf(path: string, by = maker): Promise<string> {
  return (await readIndexFile(path, by)).kind;
}

describe('an index file', () => {
  it('is read as it was written, by its owner alone, with nothing left beside it', async () => {
    const place = folder();
    const path = join(place, 'a/b/one.index');
    expect(await kindOf(path)).toBe('absent');
    for (const words of [['walrus'], ['walrus', 'otter'], []]) {
      await writeIndexFile(path, maker, segmentOf(...words));
      const found = await readIndexFile(path, maker);
      expect(found.kind === 'read' && found.segment.documents).toBe(words.length);
      expect(found.kind === 'read' && found.segment.termIndex('walru') !== -1).toBe(words.length > 0);
    }
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(place, 'a')).mode & 0o777).toBe(0o700);
    expect(readdirSync(join(place, 'a/b'))).toEqual(['one.index']);
  });

  it('counts as damaged when any byte is changed', async () => {
    const path = await written();
    const bytes = readFileSync(path);
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] as number) ^ (1 << (at % 8));
      writeFileSync(path, changed);
      expect(await kindOf(path), `byte ${at}`).toBe('damaged');
    }
    writeFileSync(path, bytes);
    expect(await kindOf(path)).toBe('read');
  });

  it('counts as damaged when it is truncated anywhere, or longer', async () => {
    const path = await written();
    const bytes = readFileSync(path);
    for (let length = 0; length < bytes.length; length += 7) {
      writeFileSync(path, bytes.subarray(0, length));
      expect(await kindOf(path), `${length} bytes`).toBe('damaged');
    }
    writeFileSync(path, Buffer.concat([bytes, Buffer.alloc(1)]));
    expect(await kindOf(path)).toBe('damaged');
  });

  it('of another embedder or version is not used', async () => {
    const path = await written();
    expect(await readIndexFile(path, makerOf('another'))).toEqual({
      kind: 'damaged',
      reason: 'made by another version',
    });
  });

  it('is not read where others can write it, nor through a link, folder or pipe', async () => {
    const path = await written();
    for (const mode of [0o620, 0o602, 0o666]) {
      chmodSync(path, mode);
      expect(await kindOf(path), mode.toString(8)).toBe('damaged');
    }
    chmodSync(path, 0o600);
    const place = folder();
    symlinkSync(path, join(place, 'link'));
    mkdirSync(join(place, 'folder'));
    execFileSync('mkfifo', ['-m', '600', join(place, 'pipe')]);
    for (const name of ['link', 'folder', 'pipe']) expect(await kindOf(join(place, name)), name).toBe('damaged');
    expect(await kindOf(join(path, 'below'))).toBe('absent');
  });

  it('that cannot be written leaves the old file, and no draft', async () => {
    const place = folder();
    mkdirSync(join(place, 'one.index'));
    await expect(writeIndexFile(join(place, 'one.index'), maker, segmentOf('walrus'))).rejects.toThrow();
    expect(readdirSync(place)).toEqual(['one.index']);
    writeFileSync(join(place, 'file'), '');
    await expect(writeIndexFile(join(place, 'file/one.index'), maker, segmentOf('walrus'))).rejects.toThrow();
  });

  it('is whole to a process that reads it while it is written', async () => {
    const path = await written();
    const writing = Promise.all(
      Array.from({ length: 40 }, (_, at) => writeIndexFile(path, maker, segmentOf(...'word '.repeat(at).split(' ')))),
    );
    for (let reads = 0; reads < 40; reads++) expect(await kindOf(path)).toBe('read');
    await writing;
    expect(await kindOf(path)).toBe('read');
  });
});
