import { symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { onlyTool, problemsOf, toolboxIn, wordsOf } from './toolbox.ts';

const plainText =
  '# Versions\n\n## Tools\n\n### log\nShows commits.\n\n**Parameters:**\n- `count` (number, optional): How many\n';

function project(manifest: string): World {
  const world = createWorld();
  world.write('project/.skill-engine.toml', manifest);
  world.write('project/ex/git-skill/SKILL.md', plainText);
  return world;
}

const named = '[skills.git]\nsource = "./ex/git-skill"\ndescription = "Git version control"\nruntime = "native"\n';

describe('a skill that .skill-engine.toml names by its folder', () => {
  it('is found there, and needs no front matter', async () => {
    const world = project(named);
    const { skills, diagnostics } = await world.list();
    expect(skills).toMatchObject([{ fullName: 'git', description: 'Git version control', provider: 'agents' }]);
    expect(diagnostics.filter(({ severity }) => severity !== 'info')).toEqual([]);
    expect((await world.run(['show', 'git'])).stdout).toContain(plainText);
    expect((await world.run(['search', 'version control', '--json'])).stdout).toContain('"name":"git"');
    await world.run(['grant', 'git', '--yes']);
    const { argv } = (await world.run(['run', 'git', 'log', 'count=2', '--dry-run', '--json'])).json<{
      argv: string[];
    }>();
    expect(argv.slice(1)).toEqual(['log', '--max-count', '2']);
  });

  it('takes parameters as options of their own, as its author writes them', async () => {
    const world = project(named);
    world.write(
      'project/ex/git-skill/SKILL.md',
      `${plainText}- \`oneline\` (boolean, optional): Short\n- \`since\` (string, optional): From\n\n### vm\nStarts one.\n\n**Parameters:**\n- \`instance\` (required): Which\n`,
    );
    await world.run(['grant', 'git', '--yes']);
    const argvOf = async (...words: readonly string[]) =>
      (await world.run(['run', 'git', ...words, '--dry-run', '--json'])).json<{ argv: string[] }>().argv.slice(1);
    expect(await argvOf('log', '--count', '2', '--since=2 days ago', '--oneline')).toEqual([
      ...['log', '--max-count', '2', '--oneline', '--since=2 days ago'],
    ]);
    const { code, stderr } = await world.run(['run', 'git', 'log', '--dryrun']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('"dryrun" is not a parameter of this tool')]);
    const mistaken = await world.run(['run', 'git', 'vm', '--instance', 'web', '--dry-run']);
    expect(mistaken.stderr).toContain('given as instance=VALUE');
  });

  it('takes a command as one text too', async () => {
    const world = project(
      '[skills.kubectl]\nsource = "./ex/git-skill"\ndescription = "Clusters"\nruntime = "native"\n',
    );
    world.write(
      'project/ex/git-skill/SKILL.md',
      '# K\n\n## Tools\n\n### raw\nAny.\n\n**Parameters:**\n- `args` (required): All\n\n### cluster-info\nSays where.\n',
    );
    await world.run(['grant', 'kubectl', '--yes']);
    for (const words of [['args=get pods -A'], ['--args', 'get pods -A'], ['--', 'get', 'pods', '-A']]) {
      const { stdout, stderr } = await world.run(['run', 'kubectl', 'raw', '--dry-run', ...words]);
      expect(stdout + stderr, words.join(' ')).toMatch(/kubectl",?\s*"get",?\s*"pods",?\s*"-A"/);
    }
  });

  it('shows the command in a dry run where the program is not installed', async () => {
    const world = project('[skills.mycli]\nsource = "./ex/git-skill"\ndescription = "Mine"\nruntime = "native"\n');
    await world.run(['grant', 'mycli', '--yes']);
    const { code, stderr } = await world.run(['run', 'mycli', 'log', '--count', '2', '--dry-run']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('mycli is not installed on this machine')]);
    expect(stderr).toContain('It would run ["mycli","log","--count","2"].');
  });

  it('says that its tools are not built before it says what has no effect', async () => {
    const world = project(
      `${named.replace('git]', 'greeter]')}\n[skills.greeter.instances.default]\nconfig.greeting = "Hi"\n`,
    );
    world.write('project/ex/git-skill/skill.js', 'export function getTools() {}\n');
    const { stderr } = await world.run(['run', 'greeter', 'log']);
    expect(stderr).toContain('its tools are not built\nBuild skill.js to skill.wasm');
  });

  it('is named by its own front matter where it has some, and is not found where it is switched off', async () => {
    const world = project(
      `${named}\n[skills.other]\nsource = "ex/../ex/own"\n\n[skills.off]\nsource = "./ex/off"\nenabled = false\n`,
    );
    world.write(
      'project/.skill-engine.toml',
      `${named}[skills.other]\nsource = "./ex/own"\n[skills.off]\nsource = "./ex/off"\nenabled = false\n`,
    );
    world.skill('project/ex/own', { name: 'mine' });
    world.skill('project/ex/off');
    expect((await world.list()).skills.map(({ fullName }) => fullName)).toEqual(['git', 'mine']);
  });

  it('is not read outside of the project, and is told from where to add it', async () => {
    const world = project(
      '[skills.away]\nsource = "../elsewhere/x"\n\n[skills.far]\nsource = "github:owner/repo@v1"\n\n[skills.lab]\nsource = "gitlab:a/b"\n',
    );
    world.skill('elsewhere/x');
    const { skills, diagnostics } = await world.list();
    expect(skills).toEqual([]);
    expect(diagnostics.map(({ code, line, remedy }) => [code, line, remedy])).toEqual([
      ['link-outside', 1, expect.stringContaining('--skill-dir')],
      ['source-remote', 4, 'Type repertoire add owner/repo --ref v1.'],
      ['source-remote', 7, 'Type repertoire add https://gitlab.com/a/b.'],
    ]);
  });

  it('is asked for where an entry has an image and no folder, and then runs that image', async () => {
    const world = project(
      '[skills.cache]\nsource = "docker:example/cache:7"\nruntime = "docker"\n\n[skills.cache.docker]\nimage = "example/cache:7"\nentrypoint = "cache-cli"\n\n[skills.plain]\nruntime = "docker"\n\n[skills.plain.docker]\nimage = "example/plain:1"\n\n[skills.off]\nsource = "docker:example/off"\nenabled = false\n',
    );
    const alone = async () => {
      const { diagnostics } = await world.list();
      return diagnostics.map(({ code, line, remedy }) => [code, line, /skills\/\w+\/SKILL\.md/.exec(remedy)?.[0]]);
    };
    expect(await alone()).toEqual([
      ['image-alone', 1, 'skills/cache/SKILL.md'],
      ['image-alone', 9, 'skills/plain/SKILL.md'],
    ]);
    world.skill('project/skills/cache', { name: 'cache' });
    expect(await alone()).toEqual([['image-alone', 9, 'skills/plain/SKILL.md']]);
    expect((await world.run(['tools', 'cache'])).stdout).toContain('use the container image example/cache:7');
  });

  it('needs no SKILL.md where its own manifest says what is run', async () => {
    const world = project('[skills.sox]\nsource = "./ex/sox"\ndescription = "Changes the format of sounds"\n');
    world.write(
      'project/ex/sox/manifest.toml',
      '[skills.sox]\nsource = "docker:example/sox:1"\nruntime = "docker"\n\n[skills.sox.docker]\nimage = "example/sox:1"\nentrypoint = "sox"\n',
    );
    world.write('project/ex/sox/README.md', '# Sox\n');
    const { skills, diagnostics } = await world.list();
    expect(skills).toMatchObject([{ fullName: 'sox', description: 'Changes the format of sounds' }]);
    expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect((await world.run(['show', 'sox'])).stdout).toContain('entrypoint = "sox"');
    expect((await world.run(['tools', 'sox'])).stdout).toContain('example/sox:1');
  });

  it('is found by its manifest where its folder lies among other skills, too', async () => {
    const world = project('[skills.sox]\nsource = "./skills/sox"\ndescription = "Changes the format of sounds"\n');
    world.write(
      'project/skills/sox/manifest.toml',
      '[skills.sox.docker]\nimage = "example/sox:1"\nentrypoint = "sox"\n',
    );
    world.skill('project/skills/other');
    world.write('project/skills/plain/manifest.toml', '[skills.plain]\n');
    const names = async () => (await world.list()).skills.map(({ fullName }) => fullName);
    expect(await names()).toEqual(['other', 'sox']);
    world.write('project/.skill-engine.toml', '\n');
    expect(await names()).toEqual(['other']);
  });

  it('does not have a manifest read that leads out of its folder', async () => {
    const world = project('[skills.sox]\nsource = "./ex/sox"\n');
    world.write('secret.toml', '[skills.sox]\n');
    world.folder('project/ex/sox');
    symlinkSync(world.path('secret.toml'), world.path('project/ex/sox/manifest.toml'));
    expect((await world.list()).skills).toEqual([]);
  });

  it('that is not there is a warning', async () => {
    const { stderr } = await project('[skills.git]\nsource = "./nowhere"\n').run(['list']);
    expect(stderr).toContain('source ./nowhere: there is no such folder');
  });
});

