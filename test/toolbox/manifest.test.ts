import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../support/world.ts';
import { onlyTool, problemsOf, toolboxIn, toolboxWith, wordsOf } from './toolbox.ts';

const full = `[skill]
name = "demo"
version = "1.2.0"
timeout = "10s"
folder = "scratch"

[env]
REGION = "eu"
LEVEL = 3

[limits]
memory = "64MB"
output = "2MB"

[capabilities]
network = ["*.example.com"]
filesystem = ["read:/data", "write:/tmp"]
env = ["LANG"]
secrets = ["API_TOKEN"]

[tools.get]
description = "Gets things."
command = ["kubectl", "get", "{resource}", "--namespace", "{namespace}", "{wide?--output=wide}"]
stdin = "{body}"
output = "json"
timeout = "5s"
read_only = true
capabilities = { network = ["api.example.com"] }

[tools.get.parameters]
resource = { type = "string", required = true, enum = ["pods", "nodes"], description = "What." }
namespace = { type = "string", pattern = '^[a-z]+$' }
wide = { type = "boolean", default = false }
body = "string"
`;

describe('skill.toml', () => {
  it('declares the tools of a skill, with all that belongs to them [C4-TOOLS-01]', async () => {
    const toolbox = await toolboxWith(createWorld(), full);
    expect(problemsOf(toolbox)).toEqual([]);
    expect(toolbox).toMatchObject({
      runtime: 'native',
      source: 'skill.toml',
      version: '1.2.0',
      env: { REGION: 'eu', LEVEL: '3' },
      limits: { timeoutMs: 10_000, memoryBytes: 64 * 1024 * 1024, outputBytes: 2 * 1024 * 1024 },
      outside: {},
    });
    expect(toolbox.capabilities).toMatchObject({
      network: [{ host: 'example.com', below: true, port: null }],
      filesystem: [
        { access: 'read', path: '/data' },
        { access: 'write', path: '/tmp' },
      ],
      env: ['LANG'],
      secrets: ['API_TOKEN'],
      commands: ['kubectl'],
    });
    const tool = onlyTool(toolbox);
    expect(tool).toMatchObject({
      name: 'get',
      description: 'Gets things.',
      stdin: 'body',
      output: 'json',
      readOnly: true,
      folder: 'scratch',
      limits: { timeoutMs: 5000, memoryBytes: 64 * 1024 * 1024 },
      capabilities: {
        network: [{ host: 'api.example.com', below: false, port: null }],
        secrets: [],
        commands: ['kubectl'],
      },
    });
    expect(wordsOf(tool)).toEqual(['kubectl', 'get', '{resource}', '--namespace {namespace}', '{wide?--output=wide}']);
    expect(tool.parameters).toMatchObject({
      required: ['resource'],
      properties: { wide: { type: 'boolean', default: false }, body: { type: 'string' } },
      additionalProperties: false,
    });
  });

  it('takes parameters as a JSON Schema, and as a list', async () => {
    const schema = await toolboxWith(
      createWorld(),
      `[tools.a]\ncommand = "echo {n}"\n[tools.a.parameters]\ntype = "object"\nrequired = ["n"]\nproperties.n = { type = "integer", minimum = 1 }\n`,
    );
    expect(onlyTool(schema).parameters).toEqual({
      type: 'object',
      required: ['n'],
      properties: { n: { type: 'integer', minimum: 1 } },
      additionalProperties: false,
    });
    const list = await toolboxWith(
      createWorld(),
      `[[tools]]\nname = "a"\ncommand = "echo {n} {t}"\n[[tools.parameters]]\nname = "n"\ntype = "number"\nmin = 1\nmax = 9\n[[tools.parameters]]\nname = "t"\nrequired = true\nmin_length = 1\nmax_length = 5\npattern = "^x"\n`,
    );
    expect(onlyTool(list).parameters).toMatchObject({
      required: ['t'],
      properties: {
        n: { type: 'number', minimum: 1, maximum: 9 },
        t: { type: 'string', minLength: 1, maxLength: 5, pattern: '^x' },
      },
    });
  });

  it('parameters that are not declared are those that the command names', async () => {
    const tool = onlyTool(await toolboxWith(createWorld(), `[tools.a]\ncommand = "echo {text} {loud?--loud}"\n`));
    expect(tool.parameters).toMatchObject({ required: ['text'], properties: { loud: { type: 'boolean' } } });
  });

  it('files of the skill are run by what they say, and are found from everywhere', async () => {
    const files = { 'scripts/go.py': 'print(1)\n', 'data/list.txt': '' };
    const manifest = `[tools.a]\ncommand = ["scripts/go.py", "data/list.txt", "{x}"]\n[tools.b]\nscript = "scripts/go.py"\nparameters.depth = "integer"\nparameters.deep = "boolean"\n[tools.c]\nscript = "scripts/go.py"\n[tools.d]\ncommand = ["/usr/bin/jq", ".", "{x}"]\n`;
    const { tools, capabilities, problems } = await toolboxWith(createWorld(), manifest, files);
    expect(problems).toEqual([]);
    expect(tools.slice(0, 2).map(wordsOf)).toEqual([
      ['python3', '/scripts/go.py', '/data/list.txt', '{x}'],
      ['python3', '/scripts/go.py', '--depth={depth}', '{deep?--deep}'],
    ]);
    expect(tools[2]?.work).toEqual({ kind: 'script', file: 'scripts/go.py', interpreter: ['python3'] });
    expect(capabilities.commands).toEqual(['jq', 'python3']);
  });
});

