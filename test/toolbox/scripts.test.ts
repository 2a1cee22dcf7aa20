import { chmodSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';
import { onlyTool, problemsOf, toolboxIn, wordsOf } from './toolbox.ts';

describe('scripts', () => {
  it('each is a tool that takes arguments and input [C4-TOOLS-03 C4-TOOLS-04]', async () => {
    const world = createWorld();
    world.skill('project/skills/demo');
    world.write('project/skills/demo/scripts/count.py', '#!/usr/bin/env python3\n"""Counts words. And more."""\n');
    world.write('project/skills/demo/scripts/say.sh', '# Says it\n# again.\necho\n');
    world.write('project/skills/demo/scripts/data.json', '{}');
    world.write('project/skills/demo/scripts/README.md', '# Text\n');
    world.write('project/skills/demo/scripts/lib/part.py', 'x = 1\n');
    const toolbox = await toolboxIn(world, 'project/skills/demo');
    expect(toolbox).toMatchObject({ runtime: 'native', source: 'scripts', file: null, problems: [] });
    expect(toolbox.tools).toMatchObject([
      {
        name: 'count',
        description: 'Counts words.',
        work: { kind: 'script', file: 'scripts/count.py', interpreter: ['python3'] },
        stdin: 'stdin',
        parameters: { properties: { args: { type: 'array', items: { type: 'string' } }, stdin: { type: 'string' } } },
      },
      { name: 'say', description: 'Says it again.', work: { interpreter: ['sh'] } },
    ]);
    expect(toolbox.capabilities).toEqual({
      network: [],
      filesystem: [],
      env: [],
      secrets: [],
      commands: ['python3', 'sh'],
      images: [],
      limits: [],
    });
  });

  it.each([
    ['a.py', '', ['python3']],
    ['a', '#!/bin/bash -eu\n', ['bash', '-eu']],
    ['a', '#!/bin/sh\r\necho\r\n', ['sh']],
    ['a.py', '#!/usr/bin/env -S python3 -u -W "ignore all"\n', ['python3', '-u', '-W', 'ignore all']],
    ['a', '#!/usr/bin/env -S uv run --script\n', ['uv', 'run', '--script']],
    ['a.ts', '#!/usr/bin/env -S deno run\n', ['deno', 'run']],
    ['a.py', '#!/usr/bin/env -i python3\n', ['python3']],
    ['a.rb', '', ['ruby']],
    ['a.ps1', '', ['pwsh', '-File']],
    ['a', '#!/opt/own/python3.12\n', ['python3.12']],
    ['a.ts', 'export {};\n', null],
    ['a.txt', 'text\n', null],
    ['a', 'no shebang\n', null],
    ['a', '#!relative/path\n', null],
    ['.hidden.sh', 'x\n', null],
    ['__init__.py', 'x\n', null],
  ])('%s with %j is run by %j', async (name, text, interpreter) => {
    const world = createWorld();
    world.skill('project/skills/demo');
    world.write(`project/skills/demo/scripts/${name}`, text);
    const { tools } = await toolboxIn(world, 'project/skills/demo');
    expect(tools.map(({ work }) => (work.kind === 'script' ? work.interpreter : null))).toEqual(
      interpreter === null ? [] : [interpreter],
    );
  });

  it('a program is one where it may be run', async () => {
    const world = createWorld();
    world.skill('project/skills/demo');
    const file = world.write('project/skills/demo/scripts/tool', Buffer.from('7f454c460201', 'hex'));
    // What was changed within the last tick of the clock is not remembered; what is remembered must still be seen to change.
    const settled = statSync(file).ctimeMs + 50;
    while (Date.now() < settled) await setImmediate();
    expect((await toolboxIn(world, 'project/skills/demo')).tools).toEqual([]);
    chmodSync(file, 0o755);
    expect(onlyTool(await toolboxIn(world, 'project/skills/demo')).work).toMatchObject({
      kind: 'script',
      interpreter: [],
    });
  });

  it('names that clash keep their ends', async () => {
    const world = createWorld();
    world.skill('project/skills/demo');
    for (const name of ['run.py', 'run.sh', 'other one.sh', 'other-one.sh'])
      world.write(`project/skills/demo/scripts/${name}`, '');
    const { tools } = await toolboxIn(world, 'project/skills/demo');
    const names = tools.map(({ name }) => name);
    expect(names).toContain('run.py');
    expect(names).toContain('run.sh');
    expect(new Set(names).size).toBe(4);
  });

  it('links that leave the skill are refused', async () => {
    const world = createWorld();
    world.skill('project/skills/demo');
    world.skill('project/skills/linked');
    world.write('outside/evil.sh', 'echo\n');
    world.link('outside/evil.sh', 'project/skills/demo/scripts/evil.sh');
    world.link('outside', 'project/skills/linked/scripts');
    for (const folder of ['demo', 'linked']) {
      const toolbox = await toolboxIn(world, `project/skills/${folder}`);
      expect(toolbox.tools).toEqual([]);
      expect(toolbox.problems.map(({ code }) => code)).toEqual(['link-outside']);
    }
  });

  it('are not tools where a manifest declares some, and obey it where it does not', async () => {
    const world = createWorld();
    world.skill('project/skills/demo');
    world.write('project/skills/demo/scripts/go.sh', 'echo\n');
    world.write('project/skills/demo/skill.toml', '[skill]\ntimeout = "3s"\n[capabilities]\nnetwork = ["a.example"]\n');
    const obeying = onlyTool(await toolboxIn(world, 'project/skills/demo'));
    expect(obeying).toMatchObject({
      name: 'go',
      limits: { timeoutMs: 3000 },
      capabilities: { network: [{ host: 'a.example' }] },
    });
    world.write('project/skills/demo/skill.toml', '[tools.only]\ncommand = ["ls"]\n');
    expect(onlyTool(await toolboxIn(world, 'project/skills/demo')).name).toBe('only');
  });

  it('what changes is seen, and what does not is not read again', async () => {
    const world = createWorld();
    world.skill('project/skills/demo');
    world.write('project/skills/demo/scripts/go.sh', '# First.\n');
    await new Promise((resolve) => setTimeout(resolve, 60));
    const first = await toolboxIn(world, 'project/skills/demo');
    expect(await toolboxIn(world, 'project/skills/demo')).toBe(first);
    world.write('project/skills/demo/scripts/go.sh', '# Second.\n');
    expect(onlyTool(await toolboxIn(world, 'project/skills/demo')).description).toBe('Second.');
    world.write('project/skills/demo/skill.toml', '[tools.new]\ncommand = ["ls"]\n');
    expect(onlyTool(await toolboxIn(world, 'project/skills/demo')).name).toBe('new');
  });
});

describe('headings of SKILL.md', () => {
  const body = `
# Demo

## Tools

### get

Gets a resource
from somewhere.

**Parameters:**
- \`resource\` (required, string): What to get, from a list of pods.
- \`count\` (optional, integer, default: 5): How many.
- **kind** (string, enum: a|b, default: a)
- \`wide\` (boolean)

\`\`\`bash
### fenced
\`\`\`

### Group

#### put
Puts it.

#### Parameters

### lost
**Parameters:**
- \`x\` (required): Something.

## Other

### elsewhere
`;

  it('declare tools, which run the script of the same name', async () => {
    const world = createWorld();
    world.skill('project/skills/demo', { body });
    world.write('project/skills/demo/scripts/get.py', '');
    world.write('project/skills/demo/scripts/put.sh', '');
    world.write('project/skills/demo/scripts/more.sh', '# More.\n');
    const toolbox = await toolboxIn(world, 'project/skills/demo');
    expect(toolbox.source).toBe('SKILL.md');
    const [get, more, put] = toolbox.tools;
    expect(get).toMatchObject({ name: 'get', description: 'Gets a resource from somewhere.', stdin: null });
    expect(get?.parameters).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['resource'],
      properties: {
        resource: { type: 'string', description: 'What to get, from a list of pods.' },
        count: { type: 'integer', default: 5, description: 'How many.' },
        kind: { type: 'string', enum: ['a', 'b'], default: 'a' },
        wide: { type: 'boolean' },
      },
    });
    expect(get === undefined ? [] : wordsOf(get)).toEqual([
      'python3',
      '/scripts/get.py',
      '--resource={resource}',
      '--count={count}',
      '--kind={kind}',
      '{wide?--wide}',
    ]);
    expect(more).toMatchObject({ name: 'more', description: 'More.', work: { kind: 'script' } });
    expect(put).toMatchObject({ name: 'put', description: 'Puts it.', work: { kind: 'script' } });
    expect(problemsOf(toolbox)).toEqual(['32: the tool lost has nothing to run']);
  });

  it('describe what a manifest runs', async () => {
    const world = createWorld();
    world.skill('project/skills/demo', { body });
    world.write(
      'project/skills/demo/skill.toml',
      '[tools.get]\ncommand = ["kubectl", "get", "{resource}", "--limit={count}", "--kind={kind}", "{wide?-w}"]\n',
    );
    const tool = onlyTool(await toolboxIn(world, 'project/skills/demo'));
    expect(tool.description).toBe('Gets a resource from somewhere.');
    expect(tool.parameters['required']).toEqual(['resource']);
  });

  it('are prose where they are not names', async () => {
    const world = createWorld();
    world.skill('project/skills/demo', {
      body: '## Recommended tools\n\n### Static analysis\n\nUse it.\n\n### ESLint\n\nA linter.\n',
    });
    expect(await toolboxIn(world, 'project/skills/demo')).toMatchObject({
      runtime: 'none',
      source: 'none',
      tools: [],
      problems: [],
    });
  });
});

