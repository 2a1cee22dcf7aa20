import { describe, expect, it } from 'vitest';
import type { CliError } from '../names/machine.ts';
import { createWorld } from '../support/world.ts';

const commands = ['list', 'show', 'search', 'doctor', 'why', 'config', 'completion'] as const;

describe('help', () => {
  it('names every command', async () => {
    const world = createWorld();
    const { stdout, code, stderr } = await world.run(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    for (const command of commands) expect(stdout).toMatch(new RegExp(`^  ${command} +[A-Z]`, 'm'));
    for (const args of [[], ['help'], ['-h']]) expect((await world.run(args)).stdout).toBe(stdout);
  });

  it('of every command has usage, options and examples', async () => {
    const world = createWorld();
    for (const command of commands) {
      const { stdout, code, stderr } = await world.run([command, '--help']);
      expect([code, stderr], command).toEqual([0, '']);
      expect(stdout).toMatch(new RegExp(`^Usage\\n {2}repertoire ${command}\\b.*\\[OPTIONS\\]$`, 'm'));
      expect(stdout).toMatch(/^ {2}--json +\S/m);
      expect(stdout).toMatch(/^ {2}--include TOKENS\b/m);
      const [, examples = ''] = stdout.split('\nExamples\n');
      expect(examples, command).toMatch(/^ {2}\S.*repertoire.*\n {6}\S|^ {2}repertoire .*\n {6}\S/m);
      expect(examples, command).toContain(`repertoire ${command}`);
      expect((await world.run(['help', command])).stdout).toBe(stdout);
      expect((await world.run([command, '-h'])).stdout).toBe(stdout);
    }
  });

  it('of every command gives examples that are understood', async () => {
    const world = createWorld();
    for (const name of ['csv-profiler', 'pdf', 'my-skill']) world.skill(`home/.claude/skills/${name}`);
    for (const command of commands) {
      const { stdout } = await world.run([command, '--help']);
      const [, examples = ''] = stdout.split('\nExamples\n');
      for (const [, args = ''] of examples.matchAll(/^ {2}(?:\S+=\S+ )?repertoire ([^|>\n]+)/gm)) {
        const words = [...args.trim().matchAll(/'([^']*)'|(\S+)/g)].map(([, single, plain]) => single ?? plain ?? '');
        const run = await world.run(words);
        expect([0, 1], `${args}: ${run.stderr}`).toContain(run.code);
      }
    }
  });

  it('shows defaults, and keeps to the width of the terminal', async () => {
    const world = createWorld();
    expect((await world.run(['search', '--help'])).stdout).toMatch(/--limit N +.*\(default: 10\)/);
    const { stdout } = await world.run(['list', '--help'], { env: { COLUMNS: '60' } });
    const [beforeExamples = ''] = stdout.split('\nExamples\n');
    for (const line of beforeExamples.split('\n')) expect(line.length, line).toBeLessThanOrEqual(60);
  });

  it('keeps to a narrow terminal, but for command lines, which stay whole', async () => {
    const world = createWorld();
    for (const args of [['help'], ['help', 'list'], ['help', 'run']]) {
      const { stdout } = await world.run(args, { env: { COLUMNS: '24' } });
      const prose = stdout.split('\n').filter((line) => !/repertoire|^ {2,6}--?\w|\S{15}/.test(line));
      expect(prose.length).toBeGreaterThan(20);
      for (const line of prose) expect(line.length, line).toBeLessThanOrEqual(24);
    }
  });

  it('and the version are JSON where that is asked for', async () => {
    const world = createWorld();
    for (const args of [
      ['version', '--json'],
      ['--version', '--json'],
      ['-V', '--json'],
    ]) {
      expect((await world.run(args)).json()).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+$/) });
    }
    for (const args of [
      ['help', '--json'],
      ['--help', '--json'],
    ]) {
      expect((await world.run(args)).json()).toMatchObject({ commands: { list: expect.any(String) } });
    }
    for (const args of [
      ['help', 'new', '--json'],
      ['help', '--json', 'new'],
      ['new', '--help', '--json'],
    ]) {
      expect((await world.run(args)).json()).toMatchObject({
        name: 'new',
        arguments: [{ name: 'what', required: true, choices: ['skill'] }, { name: 'name' }],
        options: expect.arrayContaining([expect.objectContaining({ name: 'runtime', default: 'native' })]),
        examples: expect.arrayContaining([expect.objectContaining({ run: expect.any(String) })]),
      });
    }
    const unknown = await world.run(['help', 'nothing', '--json']);
    expect([unknown.code, unknown.json<{ error: CliError }>().error.code]).toEqual([2, 'usage']);
  });

  it('comes with the version beside it', async () => {
    const world = createWorld();
    for (const args of [['--version'], ['-V'], ['version']]) {
      const run = await world.run(args);
      expect([run.code, run.stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
    }
  });
});

