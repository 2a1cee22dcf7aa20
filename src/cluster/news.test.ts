import type { KV } from '@nats-io/kv';
import { expect, it } from 'vitest';
import { readWhole } from './news.ts';

/** A bucket whose node answers from what it had at each reading, while its leader has got as far as `last`. */
function bucket(last: number, ...readings: readonly (readonly number[])[]): { keys: KV; asked: () => number } {
  let asked = 0;
  const entries = () =>
    (readings[asked++] ?? readings.at(-1) ?? []).map((revision) => ({ key: `k${revision}`, revision }));
  const status = () => Promise.resolve({ streamInfo: { state: { last_seq: last } } });
  const history = () => Promise.resolve(entries());
  return { keys: { status, history } as unknown as KV, asked: () => asked };
}

it('a bucket is read again while the node that answers is behind its leader', async () => {
  const { keys, asked } = bucket(3, [1], [1, 2], [1, 2, 3]);
  expect([...(await readWhole(keys)).keys()]).toEqual(['k1', 'k2', 'k3']);
  expect(asked()).toBe(3);
});

it('a bucket whose last change was taken out of it is not waited for without end', async () => {
  const { keys, asked } = bucket(3, [1]);
  expect([...(await readWhole(keys)).keys()]).toEqual(['k1']);
  expect(asked()).toBe(10);
});
