import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { find, install, installKit, pluginFolder } from './plugin-world.ts';

const manifest = 'kit/.claude-plugin/plugin.json';

/** A marketplace `shop` whose catalogue holds one plugin, `kit`. */
function sell(world: World, entry: object): void {
  const installLocation = world.path('shop');
  world.writeJson('home/.claude/plugins/known_marketplaces.json', { shop: { installLocation } });
  world.writeJson('shop/.claude-plugin/marketplace.json', { name: 'shop', plugins: [{ name: 'kit', ...entry }] });
}

const after = (milliseconds: number): Promise<'late'> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds, 'late').unref());

describe('where the skills of a plugin lie', () => {
  it('in skills/, with categories, whatever else the plugin holds [C1-PLUGIN-11]', async () => {
    const world = createWorld();
    installKit(world, ['pdf', 'office/csv']);
    world.skill('kit/examples/not-one');
    world.skill('kit/agents/not-one');
    expect((await find(world)).names).toEqual(['kit:csv', 'kit:pdf']);
  });

  it('not in node_modules [C1-PLUGIN-11 C1-WALK-05]', async () => {
    const world = createWorld();
    installKit(world);
    world.skill('kit/skills/node_modules/pkg');
    world.skill('kit/skills/pdf/scripts/node_modules/pkg/skills/deep');
    world.skill('kit/node_modules/pkg/skills/deep');
    expect((await find(world)).names).toEqual(['kit:pdf']);
  });

  it('also where the manifest says, as one path [C1-PLUGIN-12]', async () => {
    const world = createWorld();
    installKit(world);
    world.skill('kit/more/csv');
    world.skill('kit/unnamed/xml');
    world.writeJson(manifest, { name: 'kit', skills: './more' });
    expect((await find(world)).names).toEqual(['kit:csv', 'kit:pdf']);
  });

  it('also where the manifest says, as a list of folders of skills and of skills [C1-PLUGIN-12]', async () => {
    const world = createWorld();
    installKit(world);
    world.skill('kit/more/csv');
    world.skill('kit/single');
    world.writeJson(manifest, { name: 'kit', skills: ['./more', 'single', './not-there'], unknown: [1] });
    const { names, diagnostics } = await find(world);
    expect(names).toEqual(['kit:csv', 'kit:pdf', 'kit:single']);
    expect(diagnostics).toEqual([]);
  });

  it('each once, where the manifest names what is found anyway [C1-PLUGIN-12 C1-SKILL-05]', async () => {
    for (const skills of [
      './skills/',
      ['./skills/pdf', './skills/csv'],
      ['./skills/pdf', './'],
      ['.', './skills/pdf'],
    ]) {
      const world = createWorld();
      installKit(world, ['pdf', 'csv']);
      world.writeJson(manifest, { name: 'kit', skills });
      expect((await find(world)).names, JSON.stringify(skills)).toEqual(['kit:csv', 'kit:pdf']);
    }
  });

  for (const skills of [undefined, '.', './', ['./']]) {
    it(`at the root of the plugin, where skills is ${JSON.stringify(skills)} [C1-PLUGIN-12]`, async () => {
      const world = createWorld();
      world.skill('kit', { name: 'whole' });
      installKit(world, []);
      world.writeJson(manifest, { name: 'kit', ...(skills && { skills }) });
      const { names, skills: found } = await find(world);
      expect(names).toEqual(['kit:whole']);
      expect(found[0]?.dir).toBe(world.path('kit'));
    });
  }

  it('not at its root where there is a skills folder [C1-PLUGIN-11]', async () => {
    const world = createWorld();
    world.skill('kit', { name: 'whole' });
    installKit(world);
    expect((await find(world)).names).toEqual(['kit:pdf']);
  });

  it('in what its marketplace lists, and in nothing else, where it is the marketplace itself [C1-PLUGIN-12]', async () => {
    const world = createWorld();
    for (const name of ['pdf', 'csv', 'xml']) world.skill(`shop/skills/${name}`);
    sell(world, { source: './', skills: ['./skills/pdf', './skills/csv'], strict: false });
    install(world, { 'kit@shop': [{ scope: 'user', installPath: world.path('shop') }] });
    expect((await find(world)).names).toEqual(['kit:csv', 'kit:pdf']);
    sell(world, { source: './', skills: ['./skills/gone'], strict: false });
    expect((await find(world)).names).toEqual(['kit:csv', 'kit:pdf', 'kit:xml']);
  });

  it('two plugins that share a marketplace folder have what each lists [C1-PLUGIN-12]', async () => {
    const world = createWorld();
    for (const name of ['pdf', 'csv']) world.skill(`shop/skills/${name}`);
    world.writeJson('home/.claude/plugins/marketplaces/shop/.claude-plugin/marketplace.json', {
      plugins: [
        { name: 'papers', source: './', strict: false, skills: ['./skills/pdf'] },
        { name: 'tables', source: '.', strict: false, skills: './skills/csv' },
      ],
    });
    const entry = [{ scope: 'user', installPath: world.path('shop') }];
    install(world, { 'papers@shop': entry, 'tables@shop': entry });
    expect((await find(world)).names).toEqual(['papers:pdf', 'tables:csv']);
  });

  it('the marketplace adds to the manifest, and replaces it where it is not strict [C1-PLUGIN-12]', async () => {
    const world = createWorld();
    installKit(world);
    world.skill('kit/own/csv');
    world.skill('kit/sold/xml');
    world.writeJson(manifest, { name: 'kit', skills: './own' });
    sell(world, { source: './plugins/kit', skills: './sold' });
    expect((await find(world)).names).toEqual(['kit:csv', 'kit:pdf', 'kit:xml']);
    sell(world, { source: './plugins/kit', skills: './sold', strict: false });
    expect((await find(world)).names).toEqual(['kit:pdf', 'kit:xml']);
  });
});

