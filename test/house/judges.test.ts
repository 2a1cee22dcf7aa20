import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (name: string): string => readFileSync(new URL(`../judges/packages/${name}`, import.meta.url), 'utf8');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

it('the judges are pinned, their reasons are told, and their lockfile names no host', () => {
  const { dependencies, optionalDependencies } = JSON.parse(read('package.json')) as Manifest;
  for (const version of Object.values({ ...dependencies, ...optionalDependencies })) expect(version).toMatch(/^\d/);
  const told = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');
  for (const name of Object.keys(dependencies)) expect(told).toContain(`\`${name}\``);
  expect(read('package-lock.json')).not.toMatch(/"resolved"|https?:\/\/registry/);
});
