import { expect, it } from 'vitest';
import { openLocalEmbedder } from '../embedders/local.ts';
import { taskLikeness } from './task-likeness.ts';

const tasks = [
  'resolve the merge conflict in this branch',
  'deploy the service to the cluster',
  '合并多个PDF文件',
  'Datenbank auf einen neuen Server umziehen',
  'écrire des tests unitaires',
];
const everyday = [
  'how long does lasagne have to stay in the oven',
  'warum schnurren Katzen',
  '怎么让猫不掉毛',
  '¿cuántos años vive una tortuga?',
  'pourquoi le ciel est-il bleu',
];

it('task likeness separates tasks from everyday questions, in several languages', async () => {
  const embedder = openLocalEmbedder();
  for (const text of tasks) expect(taskLikeness(await embedder.query(text)), text).toBeGreaterThan(0);
  for (const text of everyday) expect(taskLikeness(await embedder.query(text)), text).toBeLessThan(0);
});

it('task likeness is bounded, and neutral for a text without an embedding', () => {
  expect(Math.abs(taskLikeness(new Float32Array(128).fill(100)))).toBe(3);
  expect(taskLikeness(new Float32Array(128))).toBeCloseTo(1.27, 2);
});
