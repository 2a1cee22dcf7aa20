import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { connectStdio, modernMeta, type StdioServer, startStdio } from '../support/mcp.ts';
import { clientOverHttp, eras } from './clients.ts';
import { numberedNames, numberedWorld } from './library.ts';

/** How each list names what it lists. */
const lists = {
  'skills/list': { key: 'skills', nameOf: ({ uri }: Item) => uri?.split('/').at(-2) },
  'resources/list': { key: 'resources', nameOf: ({ name }: Item) => name },
  'prompts/list': { key: 'prompts', nameOf: ({ name }: Item) => name },
} as const;
type Method = keyof typeof lists;
const methods = Object.keys(lists) as Method[];

interface Item {
  uri?: string;
  name?: string;
}

/** Walks all pages; between them something may happen. */
async function walk(server: StdioServer, method: Method, meanwhile = (_page: number): void => {}): Promise<Walked> {
  const names: (string | undefined)[] = [];
  let [cursor, pages]: [string | undefined, number] = [undefined, 0];
  do {
    const params = cursor === undefined ? {} : { cursor };
    const result: Record<string, unknown> = await server.request(method, params);
    names.push(...(result[lists[method].key] as Item[]).map(lists[method].nameOf));
    cursor = result['nextCursor'] as string | undefined;
    meanwhile(++pages);
  } while (cursor !== undefined);
  return { names, pages };
}

interface Walked {
  readonly names: readonly (string | undefined)[];
  readonly pages: number;
}

describe('lists in pages', () => {
  it('give every skill once, page after page, by cursors [C2-EXT-02]', async () => {
    const server = await connectStdio(numberedWorld(253));
    for (const method of methods) {
      const { names, pages } = await walk(server, method);
      expect(names, method).toEqual(numberedNames(253));
      expect(pages, method).toBeGreaterThan(2);
    }
  });

  it('refuse cursors that they did not give [C2-EXT-02]', async () => {
    const server = await connectStdio(numberedWorld(120));
    const cursors = await Promise.all(methods.map(async (method) => (await server.request(method))['nextCursor']));
    for (const [index, method] of methods.entries()) {
      const wrong = ['', 'x', '0', '50', 'bm9uZQ', 'x'.repeat(100_000), cursors[(index + 1) % methods.length]];
      for (const cursor of wrong) {
        const { error } = await server.ask(method, { cursor });
        expect(error, `${method} ${String(cursor).slice(0, 40)}`).toMatchObject({ code: -32602 });
      }
      for (const cursor of [7, null, {}]) {
        expect((await server.ask(method, { cursor })).error?.code, method).toBe(-32602);
      }
    }
  });

  it('neither lose nor repeat what stayed, whatever came and went between two pages', async () => {
    for (const method of methods) {
      const world = numberedWorld(253);
      const server = await connectStdio(world, ['serve']);
      const remove = (name: string): void => rmSync(world.path(`home/.claude/skills/${name}`), { recursive: true });
      const { names } = await walk(server, method, (page) => {
        if (page !== 1) return;
        world.skill('home/.claude/skills/a-new-one'); // before the cursor
        world.skill('home/.claude/skills/s200-b'); // behind it
        remove('s000');
        remove('s049'); // the last of a page of fifty …
        remove('s099'); // … and of a hundred
        remove('s210');
      });
      const stayed = numberedNames(253).filter((name) => !['s000', 's049', 's099', 's210'].includes(name));
      expect(new Set(names).size, method).toBe(names.length);
      expect(names, method).toEqual(expect.arrayContaining([...stayed, 's200-b']));
      expect(names, method).not.toContain('s210');
      expect(names, method).not.toContain('a-new-one');
      expect((await walk(server, method)).names, method).toContain('a-new-one');
    }
  });

  it('go on after the server was started anew', async () => {
    const world = numberedWorld(120);
    const first = await (await connectStdio(world)).request<{ nextCursor: string }>('skills/list');
    const { skills } = await (await connectStdio(world)).request<{ skills: Item[] }>('skills/list', {
      cursor: first.nextCursor,
    });
    expect(lists['skills/list'].nameOf(skills[0] as Item)).toBe('s050');
  });

  it('are walked by cursors in the newer era as well', async () => {
    const server = startStdio(numberedWorld(60), ['mcp']);
    const first = await server.request<{ nextCursor: string; skills: Item[] }>('skills/list', modernMeta);
    const { nextCursor: cursor } = first;
    const second = await server.request<{ skills: Item[] }>('skills/list', { cursor, ...modernMeta });
    expect([...first.skills, ...second.skills].map(lists['skills/list'].nameOf)).toEqual(numberedNames(60));
    expect(second).not.toHaveProperty('nextCursor');
  });

  for (const era of eras) {
    it(`are walked to the end by the protocol's own client over HTTP, ${era}`, async () => {
      const client = await clientOverHttp(numberedWorld(253), era);
      const names = [];
      let cursor: string | undefined;
      do {
        const page = await client.listResources(cursor === undefined ? { cursor: undefined } : { cursor });
        names.push(...page.resources.map(({ name }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(new Set(names)).toEqual(new Set(numberedNames(253)));
    });
  }
});
