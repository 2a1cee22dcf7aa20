import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';
import { onlyTool, problemsOf, toolboxIn, toolboxWith, wordsOf } from './toolbox.ts';

/** What all of these ask for. */
const asked = {
  network: [{ host: 'api.example.com', below: false, port: null }],
  filesystem: [
    { access: 'read', path: '/data' },
    { access: 'write', path: '/out' },
  ],
  env: ['REGION'],
};

describe('one thing written in many ways', () => {
  it.each([
    'network = ["api.example.com"]\nfilesystem = ["read:/data", "write:/out"]\nenv = ["REGION"]',
    'network_access = true\nallowed_domains = ["api.example.com"]\nread_only_paths = ["/data"]\nfilesystem = ["write:/out"]\nenv = "REGION"',
    'network = { allowed_domains = ["API.example.com"] }\nfilesystem = { read = ["/data"], write = ["/out"] }\nenvironment = { allowlist = ["REGION"] }',
    'allowed_hosts = "api.example.com"\nfilesystem_access = "read-write"\nallowed_paths = ["read:/data", "/out"]\nenvironment = ["REGION"]',
    'allowed_domains = ["api.example.com"]\nblocked_domains = ["evil.example"]\nfilesystem = { read = ["/data"], write = ["/out"], forbidden = ["/etc"] }\nenvironment = { allowlist = ["REGION"], blocklist = ["AWS_KEY"] }',
  ])('%j', async (lines) => {
    const toolbox = await toolboxWith(createWorld(), `[capabilities]\n${lines}\n`);
    expect(problemsOf(toolbox)).toEqual([]);
    expect(toolbox.capabilities).toMatchObject(asked);
  });

  it.each([
    '[skill]\ntimeout = "2s"\nmemory = "32MB"',
    '[skill]\ntimeout = 2\nmax_memory_mb = 32',
    '[limits]\ntimeout_ms = 2000\nmemory = "32MiB"',
    '[capabilities]\ntimeout_ms = 2000\nmax_memory_mb = 32',
    '[resources]\ntimeout = "2000ms"\nmemory = "32768k"',
    'timeout = "2s"\nmemory = 33554432',
  ])('limits: %j', async (lines) => {
    const toolbox = await toolboxWith(createWorld(), `${lines}\n`);
    expect(problemsOf(toolbox)).toEqual([]);
    expect(toolbox.limits).toEqual({ timeoutMs: 2000, memoryBytes: 32 * 1024 * 1024 });
  });

  it('what is forbidden must not be a part of what is allowed', async () => {
    const toolbox = await toolboxWith(
      createWorld(),
      '[capabilities]\nnetwork = ["*.example.com"]\nblocked_domains = ["x.example.com"]\n',
    );
    expect(problemsOf(toolbox)).toEqual(['3: capabilities.blocked_domains: forbids a part of what is allowed']);
  });

  it('what is understood and changes nothing is a warning', async () => {
    const toolbox = await toolboxWith(
      createWorld(),
      '[docker]\nimage = "alpine:3.20"\ncpus = "1.5"\nuser = "root"\nrm = true\n[capabilities]\nmax_concurrent_requests = 10\n',
    );
    expect(toolbox.problems.map(({ code, severity, line }) => `${line} ${severity} ${code}`)).toEqual([
      '7 warning manifest-ignored',
      '3 warning manifest-ignored',
      '4 warning manifest-ignored',
    ]);
    expect(toolbox.tools).toHaveLength(1);
  });
});

describe('containers and modules', () => {
  it('a container runs the words of its tool', async () => {
    const manifest =
      '[skill]\nimage = "alpine:3.20"\n[docker]\nmemory = "64m"\nvolumes = ["/data:/data:ro"]\nenvironment = ["MODE=fast"]\n[tools.a]\ncommand = ["wc", "-l", "--", "{file}"]\n[tools.b]\nparameters.n = "integer"\n';
    const toolbox = await toolboxWith(createWorld(), manifest);
    expect(problemsOf(toolbox)).toEqual([]);
    expect(toolbox).toMatchObject({
      runtime: 'docker',
      env: { MODE: 'fast' },
      limits: { memoryBytes: 64 * 1024 * 1024 },
      capabilities: { images: ['alpine:3.20'], commands: [], filesystem: [{ access: 'read', path: '/data' }] },
    });
    expect(toolbox.tools.map(({ work }) => work.kind)).toEqual(['container', 'container']);
    expect(toolbox.tools.map(wordsOf)).toEqual([
      ['wc', '-l', '--', '{file}'],
      ['b', '--n={n}'],
    ]);
  });

  it('a module is a tool by itself, or has several', async () => {
    const world = createWorld();
    const core = Buffer.from('0061736d01000000', 'hex').toString('latin1');
    const alone = await toolboxWith(world, '[skill]\nmodule = "go.wasm"\n', { 'go.wasm': core });
    expect(alone).toMatchObject({
      runtime: 'wasm',
      tools: [{ name: 'run', stdin: 'stdin', work: { kind: 'module' } }],
    });
    expect(wordsOf(onlyTool(alone))).toEqual(['{args}']);
    const named = await toolboxWith(world, '[skill]\nmodule = "go.wasm"\n[tools.up]\ncommand = ["up", "{x}"]\n');
    expect(wordsOf(onlyTool(named))).toEqual(['up', '{x}']);
  });

  it('a component tells its tools to those who can read it', async () => {
    const world = createWorld();
    world.skill('project/skills/parts');
    world.write('project/skills/parts/skill.wasm', Buffer.from('0061736d0d000100', 'hex'));
    world.write('project/skills/parts/scripts/other.sh', 'echo\n');
    const without = await toolboxIn(world, 'project/skills/parts');
    expect(without).toMatchObject({ source: 'component', tools: [], problems: [{ code: 'tool-empty' }] });
    const parameters = { type: 'object', properties: {} };
    const componentTools = (file: string) =>
      Promise.resolve({
        tools: [
          {
            name: 'one',
            description: file.endsWith('/skill.wasm') ? 'Does one.' : '',
            parameters,
            output: 'json' as const,
          },
        ],
        problems: [],
      });
    const toolbox = await toolboxIn(world, 'project/skills/parts', { componentTools });
    expect(toolbox).toMatchObject({ source: 'component', runtime: 'wasm', problems: [] });
    expect(onlyTool(toolbox)).toMatchObject({
      name: 'one',
      description: 'Does one.',
      stdin: null,
      output: 'json',
      work: { kind: 'component', file: 'skill.wasm' },
    });
    const failing = await toolboxIn(world, 'project/skills/parts', {
      componentTools: () => Promise.reject(new Error('broken')),
    });
    expect(failing.tools.length + failing.problems.length).toBeGreaterThan(0);
  });
});
