import { describe, expect, it } from 'vitest';
import { nativeAgents } from '../../discovery/native/agents.ts';
import type { Root } from '../../discovery/roots.ts';
import type { Scan } from '../../discovery/scan.ts';
import type { Skill } from '../../skill/types.ts';
import { agentsSeeing, excludesFor, requireAgent, viewOf } from './native.ts';

const home = '/home/someone';
const folders = { agents: '.agents/skills', claude: '.claude/skills', codex: '.codex/skills', goose: '.goose/skills' };
const roots = Object.entries(folders).flatMap(([provider, folder]): Root[] =>
  (['project', 'global'] as const).map((location) => ({
    path: `${location === 'project' ? '/project' : home}/${folder}`,
    provider,
    location,
    plugin: null,
    depth: 6,
    named: false,
    holdsPlugins: false,
    container: null,
  })),
);

function skillIn(rank: number, name: string): Skill {
  const { path, provider, location } = roots[rank] as Root;
  const dir = `${path}/${name}`;
  return {
    id: dir,
    dir,
    file: `${dir}/SKILL.md`,
    name,
    fullName: name,
    description: `About ${name}.`,
    frontmatter: { name },
    repaired: false,
    provider,
    location,
    plugin: null,
    pluginName: null,
    digest: `sha256:${rank}${name}`,
    rank,
    named: false,
    looksLike: null,
  };
}

function scanOf(skills: readonly Skill[]): Scan {
  return {
    skills,
    diagnostics: [],
    roots: roots.map((root) => ({ root, status: 'found', skills: 0 })),
    hidden: [],
    aliases: new Map(),
    counts: { reused: 0, read: 0 },
    folders: new Map(),
    missing: [],
    startedAt: 0,
    lookAgainAt: null,
  };
}

describe('agentsSeeing', () => {
  it('says of one skill what the whole view says', () => {
    const skills = roots.flatMap((_, rank) => [skillIn(rank, 'pdf'), skillIn(rank, `only-${rank}`)]);
    const snapshot = { scan: scanOf(skills) };
    for (const skill of skills) {
      const seen = agentsSeeing(skill, snapshot);
      expect(seen.map(({ id }) => id)).toEqual(nativeAgents.map(({ id }) => id));
      for (const { id, sees, reason } of seen) {
        expect({ id, sees, reason }).toEqual({ id, ...pick(viewOf(requireAgent(id), snapshot).sights.get(skill)) });
        expect(reason).toMatch(/\S/);
      }
    }
  });

  function pick(sight: { sees: string; reason: string } | undefined): object {
    return { sees: sight?.sees, reason: sight?.reason };
  }
});

describe('excludesFor', () => {
  it('leaves out what an agent was seen to show by itself, and nothing for one that nobody has run', () => {
    expect(excludesFor('codex')).toEqual(['native:codex']);
    expect(excludesFor('qwen')).toEqual(['native:qwen-code']);
    expect(excludesFor('vscode')).toEqual([]);
    expect(excludesFor('claude-desktop')).toEqual([]);
    expect(excludesFor('nobody')).toEqual([]);
  });
});

describe('requireAgent', () => {
  it('suggests what could have been meant', () => {
    expect(() => requireAgent('codx')).toThrow(expect.objectContaining({ code: 'usage', suggestions: ['codex'] }));
  });
});