describe('words that people bring along from other tools', () => {
  it('are understood', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    for (const [other, own] of [
      [
        ['ls', '--json'],
        ['list', '--json'],
      ],
      [
        ['info', 'pdf'],
        ['show', 'pdf'],
      ],
      [
        ['find', 'pdf'],
        ['search', 'pdf'],
      ],
      [
        ['completions', 'bash'],
        ['completion', 'bash'],
      ],
      [
        ['help', 'ls'],
        ['help', 'list'],
      ],
    ]) {
      const [one, two] = [await world.run(other ?? []), await world.run(own ?? [])];
      expect([one.code, one.stdout]).toEqual([0, two.stdout]);
    }
  });
});

describe('a command line that is wrong', () => {
  it('with an unknown command ends with 2 and offers the nearest', async () => {
    const world = createWorld();
    for (const [typed, meant] of [
      ['lsit', 'list'],
      ['serach', 'search'],
      ['docter', 'doctor'],
      ['shwo', 'show'],
    ] as const) {
      const run = await world.run([typed]);
      expect([run.code, run.stdout], typed).toEqual([2, '']);
      expect(run.stderr).toMatch(new RegExp(`unknown command '${typed}'\nDid you mean ${meant}\\b`));
      expect((await world.run(['help', typed])).stderr).toContain(`Did you mean ${meant}`);
    }
    for (const typed of ['constructor', '__proto__', 'toString', 'xyzzy']) {
      const run = await world.run([typed]);
      expect([run.code, run.stderr.split('\n')[0]]).toEqual([2, `error: unknown command '${typed}'`]);
      expect((await world.run(['help', typed])).code).toBe(2);
    }
  });

  it('with an unknown option ends with 2 and offers the nearest', async () => {
    const world = createWorld();
    for (const [args, meant] of [
      [['list', '--inclde', 'x'], '--include'],
      [['list', '--no-plugin'], '--no-plugins'],
      [['search', 'x', '--limt=3'], '--limit'],
      [['show', 'x', '--row'], '--raw'],
      [['list', '--jsno'], '--json'],
    ] as const) {
      const run = await world.run(args);
      expect([run.code, run.stdout], args.join(' ')).toEqual([2, '']);
      expect(run.stderr).toMatch(/^error: unknown option --/);
      expect(run.stderr).toMatch(new RegExp(`Did you mean .*${meant}`));
      expect(run.stderr).toContain(`repertoire ${args[0]} --help`);
    }
  });

  it('with an option that is like none, gets no other in its place', async () => {
    const world = createWorld();
    for (const [args, told] of [
      [['mcp', '--bogus'], 'error: unknown option --bogus\nTry repertoire mcp --help.\n'],
      [
        ['search', 'x', '--limt'],
        'error: unknown option --limt\nDid you mean --limit?\nTry repertoire search --help.\n',
      ],
    ] as const)
      expect((await world.run(args)).stderr).toBe(told);
  });

  it('with too much, too little or the wrong value ends with 2 and says what', async () => {
    const world = createWorld();
    for (const [args, told] of [
      [['show'], 'missing argument: NAME'],
      [['show', 'a', 'b'], "unexpected argument 'b'"],
      [['list', 'x'], "unexpected argument 'x'"],
      [['list', '--include'], '--include needs a value: --include TOKENS'],
      [['setup', 'codex', '--approve'], '--approve needs a value: one of read, all'],
      [['list', '--include', '--json'], '--include needs a value'],
      [['list', '--include='], '--include needs a value'],
      [['list', '--no-plugins=yes'], '--no-plugins takes no value'],
      [['list', '--on-duplicate', 'last'], "--on-duplicate must be one of error, first, not 'last'"],
      [['completion', 'tcsh'], "SHELL must be one of bash, zsh, fish, not 'tcsh'"],
      [['audit', 'check'], "error: expected verify, not 'check'"],
      [['alias', 'ls'], "error: expected skill, not 'ls'"],
      [['--json', 'list'], 'no command given before --json'],
    ] as const) {
      const run = await world.run(args);
      expect(run.code, args.join(' ')).toBe(2);
      expect(run.stdout + run.stderr, args.join(' ')).toContain(told);
    }
  });

  it('is told as JSON where JSON was asked for', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/pdf');
    for (const [args, exit, code] of [
      [['list', '--json', '--inclde', 'x'], 2, 'usage'],
      [['lsit', '--json'], 2, 'usage'],
      [['show', '--json', 'pfd'], 1, 'not-found'],
      [['show', '--json', '../x'], 2, 'invalid-name'],
      [['search', '--json', 'x', '--limit', '0'], 2, 'usage'],
    ] as const) {
      const run = await world.run(args);
      expect([run.code, run.stderr], args.join(' ')).toEqual([exit, '']);
      const { error } = run.json<{ error: CliError }>();
      expect(Object.keys(error)).toEqual(['code', 'message', 'hint', 'suggestions', 'candidates']);
      expect(error.code).toBe(code);
    }
    const { error } = (await world.run(['lsit', '--json'])).json<{ error: CliError }>();
    expect(error.suggestions).toContain('list');
  });

  it('does not take what follows -- for options', async () => {
    const world = createWorld();
    world.skill('home/.claude/skills/dashes', { body: '\nUse --json and --help.\n' });
    expect((await world.run(['show', '--', '--help'])).stderr).toContain("Skill '--help' not found.");
    expect((await world.run(['search', '--exact', '--', '--json'])).stdout).toMatch(/1 skill found/);
  });
});
