import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { environmentLine } from './gate.ts';

/** The environment that a shell reads from the line, as the first process in a sandbox does. */
function through(env: Readonly<Record<string, string>>): Record<string, string> {
  const script = `__n='\n'\nIFS= read -r __e || exit 1\neval "$__e" || exit 2\nunset __n __e\nexec ${process.execPath} -e 'process.stdout.write(JSON.stringify(process.env))'`;
  const text = execFileSync('/bin/sh', ['-c', script], { env: {}, input: environmentLine(env) ?? '' });
  const { PWD: _, ...seen } = JSON.parse(text.toString()) as Record<string, string>;
  return seen;
}

it('the gate script passes an environment on, whatever its values contain', () => {
  const values = [
    "it's",
    '$(id)',
    '`id`',
    'a\nb\n',
    '\\',
    '\\\n',
    '"',
    ' lead and trail ',
    '*',
    '',
    '~',
    '$HOME',
    'é𝒳',
    '\u0081\u0088',
    '\t',
  ];
  const env = Object.fromEntries(values.map((value, index) => [`V${index}`, value]));
  expect(through(env)).toEqual(env);
});

it('the gate script passes any text on', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((value) => !value.includes('\0'));
  const parts = fc.array(fc.oneof(text, fc.constantFrom("'", '"', '\n', '\\', '$', '`', '$__n', ';', '\r')), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(parts, (pieces) => {
      const value = pieces.join('').toWellFormed();
      expect(through({ VALUE: value })).toEqual({ VALUE: value });
    }),
    { numRuns: 40 },
  );
});

it('the gate script passes a program and its arguments on, whatever they contain', () => {
  const words = ["it's", '$(id)', 'a\nb\n', '-n', '', '$1 "$@"', '\\', '; exit 3', ' *'];
  const script = `__n='\n'\nIFS= read -r __e || exit 1\neval "$__e" || exit 2\n"$@"`;
  const show = [process.execPath, '-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--', ...words];
  const text = execFileSync('/bin/sh', ['-c', script], { env: {}, input: environmentLine({}, show) ?? '' });
  expect(JSON.parse(text.toString())).toEqual(words);
  expect(environmentLine({}, ['a\0b'])).toBeNull();
});

it('the gate script takes no variable name that a shell would read as something else', () => {
  for (const name of ['A=B', 'a b', '', '1A', 'A;id', '$(id)', 'A\nB', 'BASH_FUNC_x%%']) {
    expect(environmentLine({ [name]: 'x' }), name).toBeNull();
  }
  expect(environmentLine({ A: 'x\0y' })).toBeNull();
});
