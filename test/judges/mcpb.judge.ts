import { rmSync } from 'node:fs';
import { afterAll, describe, it } from 'vitest';
import { World } from '../support/world.ts';
import { runJudge } from './node.ts';

const world = new World();
const mcpb = (...args: string[]) => runJudge(world, '@anthropic-ai/mcpb/dist/cli/cli.js', args);

afterAll(() => rmSync(world.root, { recursive: true, force: true }));

describe('the .mcpb bundle', () => {
  it('is unpacked, and its manifest is valid', async ({ expect }) => {
    const made = await world.run(['bundle', 'mcpb', '--out', 'made', '--json']);
    const { folder, files } = made.json<{ folder: string; files: string[] }>();
    const unpacked = await mcpb('unpack', `${folder}/${files[0]}`, world.path('unpacked'));
    expect(unpacked.code, unpacked.stderr + unpacked.stdout).toBe(0);
    const valid = await mcpb('validate', world.path('unpacked/manifest.json'));
    expect(valid.code, valid.stderr + valid.stdout).toBe(0);
    expect(valid.stdout).toContain('passes');
  });
});
