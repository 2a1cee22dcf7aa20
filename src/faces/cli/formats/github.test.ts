import { expect, it } from 'vitest';
import { diagnostic } from '../../../core/diagnostics.ts';
import { githubLines } from './github.ts';

it('a finding is one workflow command, with its path from the working directory', () => {
  const finding = diagnostic('rule-name', '/project/skills/a/SKILL.md', 'name is bad', 'Do better.', {
    line: 2,
    column: 7,
  });
  expect(githubLines([finding], '/project')).toEqual([
    '::error file=skills/a/SKILL.md,line=2,col=7,title=name must be 1-64 lower-case letters%2C digits and single hyphens::name is bad. Do better. (rule-name)',
  ]);
});

it('characters that would end or change a workflow command are escaped', () => {
  const finding = diagnostic('rule-body', '/other/a,b:c%\n/SKILL.md', '100%\r\n::set-env::x', 'a, b: c.');
  expect(githubLines([finding], '/project')).toEqual([
    '::warning file=/other/a%2Cb%3Ac%25%0A/SKILL.md,title=The body should be short::100%25%0D%0A::set-env::x. a, b: c. (rule-body)',
  ]);
});

it('a finding of severity info is a notice', () => {
  const finding = diagnostic('shadowed', '/project', 'm', 'r.');
  expect(githubLines([finding], '/project')).toEqual(['::notice file=.,title=shadowed::m. r. (shadowed)']);
});
