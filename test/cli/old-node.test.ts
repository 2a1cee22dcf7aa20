import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { nodeOfVersion } from '../../scripts/node-of-version.mjs';
import { commands } from '../../src/faces/cli/commands.ts';
import { isSupportedNode } from '../../src/faces/cli/node-version.ts';
import { createWorld, program } from '../support/world.ts';

describe('on a Node that is too old', () => {
  it.each(['12.22.12', '18.20.8'])('every command says so at once: %s', (version) => {
    const world = createWorld();
    const node = nodeOfVersion(version);
    const options = {
      cwd: world.project,
      env: world.environment(),
      encoding: 'utf8',
      input: '',
      timeout: 20_000,
    } as const;
    for (const words of [...Object.keys(commands), '--version', 'help', '__complete'].map((name) => [name])) {
      const { status, stdout, stderr } = spawnSync(node, [program, ...words], options);
      expect([words, status, stdout]).toEqual([words, 1, '']);
      expect(stderr).toContain(
        `Repertoire needs Node 22.12 or later, or Node 20 from 20.19 on; this is Node ${version}`,
      );
      expect(stderr).toContain('https://nodejs.org');
    }
    const { status, stdout, stderr } = spawnSync(node, [program, 'list', '--json'], options);
    expect([status, stderr, JSON.parse(stdout)]).toMatchObject([1, '', { error: { code: 'unavailable' } }]);
  });

  it('the versions that are taken are those of package.json', () => {
    const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(engines.node).toBe('^20.19.0 || >=22.12.0');
    const taken = ['20.19.0', '20.20.2', '22.12.0', '22.23.3', '23.0.0', '24.0.0', '26.10.0'];
    const refused = ['12.22.12', '18.20.8', '20.10.0', '20.18.3', '21.7.3', '22.0.0', '22.11.0'];
    expect([...taken, ...refused].filter(isSupportedNode)).toEqual(taken);
  });
});