describe('what is wrong with a manifest', () => {
  it.each([
    ['[skill]\nname = "x"\ntimeuot = "3s"\n', '3: unknown key "skill.timeuot"', 'Did you mean timeout?'],
    ['[capabilities]\nnetwrok = []\n', '2: unknown key "capabilities.netwrok"', 'network'],
    ['[tools.a]\ncommand = ["ls"]\nshell = true\n', '3: unknown key "tools.a.shell"', 'Remove it'],
    ['[tools.a]\ncommand = ["ls"]\nruntime = "docker"\n', '3: unknown key "tools.a.runtime"', 'Remove it'],
    ['[tools.a]\ncommand = ["ls", "{x}"]\nparameters.x = { tpye = "string" }\n', '3: unknown key', 'type'],
    ['[skill]\nruntime = "nativ"\n', '2: skill.runtime: must be one of', 'native'],
    ['[skill]\ntimeout = "soon"\n', '2: skill.timeout: "soon" is not a duration', '30s'],
    ['[skill]\nmemory = 256\n', '2: skill.memory: 256 bytes', '256MB'],
    [
      '[capabilities]\nnetwork_access = true\n',
      '2: capabilities.network_access: does not say which hosts',
      'Name the hosts',
    ],
    ['[capabilities]\nnetwork = true\n', '2: capabilities.network: does not say which hosts', 'Name the hosts'],
    ['[capabilities]\nnetwork = ["*"]\n', '2: capabilities.network[0]', 'Name the hosts'],
    [
      '[capabilities]\nblocked_domains = ["evil.example"]\n',
      '2: capabilities.blocked_domains: a list of what is forbidden',
      'Name',
    ],
    ['[capabilities.filesystem]\nforbidden = ["/etc"]\n', '2: capabilities.filesystem.forbidden: a list', 'folders'],
    ['[capabilities]\nfilesystem = ["/data"]\n', '2: capabilities.filesystem[0]', 'read:'],
    ['[capabilities.environment]\npatterns = ["AWS_*"]\n', '2: capabilities.environment.patterns', 'letters'],
    ['[env]\nKEY = "\u0024{HOME}"\n', '2: env.KEY: variables of the host', '[capabilities] env'],
    ['[env]\nLD_PRELOAD = "x.so"\n', '2: env.LD_PRELOAD', 'Remove it'],
    ['[docker]\nimage = "alpine:3"\nprivileged = true\n', '3: docker.privileged: would give', 'Remove it'],
    ['[docker]\nimage = "alpine:3"\nextra_args = ["-v", "/:/x"]\n', '3: docker.extra_args', 'Remove it'],
    ['[docker]\nimage = "alpine:3"\ngpus = "all"\n', '3: docker.gpus', 'Remove it'],
    ['[docker]\nimage = "alpine:3"\nnetwork = "host"\n', '3: docker.network', 'Name the hosts'],
    ['[docker]\nimage = "alpine:3"\nvolumes = ["/data:/other"]\n', '3: docker.volumes[0]', '/data:/data'],
    [
      '[tools.a]\ncommand = ["ls"]\ncapabilities = { network = ["x.example"] }\n',
      '3: tools.a.capabilities: asks for more',
      'skill too',
    ],
    ['[tools.a]\ndescription = "x"\n', '1: tools.a: has nothing to run', 'command'],
    ['[tools.a]\ncommand = [\n  "ls",\n  "{x",\n]\n', '4: tools.a.command[1]: there is an unmatched brace', '{{'],
    ['[tools.a]\ncommand = "ls | wc"\n', '2: tools.a.command', 'script'],
    ['[tools.a]\ncommand = ["ls"]\nparameters.x = "string"\n', '1: tools.a: the parameter "x" is not used', '{x}'],
    ['[tools.a]\ncommand = ["../x"]\n', '2: tools.a.command[0]', 'below'],
    ['[tools.a]\ncommand = ["/opt/x/tool"]\n', '2: tools.a.command[0]', 'Name the program'],
    ['[tools.a]\nscript = "scripts/none.py"\n', '1: tools.a: "scripts/none.py" is not in the skill', 'add'],
    ['[tools."a b"]\ncommand = ["ls"]\n', '1: tools.a b: "a b" cannot be the name', 'letters'],
    ['[tools.a]\ncommand = ["ls"]\nstdin = "{x}"\nparameters.y = "string"\n', '3: tools.a.stdin', 'stdin'],
    [
      '[tools.a]\ncommand = ["ls", "{x}"]\nparameters.x = { type = "strnig" }\n',
      '3: tools.a.parameters.x.type',
      'string',
    ],
    ['[skill]\nruntime = "wasm"\n[tools.a]\ndescription = "x"\n', '3: tools.a: has no module', 'module'],
    [
      '[skill]\nmodule = "no.wasm"\n[tools.a]\ndescription = "x"\n',
      '3: tools.a: "no.wasm" is not in the skill',
      'path',
    ],
    ['skill = 3\n', '1: skill: must be a table', '[table]'],
    ['[skill\n', '1: not valid TOML', 'Fix'],
  ])('%j', async (manifest, message, remedy) => {
    const toolbox = await toolboxWith(createWorld(), manifest);
    expect(problemsOf(toolbox).join('\n')).toContain(message);
    const problem = toolbox.problems.find((one) => one.severity === 'error');
    expect(problem?.remedy).toContain(remedy);
    expect(toolbox.tools, 'nothing runs from a manifest with an error in it').toEqual([]);
  });

  it('says once what is wrong with a command', async () => {
    const toolbox = await toolboxWith(createWorld(), '[tools.a]\ncommand = "ls | wc"\n[tools.b]\nimage = 7\n');
    expect(problemsOf(toolbox)).toEqual([
      '2: tools.a.command: "|" has a meaning only in a shell',
      '4: tools.b.image: 7 is not an image',
    ]);
  });

  it('an unknown key is found at its line, wherever it stands', async () => {
    const world = createWorld();
    const lines = full.trimEnd().split('\n');
    const places = [...lines.keys()].filter((index) => !(lines[index] ?? '').startsWith('[tools.get.parameters'));
    for (const index of places.slice(1).filter((_, place) => place % 4 === 0)) {
      const inside = index > lines.indexOf('[tools.get.parameters]') ? 'z = { z = 1 }' : '"z z" = 1';
      const manifest = [...lines.slice(0, index), inside, ...lines.slice(index)].join('\n');
      const { problems } = await toolboxWith(world, manifest);
      expect(
        problems.map(({ line }) => line),
        manifest,
      ).toContain(index + 1);
    }
  });

  it('never throws, whatever stands in it', async () => {
    const world = createWorld();
    const key = fc.constantFrom(
      'skill',
      'tools',
      'capabilities',
      'network',
      'env',
      'parameters',
      'command',
      'a',
      '__proto__',
      'docker',
    );
    const value: fc.Memo<string> = fc.memo((depth) => {
      const leaf = fc.constantFrom(
        '1',
        'true',
        '"x"',
        '"{a}"',
        '"\u0024{X}"',
        'inf',
        '1979-05-27',
        '"*.example.com"',
        '"read:/x"',
      );
      if (depth <= 1) return leaf;
      const list = fc.array(value(depth - 1), { maxLength: 3 }).map((items) => `[${items.join(', ')}]`);
      const table = fc
        .uniqueArray(fc.tuple(key, value(depth - 1)), { maxLength: 4, selector: ([name]) => name })
        .map((entries) => `{ ${entries.map(([name, one]) => `${name} = ${one}`).join(', ')} }`);
      return fc.oneof(leaf, list, table);
    });
    const manifest = fc
      .uniqueArray(fc.tuple(key, value(4)), { maxLength: 5, selector: ([name]) => name })
      .map((entries) => entries.map(([name, one]) => `${name} = ${one}`).join('\n'));
    await fc.assert(
      fc.asyncProperty(fc.oneof(manifest, fc.string()), async (text) => {
        const { problems, tools } = await toolboxWith(world, text);
        if (problems.some(({ severity }) => severity === 'error')) expect(tools).toEqual([]);
        for (const { remedy, file } of problems)
          expect([remedy !== '', file.endsWith('skill.toml')]).toEqual([true, true]);
      }),
      { numRuns: 80 },
    );
  });
});

