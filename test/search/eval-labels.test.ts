import { describe, expect, it } from 'vitest';
import { installPlugins } from '../names/machine.ts';
import { createWorld } from '../support/world.ts';
import { evaluate, evaluation } from './evaluation.ts';

const words = ['--half', 'words'];

/** The place at which each label is found; null where it is not. */
function ranks({ results }: Awaited<ReturnType<typeof evaluation>>): (number | null | undefined)[] {
  return results.map(({ judgement }) => judgement?.rank);
}

describe('a label of an evaluation', () => {
  it('is any of the names of a skill, or the end of its path', async () => {
    const world = createWorld();
    const folder = world.skill('project/skills/Office/Paper-Kit', { name: 'pdf', description: 'Merges paper.' });
    world.skill('home/.claude/skills/ink', { description: 'Mixes ink.' });
    installPlugins(world, { 'desk@shop': ['pencil'] });
    const asked: Readonly<Record<string, readonly string[]>> = {
      'merges paper': [
        'pdf',
        'PDF',
        'agents:pdf',
        'skill://agents/pdf/SKILL.md',
        'Paper-Kit',
        'paper-kit',
        'Office/Paper-Kit',
        'office/paper-kit/',
        'skills/Office/Paper-Kit/SKILL.md',
        './skills/Office/Paper-Kit',
        'paper-kit/skill.md',
        folder,
        `${folder}/SKILL.md`,
      ],
      'mixes ink': ['ink', 'claude:ink', 'claude-code:ink', '~/.claude/skills/ink', '.claude/skills/ink'],
      pencil: ['pencil', 'desk:pencil', 'desk@shop:pencil', 'claude:desk:pencil', 'desk@shop/skills/pencil'],
    };
    const lines = Object.entries(asked).flatMap(([query, labels]) =>
      labels.map((label) => ({ query, relevant: [label] })),
    );
    const output = await evaluation(world, lines, words);
    expect(output.notes).toEqual([]);
    const lost = output.results.filter(({ judgement }) => judgement?.rank !== 1);
    expect(lost.map(({ relevant, hits }) => ({ relevant, hits }))).toEqual([]);
  });

  it('is the end of a path in whole parts only', async () => {
    const world = createWorld();
    world.skill('project/skills/office/paper-kit', { name: 'pdf', description: 'Merges paper.' });
    const labels = [
      'kit',
      'ice/paper-kit',
      '/paper-kit',
      '/skills/office/paper-kit',
      'office',
      '../paper-kit',
      'SKILL.md',
    ];
    const lines = labels.map((label) => ({ query: 'merges paper', relevant: [label] }));
    expect(ranks(await evaluation(world, lines, words))).toEqual(labels.map(() => null));
  });

  it('that no skill has is noted with what is near, and counts as not found', async () => {
    const world = createWorld();
    world.skill('project/skills/invoice', { description: 'Writes an invoice.' });
    const lines = [
      { query: 'invoice', relevant: ['invoice', 'invocie'] },
      { query: 'invoice', relevant: ['shop/skills/invoices'] },
      { query: 'invoice', should_match: ['qqqqqqqq'] },
      { query: 'bees', should_not_match: ['qqqqqqqq'] },
    ];
    const { all, notes, triggers, code } = await evaluation(world, lines, words);
    expect(notes).toEqual([
      "evals.jsonl:1: 'invocie' is not a skill; did you mean invoice?",
      "evals.jsonl:2: 'shop/skills/invoices' is not a skill; did you mean invoice?",
      "evals.jsonl:3 and 1 more line: 'qqqqqqqq' is not a skill",
    ]);
    expect(all.figures).toMatchObject({ hitAt1: 50, recall: 25 });
    expect({ triggers, code }).toEqual({ triggers: { total: 2, passed: 1 }, code: 1 });
    const { stderr, code: fine } = await evaluate(world, lines.slice(0, 1), words);
    expect([fine, stderr]).toEqual([0, "note: evals.jsonl:1: 'invocie' is not a skill; did you mean invoice?\n"]);
  });

  it('may be wrong very often without a flood of notes', async () => {
    const world = createWorld();
    world.skill('project/skills/invoice');
    const labels = Array.from({ length: 30 }, (_, at) => `nothing-${at}`);
    const { notes } = await evaluation(world, [{ query: 'invoice', relevant: labels }], words);
    expect(notes).toHaveLength(21);
    expect(notes.at(-1)).toBe('10 more labels are not skills');
  });
});

describe('copies in an evaluation', () => {
  const same = { name: 'pdf', description: 'Merges paper.' };

  it('are one hit, which answers to the labels of all of them', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf', same);
    world.skill('home/.codex/skills/pdf', { ...same, body: '\nAnother text.\n' });
    world.skill('project/skills/scissors', { description: 'Cuts paper.' });
    const lines = [
      { query: 'merges paper', relevant: ['claude:pdf'] },
      { query: 'merges paper', relevant: ['codex:pdf'] },
      { query: 'merges paper', relevant: ['claude:pdf', 'codex:pdf', 'scissors'] },
      { query: 'merges paper', relevant: ['pdf'] },
    ];
    const output = await evaluation(world, lines, words);
    expect(output.results[0]?.hits).toHaveLength(2);
    expect(output.results.map(({ judgement }) => judgement)).toEqual(
      lines.map(() => ({ rank: 1, recall: 1, ndcg: 1, missed: [] })),
    );
  });

  it('that are hidden are found with the one that hides them, if they are the same', async () => {
    const world = createWorld();
    world.skill('project/.agents/skills/pdf', same);
    world.skill('home/.agents/skills/pdf', same);
    world.skill('home/.config/agents/skills/pdf', { name: 'pdf', description: 'Merges paper otherwise.' });
    const folders = ['project/.agents/skills/pdf', 'home/.agents/skills/pdf', '.config/agents/skills/pdf'];
    const lines = folders.map((label) => ({ query: 'merges paper', relevant: [label] }));
    const { skills, notes, ...output } = await evaluation(world, lines, words);
    expect(skills).toBe(1);
    expect(ranks({ skills, notes, ...output })).toEqual([1, 1, null]);
    expect(notes).toEqual([
      expect.stringMatching(/^evals\.jsonl:3: '\.config\/agents\/skills\/pdf' is hidden by another skill/),
    ]);
  });

  it('that share a name only are several hits, each of which answers to it', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf', same);
    world.skill('home/.codex/skills/pdf', { name: 'pdf', description: 'Splits paper.' });
    const lines = [
      { query: 'splits paper', relevant: ['pdf'] },
      { query: 'splits paper', relevant: ['codex:pdf', 'claude:pdf'] },
      { query: 'splits paper', relevant: ['claude:pdf'] },
    ];
    const output = await evaluation(world, lines, words);
    expect(output.results.map(({ judgement }) => judgement)).toMatchObject([
      { rank: 1, recall: 1, ndcg: 1 },
      { rank: 1, recall: 1, ndcg: 1 },
      { rank: 2, recall: 1 },
    ]);
  });
});
