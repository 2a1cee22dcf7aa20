import { describe, expect, it } from 'vitest';
import { ourTools } from '../../src/agents/setup/agents/table.ts';
import { connectStdio } from '../support/mcp.ts';
import { createWorld, type World } from '../support/world.ts';
import { agentFiles, type Report, serverIn, textOf } from './agents.ts';

async function approved(world: World, args: string[]) {
  const run = await world.run(['setup', '--json', ...args]);
  expect(run.code, run.stdout + run.stderr).toBe(0);
  return run.json<Report>().agents;
}

function allowed(world: World, file: string): string[] {
  const settings = JSON.parse(textOf(world, file) ?? '{}') as { permissions?: { allow?: string[] } };
  return settings.permissions?.allow ?? [];
}

/** The files of agents whose approvals stand in our entry, by id. */
const entryOf = (world: World, id: string) => {
  const file = agentFiles.find((agent) => agent.id === id);
  return file === undefined ? undefined : serverIn(world, file);
};

const rules = 'home/.claude/settings.json';

describe('setup --approve', () => {
  it('knows each tool of the server, and which of them only looks', async () => {
    const world = createWorld();
    const server = await connectStdio(world, ['serve']);
    const tools = await server.tools();
    const readOnly = tools.filter(({ annotations }) => annotations?.['readOnlyHint'] === true).map(({ name }) => name);
    const others = tools.map(({ name }) => name).filter((name) => !readOnly.includes(name));
    expect([...ourTools.looking].sort()).toEqual(readOnly.sort());
    expect(ourTools.running).toEqual(others);
    await server.end();
  });

  it('approves nothing unless it is asked to, and shows what to copy', async () => {
    const world = createWorld();
    const ids = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'kiro', 'cline-vscode'];
    const run = await world.run(['setup', ...ids]);
    expect(textOf(world, rules)).toBeNull();
    for (const key of ['approval_mode', 'trust', 'autoApprove']) {
      for (const { global } of agentFiles) expect(textOf(world, global) ?? '').not.toContain(key);
    }
    expect(run.stdout).toContain('Claude Code asks before it calls a tool');
    expect(run.stdout).toContain('"mcp__repertoire__skill"');
    expect(run.stdout).not.toContain('mcp__repertoire__skill-engine_execute');
    expect(run.stdout).toContain('codex exec refuses');
    expect(run.stdout).toContain('default_tools_approval_mode = "approve"');
    expect(run.stdout).toContain('--approve read');
  });

  it('tells looking at skills from running their tools', async () => {
    const world = createWorld();
    const ids = ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'kiro', 'cline-vscode'];
    const read = await approved(world, [...ids, '--approve', 'read']);
    expect(Object.fromEntries(read.map(({ id, approval }) => [id, approval?.approved ?? null]))).toEqual({
      ...{ 'claude-code': 'read', codex: 'read', kiro: 'read', 'cline-vscode': 'read' },
      ...{ 'gemini-cli': null, 'qwen-code': null },
    });
    expect(allowed(world, rules)).toContain('mcp__repertoire__skills_search');
    expect(allowed(world, rules).join()).not.toContain('execute');
    expect(entryOf(world, 'codex')).not.toHaveProperty('default_tools_approval_mode');
    expect(entryOf(world, 'gemini-cli')).not.toHaveProperty('trust');
    expect(entryOf(world, 'kiro')?.['autoApprove']).toContain('skill');
    expect(entryOf(world, 'kiro')?.['autoApprove']).not.toContain('skill_engine_execute');

    await approved(world, [...ids, '--approve', 'all']);
    expect(allowed(world, rules)).toContain('mcp__repertoire__skill-engine_execute');
    expect(entryOf(world, 'codex')).toMatchObject({ default_tools_approval_mode: 'approve' });
    expect(entryOf(world, 'gemini-cli')).toMatchObject({ trust: true });
    expect(entryOf(world, 'qwen-code')).toMatchObject({ trust: true });
    expect(entryOf(world, 'cline-vscode')?.['autoApprove']).toContain('skill_engine_execute');

    // Without the option everything stays as it was approved.
    const again = await approved(world, ids);
    expect(again.map(({ state, approval }) => [state, approval?.approved])).toEqual(ids.map(() => ['current', 'all']));

    await approved(world, [...ids, '--approve', 'read']);
    expect(allowed(world, rules).join()).not.toContain('execute');
    expect(entryOf(world, 'codex')).not.toHaveProperty('default_tools_approval_mode');
    expect(entryOf(world, 'gemini-cli')).not.toHaveProperty('trust');
  });

  it('offers only what can be approved for the agent, and says so when asked for more', async () => {
    const world = createWorld();
    for (const [id, command] of [
      ['gemini-cli', 'gemini'],
      ['qwen-code', 'qwen'],
    ] as const) {
      const run = await world.run(['setup', id, '--approve', 'read']);
      expect([command, run.code, run.stdout]).toEqual([command, 0, expect.stringContaining('nothing was approved')]);
      expect(run.stdout).toContain('--approve read is not possible here');
      expect(run.stdout).toContain('setup with --approve all (');
      expect(run.stdout).not.toContain('setup with --approve read');
    }
    const codex = await world.run(['setup', 'codex', '--approve', 'read']);
    expect(codex.stdout).not.toMatch(/not possible|with --approve read/);
    const copilot = await world.run(['setup', 'copilot-cli', '--name', 'skills', '--approve', 'all']);
    expect(copilot.code).toBe(0);
    expect(copilot.stdout).toContain('--approve all is not possible here: nothing was approved.');
    expect(copilot.stdout).toContain('Before it runs a tool of a skill it asks, and copilot -p refuses.');
    expect(copilot.stdout).toContain('copilot --allow-tool=skills');
    const [report] = await approved(world, ['copilot-cli', '--approve', 'read']);
    expect(report?.approval).toMatchObject({ approved: 'read', levels: [], impossible: null, snippet: null });
  });

  it('shows the change to the rules in a dry run, and writes nothing', async () => {
    const world = createWorld();
    world.write(rules, '{\n  "env": { "API_TOKEN": "sk-very-secret" }\n}\n');
    const run = await world.run(['setup', 'claude-code', '--approve', 'all', '--dry-run']);
    expect(run.stdout).toContain('# Claude Code: approve in ~/.claude/settings.json');
    expect(run.stdout).toMatch(/^\+.*mcp__repertoire__skill-engine_execute/m);
    expect(run.stdout).not.toContain('sk-very-secret');
    expect(allowed(world, rules)).toEqual([]);
  });

  it.each([
    ['no file', null],
    ['an empty map', '{}\n'],
    ['an empty file', ''],
    ['other settings', '{\n  // mine\n  "model": "opus",\n}\n'],
    ['permissions without a list', '{ "permissions": {} }'],
    ['an empty list', '{"permissions": {"allow": [], "deny": ["Bash(rm:*)"]}}'],
    ['an empty list with blanks', '{"permissions": {"allow": [\n  ]}}\n'],
    ['rules on one line', '{ "permissions": { "allow": ["Bash(ls:*)", "Read"] } }\n'],
    ['rules without blanks', '{"permissions":{"allow":["Bash(ls:*)","Read"]}}'],
    ['rules over lines', '{\r\n\t"permissions": {\r\n\t\t"allow": [\r\n\t\t\t"Read"\r\n\t\t]\r\n\t}\r\n}\r\n'],
    ['rules with comments', '{ "permissions": { "allow": [\n  "Read", // always\n  /* and */ "Grep",\n] } }\n'],
    ['a list of comments', '{ "permissions": { "allow": [\n  // none yet\n] } }\n'],
  ])('gives back every byte of the rules: %s', async (_what, before) => {
    const world = createWorld();
    if (before !== null) world.write(rules, before);
    await approved(world, ['claude-code', '--approve', 'read']);
    await approved(world, ['claude-code', '--approve', 'all']);
    const text = textOf(world, rules) ?? '';
    for (const rule of ['mcp__repertoire__skill', 'mcp__repertoire__skill-engine_execute'])
      expect(text).toContain(rule);
    await approved(world, ['claude-code', '--approve', 'all']);
    expect(textOf(world, rules)).toBe(text);
    const [removed] = await approved(world, ['claude-code', '--remove']);
    expect(removed?.approval).toMatchObject({ action: 'remove', done: true, approved: null });
    expect(textOf(world, rules) ?? '').toBe(before ?? '');
  });

  it('approves the file of a project for this project and this user alone', async () => {
    const world = createWorld();
    const [report] = await approved(world, ['claude-code', '--project', '--approve', 'read']);
    expect(report?.approval?.file).toBe(world.path('project/.claude/settings.local.json'));
    const settings = JSON.parse(textOf(world, 'project/.claude/settings.local.json') ?? '') as object;
    expect(settings).toMatchObject({ enabledMcpjsonServers: ['repertoire'] });
    expect(textOf(world, rules)).toBeNull();
    await approved(world, ['claude-code', '--project', '--remove']);
    expect(textOf(world, 'project/.claude/settings.local.json')).toBeNull();
  });

  it('says which folder must be trusted, and the line that does it', async () => {
    const world = createWorld();
    const [codex] = await approved(world, ['codex', '--project']);
    expect(codex?.notes.join()).toContain(`trust_level = "trusted" under [projects."${world.project}"]`);
    const [gemini] = await approved(world, ['gemini-cli']);
    expect(gemini?.notes.join()).toContain(`"${world.project}": "TRUST_FOLDER"`);
    world.writeJson('home/.gemini/trustedFolders.json', { [world.project]: 'TRUST_FOLDER' });
    const [trusted] = await approved(world, ['gemini-cli']);
    expect(trusted?.notes.join()).not.toContain('TRUST_FOLDER');
  });

  it('leaves rules alone that it cannot read, and says so', async () => {
    const world = createWorld();
    world.write(rules, '{ "permissions": { "allow": "all" } }');
    const run = await world.run(['setup', 'claude-code', '--approve', 'read', '--json']);
    expect(run.code).toBe(1);
    const [report] = run.json<Report>().agents;
    expect(report).toMatchObject({ done: true, approval: { done: false, approved: null } });
    expect(report?.approval?.problem).toContain('line 1');
    expect(report?.approval?.snippet).toContain('mcp__repertoire__skill');
    expect(textOf(world, rules)).toBe('{ "permissions": { "allow": "all" } }');
  });

  it('goes with what writes only', async () => {
    const world = createWorld();
    expect((await world.run(['setup', 'codex', '--approve', 'some'])).code).toBe(2);
    expect((await world.run(['setup', 'codex', '--approve', 'all', '--remove'])).code).toBe(2);
    expect((await world.run(['setup', '--check', '--approve', 'all'])).code).toBe(2);
  });
});