describe('manifest.toml', () => {
  const folder = 'project/skills/demo';

  it('is read as skill.toml is, where there is none [C4-TOOLS-01]', async () => {
    const world = createWorld();
    world.skill(folder);
    world.write(`${folder}/manifest.toml`, full);
    const toolbox = await toolboxIn(world, folder);
    expect([problemsOf(toolbox), onlyTool(toolbox).name]).toEqual([[], 'get']);
    expect([toolbox.source, toolbox.file]).toEqual(['manifest.toml', world.path(`${folder}/manifest.toml`)]);
    world.write(`${folder}/manifest.toml`, '[tools.get]\nnonsense = 1\n');
    expect(problemsOf(await toolboxIn(world, folder)).join()).toContain('2: ');
    world.write(`${folder}/skill.toml`, '[tools.other]\ncommand = ["true"]\n');
    expect(onlyTool(await toolboxIn(world, folder)).name).toBe('other');
  });

  it('of another program is not taken for one', async () => {
    const world = createWorld();
    world.skill(folder);
    world.write(`${folder}/manifest.toml`, 'name = "x"\n[package]\nversion = "1"\n');
    const toolbox = await toolboxIn(world, folder);
    expect([problemsOf(toolbox), toolbox.tools]).toEqual([[], []]);
  });
});
