import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';
import { type Report, report } from './report.ts';

const page = readFileSync(new URL('../../docs/agents.md', import.meta.url), 'utf8');

/** The cells of one of the tables, without its head, by the first cell. */
function tableOf(name: string): ReadonlyMap<string, readonly string[]> {
  const [, text = ''] = page.split(new RegExp(`<!-- /?${name} -->`));
  const rows = text
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));
  return new Map(rows.map(([first = '', ...cells]) => [first, cells]));
}

/** Everything the program knows, agent by agent. */
async function reports(): Promise<readonly Report[]> {
  const world = createWorld();
  const { stdout } = await world.run(['__complete', 'doctor', '--agent', '']);
  const ids = stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[0] ?? '');
  expect(ids).toContain('claude-code');
  return Promise.all(ids.map((id) => report(world, id)));
}

// `npm run docs` writes the tables.
describe('docs/agents.md', () => {
  it('has the folders of each agent, how they are known, and since when', async () => {
    const folders = tableOf('folders');
    const agents = await reports();
    expect([...folders.keys()].slice(2)).toEqual(agents.map(({ id }) => `\`${id}\``));
    for (const { id, known, reads, plugins } of agents) {
      const [places = '', plugged, , source] = folders.get(`\`${id}\``) ?? [];
      expect(places.replace(/ [¹²³]/g, ''), id).toBe(reads.map((folder) => `\`${folder}\``).join(', ') || 'nothing');
      expect(plugged?.replace(/ ³/g, ''), id).toBe(plugins.join(', ') || '–');
      expect(source, id).toBe(known);
    }
  });

  it('has what each agent that was run does with skills of every kind', async () => {
    const [traits, lists] = [tableOf('traits'), tableOf('lists')];
    const seen = (await reports()).filter(({ listing }) => listing !== null);
    expect(traits.get('a skill with')).toEqual(seen.map(({ name }) => name));
    const marks: Record<string, string> = { shows: '✓', 'does not show': '–', 'leaves to people': 'people' };
    for (const [column, { id, name, rules, listing }] of seen.entries()) {
      const told = rules.filter(({ what }) => traits.has(shortOf(what)));
      expect(told).toHaveLength(traits.size - 2);
      for (const { does, what } of told) {
        expect(traits.get(shortOf(what))?.[column], `${id}: ${what}`).toBe(marks[does] ?? '?');
      }
      for (const room of listing?.rooms ?? []) {
        expect(lists.get(name)?.[1], id).toContain(`${room.characters.toLocaleString('en')} with ${room.with}`);
      }
    }
  });
});

function shortOf(what: string): string {
  return what.replace(/ \(repertoire validate.*\)/, '');
}