describe('a container as another product writes it', () => {
  const manifest = `[skills.redis]
source = "docker:redis:7-alpine"
runtime = "docker"
description = "Redis"

[skills.redis.docker]
image = "redis:7-alpine"
entrypoint = "redis-cli"
command = ["-n", "1"]
volumes = ["\${PWD:-/tmp}:/workdir", "/data:/data:ro"]
working_dir = "/workdir"
environment = ["REDISCLI_AUTH=\${REDIS_PASSWORD:-}", "LEVEL=\${LEVEL:-debug}"]
network = "bridge"
memory = "128m"
rm = true

[skills.redis-dump]
source = "docker:redis:7-alpine"
`;

  it('beside its SKILL.md is understood, and each thing that it needs is asked for', async () => {
    const world = createWorld();
    world.skill('project/skills/redis');
    world.write('project/skills/redis/manifest.toml', manifest);
    const toolbox = await toolboxIn(world, 'project/skills/redis');
    const tool = onlyTool(toolbox);
    expect([toolbox.source, toolbox.runtime, tool.name]).toEqual(['manifest.toml', 'docker', 'run']);
    expect(tool.work).toMatchObject({ kind: 'container', image: 'redis:7-alpine' });
    expect(wordsOf(tool)).toEqual(['redis-cli', '-n', '1', '{args}']);
    expect(tool.capabilities).toMatchObject({
      images: ['redis:7-alpine'],
      secrets: ['REDIS_PASSWORD'],
      env: ['LEVEL'],
      network: [],
    });
    expect(JSON.stringify(tool.capabilities.filesystem)).toContain(world.project);
    expect(JSON.stringify(tool.capabilities.filesystem)).toContain('/data');
    expect(problemsOf(toolbox).map((one) => one.replace(/^\d+: skills\.redis\.docker\./, ''))).toEqual([
      expect.stringMatching(/^volumes shows .* at its own path, and not as \/workdir$/),
      'working_dir has no effect: tools run in the folder of the skill',
      'network would reach every host, and so reaches none',
      '17: skills.redis-dump has no effect: a folder is one skill',
    ]);
  });

  it.each(['privileged = true', 'network = "host"', 'extra_args = ["--pid=host"]', 'gpus = "all"'])(
    'is refused with %s',
    async (line) => {
      const world = createWorld();
      world.skill('project/skills/redis');
      world.write(
        'project/skills/redis/manifest.toml',
        `[skills.redis]\n[skills.redis.docker]\nimage = "redis:7"\n${line}\n`,
      );
      expect((await toolboxIn(world, 'project/skills/redis')).tools).toEqual([]);
    },
  );
});

describe('a variable in a manifest of another product', () => {
  it('is filled in once it is granted, under the name that the tool wants', async () => {
    const world = createWorld();
    world.skill('project/skills/demo');
    world.write('project/skills/demo/scripts/show.sh', '#!/bin/sh\n');
    world.write(
      'project/.skill-engine.toml',
      `[skills.demo.instances.default]\nenv.API_URL = "\${DEMO_URL:-https://example.com}/v1"\nenv.MARK = "\${DEMO_MARK}"\n`,
    );
    const env = { DEMO_MARK: 'seen' };
    const denied = await world.run(['run', 'demo', '--dry-run'], { env });
    expect(denied.stderr).toContain('DEMO_MARK');
    await world.run(['grant', 'demo', '--yes'], { env });
    const plan = (await world.run(['run', 'demo', '--dry-run', '--json'], { env })).json<{
      env: Record<string, string>;
    }>();
    expect(plan.env).toMatchObject({ API_URL: 'https://example.com/v1', MARK: 'seen' });
    const without = (await world.run(['run', 'demo', '--dry-run', '--json'])).json<{ env: Record<string, string> }>();
    expect(without.env).not.toHaveProperty('MARK');
  });
});
