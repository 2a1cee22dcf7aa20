import { describe, expect, it } from 'vitest';
import { createWatcher, type OpenWatch, type Watched } from './watch.ts';

type OnEvent = Parameters<OpenWatch>[2];

/** A watcher on a simulated machine. */
function pretend(platform: NodeJS.Platform, refuse: (folder: string) => string | undefined = () => undefined) {
  const open = new Map<string, { extent: string; tell: OnEvent }>();
  const calls = { hints: 0, limits: [] as string[], opened: 0 };
  const watcher = createWatcher({
    platform,
    onHint: () => void calls.hints++,
    onLimit: (reason) => void calls.limits.push(reason),
    openWatch(folder, extent, tell) {
      const code = refuse(folder);
      if (code !== undefined) throw Object.assign(new Error(code), { code });
      calls.opened++;
      open.set(folder, { extent, tell });
      return { close: () => void open.delete(folder) };
    },
  });
  return { watcher, open, calls };
}

function watched(folders: readonly string[], entryPoints: Record<string, readonly string[] | null> = {}): Watched {
  return {
    folders: new Map(folders.map((folder) => [folder, 0])),
    entryPoints: new Map(Object.entries(entryPoints).map(([folder, names]) => [folder, names && new Set(names)])),
  };
}

describe('the watcher', () => {
  it('opens and closes only what is different', async () => {
    const { watcher, open, calls } = pretend('linux');
    expect(watcher.state).toBe('behind');
    await watcher.sync(watched(['/a', '/a/b'], { '/': ['a'] }));
    expect([[...open.keys()].sort(), calls.opened, calls.hints]).toEqual([['/', '/a', '/a/b'], 3, 1]);
    await watcher.sync(watched(['/a', '/a/c'], { '/': ['a'] }));
    expect([[...open.keys()].sort(), calls.opened, calls.hints]).toEqual([['/', '/a', '/a/c'], 4, 2]);
    await watcher.sync(watched(['/a', '/a/c'], { '/': ['a'] }));
    expect([calls.opened, calls.hints, watcher.state]).toEqual([4, 2, 'whole']);
    watcher.close();
    expect(open.size).toBe(0);
    await watcher.sync(watched(['/a']));
    expect(open.size).toBe(0);
  });

  it('reports that it is behind as soon as it is asked to watch more', async () => {
    const { watcher } = pretend('linux');
    await watcher.sync(watched(['/a']));
    const more = watcher.sync(watched(['/a', '/a/b']));
    expect(watcher.state).toBe('behind');
    await more;
    expect(watcher.state).toBe('whole');
    const less = watcher.sync(watched(['/a']));
    expect(watcher.state).toBe('whole');
    await less;
  });

  it('takes every event in a searched folder for a hint, and in an entry point those of the named entries', async () => {
    const { watcher, open, calls } = pretend('linux');
    await watcher.sync(watched(['/a'], { '/home': ['.claude'], '/all': null }));
    const hintsFor = (folder: string, name: string | null): number => {
      const before = calls.hints;
      open.get(folder)?.tell('change', name);
      return calls.hints - before;
    };
    expect([hintsFor('/a', 'x'), hintsFor('/a', null), hintsFor('/all', 'x')]).toEqual([1, 1, 1]);
    expect([hintsFor('/home', '.claude'), hintsFor('/home', '.bash_history')]).toEqual([1, 0]);
  });

  it('watches a moved folder anew, with all below it', async () => {
    const { watcher, open, calls } = pretend('linux');
    const all = watched(['/a', '/a/b', '/a/b/c', '/a/d']);
    await watcher.sync(all);
    open.get('/a/b')?.tell('rename', 'b');
    await watcher.sync(all);
    expect([open.size, calls.opened]).toEqual([4, 6]);
  });

  it('says once that watches ran out, and tries again when others are wanted', async () => {
    let left = 2;
    const { watcher, open, calls } = pretend('linux', () => (left-- > 0 ? undefined : 'ENOSPC'));
    await watcher.sync(watched(['/a', '/b', '/c', '/d']));
    await watcher.sync(watched(['/a', '/b', '/c', '/d']));
    expect([open.size, calls.limits, watcher.state]).toEqual([2, ['ENOSPC'], 'limited']);
    left = 9;
    await watcher.sync(watched(['/a', '/b', '/c']));
    expect([open.size, calls.limits, watcher.state]).toEqual([3, ['ENOSPC'], 'whole']);
  });

  it('does not keep retrying folders that it is not permitted to watch', async () => {
    const asked: string[] = [];
    const { watcher, calls } = pretend('linux', (folder) => {
      asked.push(folder);
      return folder === '/b' ? 'EACCES' : undefined;
    });
    for (let turn = 0; turn < 3; turn++) await watcher.sync(watched(['/a', '/b']));
    expect([asked, calls.hints, watcher.state]).toEqual([['/a', '/b'], 1, 'whole']);
  });

  it('lets others run while it opens very many, and gives way to a later call', async () => {
    const { watcher, open } = pretend('linux', () => {
      for (const end = performance.now() + 0.02; performance.now() < end; ); // about the time that the system takes
      return undefined;
    });
    const folders = Array.from({ length: 5000 }, (_, index) => `/skills/${index}`);
    let turns = 0;
    let isOver = false;
    const syncing = watcher.sync(watched(folders)).then(() => {
      isOver = true;
    });
    while (!isOver) {
      await new Promise(setImmediate);
      turns++;
      if (turns === 10_000_000) break;
    }
    await syncing;
    expect(turns).toBeGreaterThan(5);
    expect(open.size).toBe(5000);
    await Promise.all([watcher.sync(watched([])), watcher.sync(watched(['/last']))]);
    expect([...open.keys()]).toEqual(['/last']);
  });

  it.each(['darwin', 'win32'] as const)(
    'on %s watches whole trees, and entry points as elsewhere',
    async (platform) => {
      const { watcher, open } = pretend(platform);
      await watcher.sync(watched(['/a', '/a/b', '/a/b/c', '/x/y'], { '/home': ['.claude'] }));
      expect([...open].map(([folder, { extent }]) => [folder, extent])).toEqual([
        ['/home', 'folder'],
        ['/a', 'tree'],
        ['/x/y', 'tree'],
      ]);
    },
  );
});
