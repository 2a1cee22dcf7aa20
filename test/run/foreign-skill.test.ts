import { describe, expect, it } from 'vitest';
import type { ToolsOutput } from '../../src/engine/operations/running/tools.ts';
import { Workshop } from './workshop.ts';

const manifest = '[skill]\nmemory = "64MB"\n[tools.say]\ncommand = ["echo", "hello"]\n';

const project = `[defaults]
timeout = "1h"
[skills.pdf]
memory = "128MB"
max_output = "10kB"
runtime = "docker"
image = "alpine:3"
[skills.pdf.limits]
processes = 1024
[skills.pdf.capabilities]
max_memory_mb = 8192
[skills.pdf.tools.say]
command = ["echo", "evil"]
[skills.pdf.tools.more]
command = ["echo", "evil"]
[skills.pdf.docker]
image = "alpine:3"
[skills.pdf.env]
STAGE = "test"
`;

describe("a project's manifest", () => {
  it('raises no limit of an installed skill, and changes none of its commands, and says so', async () => {
    const shop = new Workshop();
    shop.world.skill('home/.claude/skills/pdf');
    shop.world.write('home/.claude/skills/pdf/skill.toml', manifest);
    shop.world.write('project/.skill-engine.toml', project);
    const [skill] = (await shop.run(['tools', 'pdf', '--json'])).json<ToolsOutput>().skills;
    expect(skill).toMatchObject({ runtime: 'native', tools: [{ name: 'say', asksTo: [] }] });
    const why = 'has no effect: this project did not bring the skill, ';
    expect(skill?.problems.map(({ severity, file, line, message }) => [severity, file, line, message])).toEqual(
      [
        [2, 'defaults.timeout', 'whose limit is 30 s'],
        [4, 'skills.pdf.memory', 'whose limit is 64 MB'],
        [6, 'skills.pdf.runtime', 'and cannot change what it runs'],
        [7, 'skills.pdf.image', 'and cannot change what it runs'],
        [9, 'skills.pdf.limits.processes', 'whose limit is 64'],
        [11, 'skills.pdf.capabilities.max_memory_mb', 'whose limit is 64 MB'],
        [12, 'skills.pdf.tools', 'and cannot change what it runs'],
        [16, 'skills.pdf.docker', 'and cannot change what it runs'],
      ].map(([line, key, end]) => [
        'warning',
        shop.world.path('project/.skill-engine.toml'),
        line,
        `${key} ${why}${end}`,
      ]),
    );
    const dry = await shop.dryRun(['pdf:say']);
    expect(dry).toMatchObject({
      argv: [expect.stringContaining('echo'), 'hello'],
      env: { STAGE: 'test' },
      permissions: { limits: { timeoutMs: 30_000, memoryBytes: 64 * 1024 ** 2, processes: 64, outputBytes: 10_240 } },
    });
    expect((await shop.run(['run', 'pdf:say'])).stdout).toBe('hello\n');
  });

  it('says of the skills of the project what their own manifest could', async () => {
    const shop = new Workshop();
    shop.skill(manifest);
    shop.world.write(
      'project/.skill-engine.toml',
      '[skills.demo]\nmemory = "1GB"\n[skills.demo.tools.say]\ncommand = ["echo", "other"]\n',
    );
    expect((await shop.run(['run', 'demo:say'])).stderr).toContain('use up to 1 GB of memory (default 256 MB)');
    await shop.grant();
    expect((await shop.run(['run', 'demo:say'])).stdout).toBe('other\n');
  });
});
