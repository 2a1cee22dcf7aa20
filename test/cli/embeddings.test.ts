import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { createWorld } from '../support/world.ts';

const key = 'sk-very-secret-0123456789';
const userFile = 'home/.config/repertoire/config.toml';

interface Shown {
  settings: { name: string; value: unknown; from: string; option: string | null }[];
}

describe('the settings of an embeddings service', () => {
  it.each([
    ['embeddings_url', 'http://localhost:1/v1', '--embeddings-url'],
    ['embeddings_model', 'tiny', '--embeddings-model'],
    ['embeddings_key', key, 'REPERTOIRE_EMBEDDINGS_KEY'],
  ])('are not taken from a project: %s', async (name, value, remedy) => {
    const world = createWorld();
    world.write('project/repertoire.toml', `${name} = "${value}"\n`);
    const { code, stdout, stderr } = await world.run(['list']);
    expect(code).toBe(2);
    expect(stderr).toContain(`repertoire.toml:1: a project may not set "${name}"`);
    expect(stderr).toContain(`Set it with ${remedy}`);
    expect(stdout + stderr).not.toContain(key);
  });

  it('are taken from the user, and the key is never shown', async () => {
    const world = createWorld();
    world.write(userFile, `embeddings_url = "http://a/v1"\nembeddings_model = "tiny"\nembeddings_key = "${key}"\n`);
    const args = ['config', '--embeddings-url', 'http://b/v1'];
    const shown = await world.run([...args, '--json']);
    const found = shown.json<Shown>().settings.filter(({ name }) => name.startsWith('embeddings'));
    expect(found).toMatchObject([
      { value: 'http://b/v1', from: 'option', option: '--embeddings-url' },
      { value: 'tiny', from: 'user file', option: '--embeddings-model' },
      { value: '(secret)', from: 'user file', option: null },
    ]);
    const env = { REPERTOIRE_EMBEDDINGS_KEY: `${key}-too` };
    const printed = await world.run(args, { env });
    expect(printed.stdout).toMatch(/^ {2}embeddings_key +"\(secret\)" +\(environment: REPERTOIRE_EMBEDDINGS_KEY\)$/m);
    for (const { stdout, stderr } of [shown, printed]) expect(stdout + stderr).not.toContain(key);
  });

  it('have no option for the key', async () => {
    const { code, stderr } = await createWorld().run(['list', '--embeddings-key', 'x']);
    expect(code).toBe(2);
    expect(stderr).toContain('unknown option --embeddings-key');
  });

  it('are not written down by a server', async () => {
    const world = createWorld();
    world.skill('project/.claude/skills/csv-profiler');
    const env = { REPERTOIRE_EMBEDDINGS_KEY: key, REPERTOIRE_EMBEDDINGS_MODEL: 'tiny-but-known' };
    const server = await connectStdio(world, ['mcp'], { env });
    await server.tools();
    expect(await server.end()).toBe(0);
    const said = world.path('cache/repertoire/said');
    const files = readdirSync(said).map((name) => readFileSync(join(said, name), 'utf8'));
    expect(files).toHaveLength(2); // the texts, and what they were made of
    expect(files.join()).not.toMatch(/secret|tiny-but-known/);
  });
});
