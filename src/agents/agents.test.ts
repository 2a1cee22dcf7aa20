import { describe, expect, it } from 'vitest';
import { traitNames } from '../discovery/native/traits.ts';
import { agents } from './agents.ts';
import { agentFolders } from './folders.ts';

const repeated = (names: readonly string[]): string[] => names.filter((name, at) => names.indexOf(name) !== at);

describe('the list of agents', () => {
  it('has no two of one id, nor two providers of one name', () => {
    expect(repeated(agents.map(({ id }) => id))).toEqual([]);
    expect(repeated(agentFolders.flatMap(({ provider, aliases = [] }) => [provider, ...aliases]))).toEqual([]);
  });

  it.each(agents.flatMap(({ id, native }) => (native?.traits === undefined ? [] : [[id, native.traits] as const])))(
    'of %s names traits that there are, each once',
    (_, traits) => {
      const named = Object.values(traits).flatMap((names) => names.split(/\s+/));
      expect(named.filter((name) => !(traitNames as readonly string[]).includes(name))).toEqual([]);
      expect(repeated(named)).toEqual([]);
    },
  );

  it('has agents that were run with everything that a run shows', () => {
    for (const { id, native } of agents.filter((agent) => agent.native?.source.by === 'run')) {
      expect(native, id).toMatchObject({ traits: expect.anything(), listing: expect.anything() });
    }
  });
});