describe('what a plugin cannot do', () => {
  for (const path of ['../secret', './../secret', './link-out', '/ABSOLUTE/secret']) {
    it(`name a folder outside itself by ${path} [C1-PLUGIN-12]`, async () => {
      const world = createWorld();
      installKit(world);
      pluginFolder(world, 'secret', ['leaked']);
      world.link('secret', 'kit/link-out');
      const named = path.replace('/ABSOLUTE', world.root);
      world.writeJson(manifest, { name: 'kit', skills: [named] });
      const { names, diagnostics } = await find(world);
      expect(names).toEqual(['kit:pdf']);
      expect(diagnostics.map((one) => one.code)).toEqual(['plugin-path-outside']);
    });
  }

  it('link to a folder outside itself [C1-PLUGIN-11 C1-LINK-05]', async () => {
    const world = createWorld();
    installKit(world);
    world.skill('secret/leaked');
    world.skill('kit/shared/inside');
    world.link('secret/leaked', 'kit/skills/leaked');
    world.link('kit/shared/inside', 'kit/skills/inside');
    world.link('secret', 'kit/skills/pdf/category');
    const { names, noted } = await find(world);
    expect(names).toEqual(['kit:inside', 'kit:pdf']);
    expect(new Set(noted.map(String))).toEqual(
      new Set([
        `link-outside,${world.path('kit/skills/leaked')}`,
        `link-outside,${world.path('kit/skills/pdf/category')}`,
      ]),
    );
  });

  it('have a skills folder that leads outside [C1-PLUGIN-11]', async () => {
    const world = createWorld();
    world.skill('secret/leaked');
    world.link('secret', 'kit/skills');
    install(world, { 'kit@shop': [{ scope: 'user', installPath: world.path('kit') }] });
    const standard = 'home/.agents/plugins/standard';
    const $schema = 'https://agent-plugins.org/schemas/1.0.0/plugin.schema.json';
    world.writeJson(`${standard}/plugin.json`, { $schema, name: 'standard' });
    world.link('secret', `${standard}/skills`);
    const { names, diagnostics } = await find(world);
    expect(names).toEqual([]);
    expect(diagnostics.map((one) => one.file)).toEqual([world.path('kit/skills'), world.path(`${standard}/skills`)]);
  });

  const broken: Record<string, string> = {
    'not JSON': '{ "name": ',
    'not an object': '["kit"]',
    'wrong in a known field': '{ "name": "kit", "skills": { "pdf": true } }',
    'wrong within a list': '{ "name": "kit", "skills": ["./skills", 5] }',
  };
  for (const [how, text] of Object.entries(broken)) {
    it(`spoil the others by a manifest that is ${how} [C1-PLUGIN-09 C1-PLUGIN-12]`, async () => {
      const world = createWorld();
      installKit(world);
      const other = pluginFolder(world, 'other', ['csv']);
      const entry = (installPath: string): object[] => [{ scope: 'user', installPath }];
      install(world, { 'kit@shop': entry(world.path('kit')), 'other@shop': entry(other) });
      const file = world.write(manifest, text);
      const { names, noted } = await find(world);
      expect(names).toEqual(['other:csv']);
      expect(noted).toEqual([['plugin-manifest-invalid', file]]);
    });
  }

  for (const file of ['home/.claude/plugins/known_marketplaces.json', 'shop/.claude-plugin/marketplace.json']) {
    it(`go unnoticed when its marketplace is malformed (${file.split('/').at(-1)}) [C1-PLUGIN-09]`, async () => {
      const world = createWorld();
      installKit(world);
      sell(world, { source: './kit' });
      const path = world.write(file, '{ "shop": ');
      const { names, noted } = await find(world);
      expect(names).toEqual(['kit:pdf']);
      expect(noted).toEqual([['plugin-file-invalid', path]]);
    });
  }

  it('hold the program up by a manifest that never ends [C1-PLUGIN-09]', async () => {
    const world = createWorld();
    installKit(world);
    world.skill('home/.agents/skills/plain');
    world.folder('kit/.claude-plugin');
    execFileSync('mkfifo', [world.path(manifest)]);
    const listing = find(world);
    const first = await Promise.race([listing, after(8000)]);
    // Whoever waits for the other end gets it now, as often as it takes, so that nothing outlives the test.
    const release = setInterval(() => closeSync(openSync(world.path(manifest), constants.O_RDWR)), 20);
    const { names } = await listing.finally(() => clearInterval(release));
    expect(first).not.toBe('late');
    expect(names).toContain('plain');
  });
});
