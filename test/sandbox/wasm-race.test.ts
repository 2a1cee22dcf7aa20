import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { timeoutMs } from '../support/timeout.ts';
import { stageAs } from './guests/stage-as.ts';
import { descriptors, guestOf, read, remove, rename, symlink, write } from './guests/steps.ts';
import { identities } from './identities.ts';

const { firstMount: data } = descriptors;
const raceMs = 11_000;
const endless = 0x7fff_ffff;

describe.each(identities)('as %s', (identity) => {
  it('two guests that race each other on a shared grant never see anything else [C4-LIMIT-12]', async () => {
    const stage = await stageAs(identity);
    try {
      const source = stage.folder('shared');
      mkdirSync(join(source, 'safe'));
      writeFileSync(join(source, 'safe', 'secret.txt'), 'harmless');
      for (const folder of [source, join(source, 'safe')]) chmodSync(folder, 0o777);
      const mounts = [{ source, target: '/data', access: 'write' }] as const;
      // One swaps a folder and a link that leads up for each other, as fast as it can ...
      const swapping = await guestOf(
        [
          symlink('l', '..', data, 'link'),
          rename('a', data, 'dir', data, 'safe'),
          rename('b', data, 'link', data, 'dir'),
          remove('c', data, 'dir'),
          rename('d', data, 'safe', data, 'dir'),
        ],
        endless,
      );
      // ... while the other goes through it, to read and to write.
      const reading = await guestOf(
        [
          read('r', data, 'dir/secret.txt'),
          read('s', data, 'dir/shared/../secret.txt'),
          write('w', data, 'dir/secret.txt', 'harmless'),
        ],
        endless,
      );
      const counts = { tries: 0, safe: 0, leaks: 0 };
      const watch = (text: string) => {
        counts.tries += text.match(/^r=/gm)?.length ?? 0;
        counts.safe += text.match(/harmless/g)?.length ?? 0;
        counts.leaks += text.match(/secret of the host/g)?.length ?? 0;
      };
      const limits = { timeoutMs: 2 * timeoutMs, outputBytes: 2 ** 40, cpuSeconds: 240 };
      const race = new AbortController();
      const end = Date.now() + raceMs;
      // It is over when the time is up and they did get in each other's way: often there, and often not.
      const watched = (text: string) => {
        watch(text);
        if (Date.now() > end && counts.tries > 1000 && counts.safe > 10) race.abort();
      };
      const [first, second] = await Promise.all([
        stage.run(swapping, { mounts, limits, signal: race.signal }),
        stage.run(reading, { mounts, limits, signal: race.signal, onOutput: watched }),
      ]);
      expect([first.reason, second.reason]).toEqual(['cancelled', 'cancelled']);
      expect(counts.leaks).toBe(0);
      expect(readFileSync(join(stage.root, 'secret.txt'), 'utf8')).toBe('the secret of the host');
    } finally {
      await stage.end();
    }
  });
});
