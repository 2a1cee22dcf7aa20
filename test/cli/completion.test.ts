import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { installPlugins } from '../names/machine.ts';
import { createWorld, type World } from '../support/world.ts';
import { environmentOf, program, quoted, shell, typeIntoBash } from './program.ts';

async function candidates(world: World, ...words: string[]): Promise<string[]> {
  const run = await world.run(['__complete', ...words]);
  expect([run.code, run.stderr]).toEqual([0, '']);
  return run.stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
}

/** Puts the program into PATH. Any call but one for candidates prints the arguments it got. */
function installProgram(world: World): Record<string, string> {
  const file = world.write(
    'bin/repertoire',
    `#!/bin/bash
case "$1" in
  __complete | completion) exec ${quoted(process.execPath)} ${quoted(program)} "$@" ;;
  *) printf 'GOT'; printf '<%s>' "$@"; printf '\\n' ;;
esac
`,
  );
  chmodSync(file, 0o755);
  return { ...environmentOf(world), PATH: `${world.path('bin')}:${process.env['PATH']}` };
}

/** What bash's completion function puts into COMPREPLY for the words of a line, the last of them being completed. */
async function replies(world: World, ...words: string[]): Promise<string[]> {
  const script = `
    source <(repertoire completion bash)
    COMP_WORDS=(${['repertoire', ...words].map(quoted).join(' ')})
    COMP_CWORD=${words.length}
    _repertoire
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const run = await shell(world, script, installProgram(world));
  expect(run.stderr).toBe('');
  return run.stdout.split('\n').filter((line) => line !== '');
}

/** Types a line and a TAB into a real bash, and says which arguments the program then gets. */
async function typed(world: World, line: string, folder = world.project): Promise<string> {
  const lines = [`cd ${quoted(folder)}\n`, 'source <(repertoire completion bash)\n', `${line}\t\n`, 'exit\n'];
  const screen = await typeIntoBash(world, lines, installProgram(world));
  return /^GOT(.*)$/m.exec(screen)?.[1] ?? screen;
}

function machine(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/pdf', { description: 'Reads PDF files.' });
  world.skill('home/.codex/skills/pptx');
  world.skill('home/.codex/skills/csv');
  installPlugins(world, { 'example@market': ['docx'] });
  return world;
}

describe('the candidates', () => {
  it('are commands in the first place', async () => {
    const world = machine();
    const all = ['list', 'show', 'search', 'validate', 'doctor', 'why', 'config', 'completion'];
    expect(await candidates(world, '')).toEqual(expect.arrayContaining(all));
    const some = await candidates(world, 's');
    expect(some).toEqual(expect.arrayContaining(['show', 'search']));
    expect(some.filter((word) => !word.startsWith('s'))).toEqual([]);
    expect(await candidates(world, 'help', 'do')).toEqual(['doctor']);
    expect(await candidates(world, 'zzz')).toEqual([]);
    expect(await candidates(world, 'zzz', '')).toEqual([]);
  });

  it('are options after a dash', async () => {
    const world = machine();
    const options = await candidates(world, 'search', '--');
    for (const option of ['--limit', '--json', '--include', '--exclude', '--no-plugins', '--skill-dir', '--help']) {
      expect(options).toContain(option);
    }
    expect(options).not.toContain('--raw');
    expect(await candidates(world, 'show', 'pdf', '--ra')).toEqual(['--raw']);
    expect(await candidates(world, 'info', '--ra')).toEqual(['--raw']);
  });

  it('are choices where an option or argument has them', async () => {
    const world = machine();
    expect(await candidates(world, 'list', '--on-duplicate', '')).toEqual(['error', 'first']);
    expect(await candidates(world, 'list', '--on-duplicate', 'f')).toEqual(['first']);
    expect(await candidates(world, 'completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await candidates(world, 'search', 'x', '--limit', '')).toEqual([]);
  });

  it('are skills where a skill is asked for, each with its description', async () => {
    const world = machine();
    expect(await candidates(world, 'show', '')).toEqual(['pdf', 'csv', 'pptx', 'example:docx']);
    expect(await candidates(world, 'show', 'p')).toEqual(['pdf', 'pptx']);
    expect(await candidates(world, 'why', 'exa')).toEqual(['example:docx']);
    expect(await candidates(world, 'show', '--json', 'p')).toEqual(['pdf', 'pptx']);
    expect((await world.run(['__complete', 'show', 'pd'])).stdout).toBe('pdf\tReads PDF files.\n');
  });

  it('are providers and other tokens where a filter is asked for', async () => {
    const world = machine();
    const tokens = await candidates(world, 'list', '--include', '');
    expect(tokens).toEqual(expect.arrayContaining(['claude', 'codex', 'project', 'global', '@plugins', 'all', 'auto']));
    expect(tokens).not.toContain('cursor');
    expect(await candidates(world, 'list', '--exclude', 'co')).toEqual(['codex']);
  });

  it('are none, and no error, where a configuration is broken', async () => {
    const world = machine();
    world.write('project/repertoire.toml', 'nope = 1\n');
    const run = await world.run(['__complete', 'show', '--json', 'p']);
    expect(run.stdout).toBe('');
  });

  it('hold nothing that a terminal would obey', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/a', { name: '"x\\e[31m\\ty"', description: '"a\\tb\\e[2Jc\\nd"' });
    const { stdout } = await world.run(['__complete', 'show', '']);
    expect(stdout).not.toContain('\u001b');
    expect(stdout.match(/\n/g)).toHaveLength(1);
    expect(stdout.match(/\t/g)).toHaveLength(1);
  });
});

describe('the script for bash', () => {
  it('completes commands, options, choices, skills and providers', async () => {
    const world = machine();
    expect(await replies(world, 'sea')).toEqual(['search']);
    expect(await replies(world, 'search', '--lim')).toEqual(['--limit']);
    expect(await replies(world, 'list', '--on-duplicate', '')).toEqual(['error', 'first']);
    expect(await replies(world, 'show', 'p')).toEqual(['pdf', 'pptx']);
    expect(await replies(world, 'show', 'example:d')).toEqual(['example:docx']);
    expect(await replies(world, 'list', '--include', 'cl')).toEqual(['claude']);
  });

  it('leaves paths to the shell', async () => {
    const world = machine();
    world.folder('project/some folder');
    world.write('project/some-file', '');
    expect((await replies(world, 'list', '--skill-dir', 'some')).sort()).toEqual(['some folder', 'some-file']);
  });

  it('is bound to both names of the program', async () => {
    const world = machine();
    await world.run(['alias', 'skill', '--dir', world.path('bin')]);
    const script = 'source <(repertoire completion bash); complete -p repertoire skill';
    const run = await shell(world, script, installProgram(world));
    expect(run.stdout.match(/-F _repertoire (repertoire|skill)$/gm)).toHaveLength(2);
  });

  it('completes a typed word so that the program gets it', async () => {
    const world = machine();
    expect(await typed(world, 'repertoire show pd')).toBe('<show><pdf>');
    expect(await typed(world, 'repertoire show example:d')).toBe('<show><example:docx>');
  });

  it('completes a name with blanks and signs so that the program gets it', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/blank', { name: 'my skill & co' });
    expect(await typed(world, 'repertoire show my')).toBe('<show><my skill & co>');
  });

  it('completes a name as a name, even where a folder is called so', async () => {
    const world = machine();
    expect(await typed(world, 'repertoire show pd', world.path('home/.claude/skills'))).toBe('<show><pdf>');
  });
});

describe('the scripts for zsh and fish', () => {
  it('ask the program for candidates and are bound to both of its names', async () => {
    const world = createWorld();
    await world.run(['alias', 'skill', '--dir', world.path('bin')]);
    const options = { env: { PATH: `${world.path('bin')}:/bin` } };
    const zsh = (await world.run(['completion', 'zsh'], options)).stdout;
    expect(zsh).toMatch(/^#compdef repertoire skill\n/);
    expect(zsh).toMatch(/compdef _repertoire repertoire skill/);
    expect(zsh).toMatch(/__complete "\$\{\(@\)words\[2,CURRENT\]\}"/);
    expect(zsh).toContain('_files');
    const fish = (await world.run(['completion', 'fish'], options)).stdout;
    expect(fish).toMatch(/__complete \$words\[2\.\.-1\]/);
    expect(fish).toMatch(/^for name in repertoire skill\n {2}complete -c \$name -f /m);
  });

  it('are given as JSON too', async () => {
    const world = createWorld();
    for (const name of ['bash', 'zsh', 'fish']) {
      const { stdout } = await world.run(['completion', name]);
      expect((await world.run(['completion', name, '--json'])).json()).toEqual({ shell: name, script: stdout });
    }
  });
});
