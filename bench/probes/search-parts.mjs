import { runSync } from '../../src/core/time-slice.ts';
import { embedderId } from '../../src/search/embedders/embedder.ts';
import { openLocalEmbedder } from '../../src/search/embedders/local.ts';
import { makerOf, readIndexFile } from '../../src/search/index/file.ts';
import { collectionOf } from '../../src/search/rank/collection.ts';
import { rank } from '../../src/search/rank/fuse.ts';
import { best } from '../../src/search/rank/top.ts';
import { askedWords } from '../../src/search/text/asked.ts';

/**
 * The parts of a search by themselves, without a registry and without anything to show: the table, the index, and the
 * ranking. Bundled before it is run, since the library does not give them away one by one.
 */
async function measure() {
  const [file = '', queries = '[]'] = process.argv.slice(2);
  let start = performance.now();
  const embedder = openLocalEmbedder();
  const modelMs = performance.now() - start;

  start = performance.now();
  const read = await readIndexFile(file, makerOf(embedderId({ kind: 'local' })));
  if (read.kind !== 'read') throw new Error(`the index is ${read.kind}`);
  const { segment } = read;
  const collection = collectionOf([segment], new Uint8Array(segment.documents).fill(1));
  const indexMs = performance.now() - start;

  const waits = [];
  let sum = 0;
  for (let round = 0; round < 4; round++) {
    for (const query of JSON.parse(queries)) {
      start = performance.now();
      const question = { words: askedWords(query), embedding: await embedder.query(query) };
      const { scores } = runSync(rank(collection, question, 'both'));
      sum += best(scores, 10).length;
      if (round > 0) waits.push(performance.now() - start);
    }
  }
  for (let round = 0; round < 4; round++) globalThis.gc?.();
  const { documents, terms } = segment;
  const told = { modelMs, indexMs, waits, rss: process.memoryUsage.rss(), documents, terms, sum };
  process.stdout.write(JSON.stringify(told));
}

void measure();
