import { expect, it } from 'vitest';
import { sha256 } from '../../core/hash.ts';
import { openLocalEmbedder } from '../embedders/local.ts';
import { createLexicon } from '../text/lexicon.ts';
import { buildSegment } from './build.ts';
import { documentOf, type IndexedText } from './document.ts';
import { keyBytes, writeKey } from './key.ts';

const texts: readonly IndexedText[] = [
  {
    names: 'pdf-merge\nkit:pdf-merge',
    description: 'Merges, splits and rotates PDF files; calls parseJSON on what GitHub answers.',
    metadata: 'MIT\n2.0.1\nnaïve Straße',
    body: '# Merging\n\nThe first of 3 files is the cover. Joined documents keep their bookmarks.\n',
    tools: 'join-files\nJoins files in the order given.\nrotate_pages\nTurns pages.',
  },
  {
    names: 'weekly-report\nweekly-report',
    description: '生成每周工作报告，汇总任务进度并发送给团队。',
    metadata: '办公',
    body: '# 周报\n\n先收集数据，再写总结。Send it on Friday. データを集める。 데이터\n',
    tools: '',
  },
];

/** Two skills as an index keeps them. */
async function segment(): Promise<Uint8Array> {
  const parts = texts.map(({ names, ...others }) => ({ name: names.split('\n')[1] ?? '', ...others }));
  const vectors = await openLocalEmbedder().skills(parts);
  const lexicon = createLexicon();
  const documents = texts.map((text, at) => {
    const key = Buffer.alloc(keyBytes);
    writeKey(key, 0, `sha256:${sha256(text.body)}`, text.names);
    return documentOf(key, text, vectors[at] ?? null, lexicon);
  });
  return buildSegment(documents, lexicon, vectors[0]?.length ?? 0);
}

/**
 * Digest of the segment above. If it changes, an index of before says other things than one that is made now. Then
 * `termsVersion` (in text/lexicon.ts) or `layoutVersion` (in layout.ts) must be raised, or old files would be read as
 * if they were new; and only then is the digest here to be replaced.
 */
const pinned = '9732728b2bc2929cb0d09f97e31c941e3ec69bb93e6b8db73513de312e8a1e54';

it('an index has the same bytes as ever, unless its version is raised', async () => {
  const bytes = await segment();
  expect(bytes).toEqual(await segment());
  expect(sha256(Buffer.from(bytes))).toBe(pinned);
});
