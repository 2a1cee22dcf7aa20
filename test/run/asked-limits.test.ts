import { describe, expect, it } from 'vitest';
import type { GrantsOutput } from '../../src/engine/operations/running/grants.ts';
import type { ToolsOutput } from '../../src/engine/operations/running/tools.ts';
import { Workshop } from './workshop.ts';

const manifest = `[tools.modest]
command = ["echo", "hello"]
timeout = "5s"
[tools.greedy]
command = ["echo", "hello"]
memory = "1GB"
limits = { timeout = "1h", processes = 1024, scratch = "1GB", max_output = "64MB", file_size = "4GB", cpu_time = "2h" }
`;

const words = [
  'use up to 2 h of processor time (default 1 min)',
  'write files of up to 4 GB (default 100 MB)',
  'print up to 64 MB (default 1 MB)',
  'use up to 1 GB of memory (default 256 MB)',
  'run up to 1024 processes at once (default 64)',
  'keep up to 1 GB in its scratch folder (default 16 MB)',
  'run for up to 1 h (default 30 s)',
];

describe('limits above the defaults', () => {
  it('are shown, denied until they are granted, and hold for the skill as it was', async () => {
    const shop = new Workshop();
    const folder = shop.skill(manifest);
    const listed = (await shop.run(['tools', 'demo', '--json'])).json<ToolsOutput>().skills[0]?.tools;
    expect(listed?.map(({ name, asksTo }) => [name, asksTo])).toEqual([
      ['modest', []],
      ['greedy', words],
    ]);
    expect((await shop.run(['run', 'demo:modest'])).stdout).toBe('hello\n');
    for (const more of [[], ['--dry-run']]) {
      const denied = await shop.run(['run', 'demo:greedy', ...more]);
      expect([denied.code, denied.stdout]).toEqual([1, '']);
      expect(denied.stderr).toContain(`skill 'demo' is not allowed to ${words.join('; ')}\nRun: repertoire grant demo`);
    }
    expect((await shop.run(['grant', 'demo', '--yes'])).stdout).toBe(
      `granted to demo:\n${words.map((line) => `  - ${line}\n`).join('')}`,
    );
    expect((await shop.run(['run', 'demo:greedy'])).stdout).toBe('hello\n');
    expect((await shop.run(['run', 'demo:greedy', '--dry-run'])).stdout).toMatch(/memory +1 GB\n/);
    shop.world.write('project/skills/demo/skill.toml', manifest.replace('memory = "1GB"', 'memory = "8GB"'));
    expect((await shop.run(['run', 'demo:greedy'])).stderr).toContain('skill.toml has changed');
    expect(folder).toBe(shop.world.path('project/skills/demo'));
  });

  it('are granted one by one', async () => {
    const shop = new Workshop();
    shop.skill(manifest);
    await shop.run(['grant', 'demo', '--only', 'limits:memory=1024mb', '--yes']);
    const { grants } = (await shop.run(['grants', '--json'])).json<GrantsOutput>();
    expect(grants[0]?.items).toEqual([{ key: 'limits:memory=1GB', words: 'use up to 1 GB of memory' }]);
    const denied = await shop.run(['run', 'demo:greedy']);
    expect(denied.stderr).toContain('is not allowed to use up to 2 h of processor time');
    expect(denied.stderr).not.toContain('of memory');
    await shop.run(['grant', 'demo', '--only', 'limits', '--yes']);
    expect((await shop.run(['run', 'demo:greedy'])).stdout).toBe('hello\n');
  });

  it('are those above the defaults of the operator, and are held at the ceilings', async () => {
    const shop = new Workshop();
    shop.skill('[tools.one]\ncommand = ["echo", "hello"]\nmemory = "64GB"\n');
    shop.policy('[ceilings]\nmemory = "2GB"\n');
    expect((await shop.run(['run', 'demo:one'])).stderr).toContain(
      'use up to 64 GB of memory (default 256 MB; no run gets more than 2 GB)',
    );
    shop.policy('[limits]\nmemory = "64GB"\n[ceilings]\nmemory = "64GB"\n');
    expect((await shop.run(['run', 'demo:one'])).stdout).toBe('hello\n');
    shop.policy('[limits]\nmemory = "128MB"\n');
    shop.skill('[tools.one]\ncommand = ["echo", "hello"]\nmemory = "200MB"\n');
    expect((await shop.run(['run', 'demo:one'])).stderr).toContain('use up to 200 MB of memory (default 128 MB)');
  });
});