describe('the manifest of a project', () => {
  it('says how a skill is run', async () => {
    const world = createWorld();
    world.skill('project/skills/demo', { body: '## Tools\n\n### get\n\n**Parameters:**\n- `x` (required)\n' });
    world.write(
      'project/.skill-engine.toml',
      `version = "1"
[defaults.env]
MODE = "all"
[skills.demo]
source = "./skills/demo"
runtime = "docker"
[skills.demo.docker]
image = "alpine:3.20"
[skills.demo.instances.prod]
description = "The real one."
env = { STAGE = "prod" }
capabilities = { network_access = true, allowed_domains = ["prod.example.com"] }
`,
    );
    const toolbox = await toolboxIn(world, 'project/skills/demo');
    expect(problemsOf(toolbox)).toEqual([]);
    expect(toolbox).toMatchObject({
      runtime: 'docker',
      source: 'SKILL.md',
      env: { MODE: 'all' },
      outside: { [world.path('project/.skill-engine.toml')]: expect.stringMatching(/^sha256:/) },
      instances: {
        prod: {
          description: 'The real one.',
          env: { STAGE: 'prod' },
          capabilities: { network: [{ host: 'prod.example.com' }] },
        },
      },
      capabilities: { images: ['alpine:3.20'] },
    });
    expect(wordsOf(onlyTool(toolbox))).toEqual(['get', '--x={x}']);
  });

  it("chooses among the instances of the skill's own manifest, as that may itself", async () => {
    const world = createWorld();
    world.skill('project/skills/demo');
    world.write('project/skills/demo/scripts/go.sh', 'echo\n');
    const instances = '[instances.a]\nenv = { X = "a" }\n[instances.b]\nenv = { X = "b" }\n';
    world.write('project/skills/demo/skill.toml', `[skill]\ndefault_instance = "a"\n${instances}`);
    const own = await toolboxIn(world, 'project/skills/demo');
    expect(own.instances['default']?.env).toEqual({ X: 'a' });
    world.write('project/.skill-engine.toml', '[skills.demo]\ndefault_instance = "b"\n');
    const chosen = await toolboxIn(world, 'project/skills/demo');
    expect(chosen.instances['default']?.env).toEqual({ X: 'b' });
  });

  it('speaks of those it names, and of no other', async () => {
    const world = createWorld();
    world.skill('project/skills/demo');
    world.skill('project/skills/other');
    for (const name of ['demo', 'other']) world.write(`project/skills/${name}/scripts/go.sh`, 'echo\n');
    world.write('project/skill-engine.toml', '[skills.other]\nsource = "./skills/demo"\nenv = { A = "1" }\nzzz = 1\n');
    const other = await toolboxIn(world, 'project/skills/other');
    expect(other).toMatchObject({ env: {}, outside: {}, problems: [] });
    expect(onlyTool(other).name).toBe('go');
    const demo = await toolboxIn(world, 'project/skills/demo');
    expect(problemsOf(demo)).toEqual(['4: unknown key "skills.other.zzz"']);
    expect(demo.tools).toEqual([]);
  });

  it('sources that would have to be fetched are not, and that is said', async () => {
    const world = createWorld();
    world.skill('project/skills/demo');
    world.write('project/skills/demo/scripts/go.sh', 'echo\n');
    world.write(
      'project/skill-engine.toml',
      '[[skills]]\nname = "demo"\nsource = "github:owner/demo@v1"\nresources = { timeout = "4s" }\n',
    );
    const toolbox = await toolboxIn(world, 'project/skills/demo');
    expect(toolbox.problems).toMatchObject([{ code: 'manifest-ignored', line: 3 }]);
    expect(onlyTool(toolbox).limits).toEqual({ timeoutMs: 4000 });
  });

  it('may declare tools for a skill that declares none', async () => {
    const world = createWorld();
    world.skill('project/skills/demo');
    world.write('project/skill-engine.toml', '[skills.demo.tools.ls]\ncommand = ["ls", "--", "{path}"]\n');
    expect(await toolboxIn(world, 'project/skills/demo')).toMatchObject({
      source: 'project manifest',
      file: world.path('project/skill-engine.toml'),
      tools: [{ name: 'ls' }],
    });
  });
});
