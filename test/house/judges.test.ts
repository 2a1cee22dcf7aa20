import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { agentIds } from '../judges/agents/agents.ts';

const folders = [
  'test/judges/packages',
  'scripts/release',
  ...agentIds.map((id) => `test/judges/agents/packages/${id}`),
];

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

it.each(folders)('what is in %s is pinned and documented, and its lockfile names no host', (folder) => {
  const read = (name: string): string => readFileSync(new URL(`../../${folder}/${name}`, import.meta.url), 'utf8');
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Manifest;
  for (const version of Object.values({ ...dependencies, ...optionalDependencies })) expect(version).toMatch(/^\d/);
  const pages = ['docs/testing.md', 'RELEASING.md']
    .map((page) => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8'))
    .join('');
  for (const name of Object.keys(dependencies)) expect(pages).toContain(`\`${name}\``);
  expect(read('package-lock.json')).not.toMatch(/"resolved"|https?:\/\/registry/);
});
