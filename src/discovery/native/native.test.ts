import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { knownProvider } from '../../agents/providers.ts';
import { parseSkill } from '../../skill/parse.ts';
import { agentNamed, nativeAgents } from './agents.ts';
import { flawsByFile } from './meeting.ts';
import { rulesOf } from './rules.ts';
import { traitNames, traits } from './traits.ts';
import { levelFor } from './view.ts';

describe('the table of agents', () => {
  it('gives no two agents the same name', () => {
    const names = nativeAgents.flatMap((agent) => agent.names);
    expect(names).toEqual([...new Set(names)]);
    expect(agentNamed(' VSCode ')?.id).toBe('github-copilot');
    expect(agentNamed('nobody')).toBeUndefined();
  });

  it('names only providers whose folders are searched', () => {
    for (const { id, places } of nativeAgents) {
      for (const provider of places.map((place) => place.provider)) {
        expect(knownProvider(provider), `${id}: ${provider}`).toBe(provider);
      }
    }
  });
});

describe('the native rules of an agent', () => {
  const days = /^20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

  it.each(nativeAgents.map((agent) => [agent.id, agent] as const))('of %s has a source and a day', (_, agent) => {
    const rules = rulesOf(agent);
    for (const { source, what } of rules) {
      expect(source.date, what).toMatch(days);
      expect(source.version === null, what).toBe(source.by !== 'run');
    }
    const reads = rules.filter(({ does }) => does === 'reads');
    expect(reads).toHaveLength(agent.places.length);
  });

  it('says something of every trait where the agent was run, and nothing where it was not', () => {
    for (const agent of nativeAgents) {
      const traitRules = rulesOf(agent).filter(({ what }) => traitNames.some((name) => traits[name].shown === what));
      expect(traitRules.length, agent.id).toBe(agent.source.by === 'run' ? traitNames.length : 0);
    }
  });
});

describe('sharing the room of a list', () => {
  it('gives everyone the same, never more than there is, and wastes less than one each', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 300 }), { minLength: 1, maxLength: 40 }),
        fc.nat({ max: 6000 }),
        (lengths, room) => {
          const level = levelFor(lengths, room);
          const used = lengths.reduce((sum, length) => sum + Math.min(length, level), 0);
          const wanted = lengths.reduce((sum, length) => sum + length, 0);
          expect(used).toBeLessThanOrEqual(room);
          expect(used).toBeGreaterThan(Math.min(wanted, room) - lengths.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('the flaws of a file', () => {
  const flawsOf = (text: string): string[] => {
    const { diagnostics } = parseSkill(Buffer.from(text), 'SKILL.md', 'folder');
    return [...(flawsByFile(diagnostics).get('SKILL.md') ?? [])];
  };

  it('are derived from what the parser noted', () => {
    expect(flawsOf('---\nname: a\ndescription: b\n---\n')).toEqual([]);
    expect(flawsOf('---\nname: a\ndescription: when: asked\n---\n')).toEqual(['colon']);
    expect(flawsOf('---\nname: a\ndescription: b\nargument-hint: [a] [b]\n---\n')).toEqual(['yaml']);
    expect(flawsOf('---\nname: a\ndescription: when: asked\nargument-hint: [a] [b]\n---\n')).toEqual(['yaml']);
    expect(flawsOf('---\nname: a\ndescription: when: asked\nlicense: x: y\n---\n')).toEqual(['colon']);
    expect(flawsOf('---\nname: a\ndescription: b\n\n# Text\n')).toEqual(['odd']);
    expect(flawsOf('\n---\nname: a\ndescription: b\n---\n')).toEqual(['odd']);
    expect(flawsOf('---\nname: a\nname: c\ndescription: b\n---\n')).toEqual(['odd']);
  });
});
