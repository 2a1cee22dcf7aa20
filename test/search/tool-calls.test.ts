import { execFile } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { connectStdio } from '../support/mcp.ts';
import { program, type World } from '../support/world.ts';
import { asked, find, hitsFor, library } from './library.ts';

/** A skill with tools that take all kinds of values, in a folder whose name a shell would stumble over. */
function workshop(): World {
  const world = library();
  const folder = "elsewhere/it's here/pottery shed";
  world.skill(folder, { name: 'pottery-shed', description: 'Looks after what a potter needs.' });
  world.write(
    `${folder}/skill.toml`,
    `[capabilities]
env = ["KILN"]

[tools.fire-kiln]
description = "Heat the kiln for stoneware or porcelain, and hold the temperature."
command = ["echo", "kiln", "{ware}", "{degrees}", "{shelves}", "{gas}", "{note}"]
[tools.fire-kiln.parameters]
ware = { type = "string", enum = ["stoneware", "porcelain"], required = true }
degrees = { type = "integer", required = true }
shelves = { type = "array", items = { type = "string" }, required = true }
gas = { type = "boolean", default = false, required = true }
note = { type = "string" }

[tools.mix-glaze]
description = "Weigh out the powders of a celadon glaze."
command = ["echo", "glaze", "{grams}"]
parameters.grams = { type = "number", required = true }
`,
  );
  return world;
}

/** The options by which it is seen. */
const seen = (world: World) => ['--skill-dir', world.path("elsewhere/it's here")];

const values: Readonly<Record<string, string>> = {
  '<stoneware|porcelain>': 'porcelain',
  '<integer>': '1260',
  '<number>': '12.5',
  '<string>': 'upper; $(rm -rf /)',
};

/** A call with every blank filled in, numbers as numbers. */
function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, filled(one)]));
  }
  const text = typeof value === 'string' ? values[value] : undefined;
  return text !== undefined && /^[\d.]+$/.test(text) ? Number(text) : (text ?? value);
}

/** Types a command at a shell that knows the program by its name. */
function typed(world: World, command: string): Promise<{ code: number; stdout: string; stderr: string }> {
  world.write('bin/repertoire', `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  world.mode('bin/repertoire', 0o755);
  const env = world.environment({ PATH: `${world.path('bin')}:${process.env['PATH']}`, KILN: 'k' });
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', command], { cwd: world.project, env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

describe('a hit whose tool is meant', () => {
  it('has a call of that tool which runs over MCP once its blanks are filled in [C2-ENGINE-07 C2-ENGINE-09]', async () => {
    const world = workshop();
    await world.run(['grant', 'pottery-shed', '--yes', ...seen(world)]);
    const server = await connectStdio(world, ['serve', ...seen(world)], { env: { KILN: 'k' } });
    const [best] = await hitsFor(server, 'heat the kiln for porcelain');
    expect(best).toMatchObject({
      name: 'pottery-shed',
      weak: false,
      tools: ['fire-kiln'],
      bestTool: {
        name: 'fire-kiln',
        description: 'Heat the kiln for stoneware or porcelain, and hold the temperature.',
        optional: ['note'],
      },
    });
    expect(best?.execute?.arguments).toEqual({
      skill_name: 'pottery-shed',
      tool_name: 'fire-kiln',
      parameters: { ware: '<stoneware|porcelain>', degrees: '<integer>', shelves: ['<string>'], gas: false },
    });
    const { name, arguments: blanks } = best?.execute ?? { name: '', arguments: {} };
    const { content, isError } = await server.call(name, filled(blanks) as Record<string, unknown>);
    expect(isError).not.toBe(true);
    expect(content[0]?.text).toBe('kiln porcelain 1260 upper; $(rm -rf /) false\n');

    // What a model reads has the same call.
    const text = (await asked(server, 'heat the kiln for porcelain')).content[0]?.text ?? '';
    const line = text.split('\n').find((one) => one.includes('run with skill-engine/execute')) ?? '';
    expect(JSON.parse(line.slice(line.indexOf('{')))).toEqual(blanks);
    expect(text).toContain(
      '\n  fire-kiln: Heat the kiln for stoneware or porcelain, and hold the temperature. Optional: note.',
    );
  });

  it('has a command which runs at a shell as it is printed, once its blanks are filled in', async () => {
    const world = workshop();
    const { stdout } = await world.run(['search', 'heat the kiln for porcelain', ...seen(world)]);
    const line = /^ {6}run: (repertoire run pottery-shed:fire-kiln .*)$/m.exec(stdout)?.[1] ?? '';
    expect(line).toContain(
      "--param 'ware=<stoneware|porcelain>' --param 'degrees=<integer>' --param 'shelves=<string>' --param gas=false",
    );
    expect(stdout).toMatch(/^ {6}fire-kiln: Heat the kiln for stoneware or porcelain/m);
    expect(stdout).toMatch(/^ {6}optional: note$/m);
    const command = Object.entries(values).reduce((text, [blank, value]) => text.replaceAll(blank, value), line);
    const denied = await typed(world, command);
    expect([denied.code, denied.stdout]).toEqual([1, '']);
    expect(denied.stderr).toContain('repertoire grant pottery-shed');
    await world.run(['grant', 'pottery-shed', '--yes', ...seen(world)]);
    const { code, stdout: printed, stderr } = await typed(world, command);
    expect([code, printed], stderr).toEqual([0, 'kiln porcelain 1260 upper; $(rm -rf /) false\n']);
    // A blank that nobody filled in is refused before anything runs, and says what was wanted.
    const blank = await typed(world, line);
    expect(blank.code).toBe(2);
    expect(blank.stderr).toMatch(/degrees|ware/);
    const [hit] = (await find(world, 'heat the kiln for porcelain', ...seen(world))).results;
    expect(hit?.bestTool?.command).toBe(line);
  });

  it('shows the tool that is meant first, and none where none is', async () => {
    const world = workshop();
    const first = async (query: string) => (await find(world, query, ...seen(world))).results[0];
    expect(await first('weigh powders for a celadon glaze')).toMatchObject({ tools: ['mix-glaze'] });
    expect(await first('hold the temperature of porcelain')).toMatchObject({ tools: ['fire-kiln'] });
    const none = await first('pottery shed');
    expect(none).toMatchObject({ name: 'pottery-shed', tools: [] });
    expect([none?.bestTool, none?.execute]).toEqual([undefined, undefined]);
  });

  it('comes before skills that speak of the same things, and the explanation names the tool', async () => {
    const world = library();
    const others = ['count', 'paint', 'feed', 'wash'].map(
      (verb) =>
        `[tools.${verb}]\ndescription = "Can ${verb} the animals of a ${verb}ing zoo."\ncommand = "echo ${verb}"\n`,
    );
    const wanted = '[tools.flush]\ndescription = "Empty the DNS cache of this machine."\ncommand = "echo flush"\n';
    world.skill('project/skills/caretaker', { description: 'Everything that has to be done in a day.' });
    world.write('project/skills/caretaker/skill.toml', [...others, wanted].join('\n'));
    world.skill('project/skills/cache-guide', { description: 'How a cache works, in theory.' });
    const query = 'empty the dns cache of my machine';
    const [best] = (await find(world, query, '--explain')).results;
    expect(best).toMatchObject({ name: 'caretaker', weak: false, tools: ['flush'] });
    const { shares, tool } = best?.explanation ?? {};
    expect(tool?.name).toBe('flush');
    const sum = (shares?.words ?? 0) * (tool?.words ?? 0) + (shares?.meaning ?? 0) * (tool?.meaning ?? 0);
    expect(Math.abs(sum - (best?.score ?? 0))).toBeLessThan(0.001);
    const { stdout } = await world.run(['search', query, '--explain', '--limit', '1']);
    expect(stdout).toMatch(/^ {6}score 0\.\d+ = .*, for its tool flush\n {6}the skill itself: /m);
  });

  it('keeps a call with hidden characters out of the text, for models and for people', async () => {
    const world = library();
    world.skill('project/skills/glass', { description: 'Blows glass.' });
    world.write(
      'project/skills/glass/skill.toml',
      `[tools.anneal-vase]
description = "Cool a vase slowly in the annealing oven."
command = ["echo", "{mode}"]
parameters.mode = { type = "string", default = "slow\\U000E0041\\u202Eward", required = true }
`,
    );
    const query = 'cool a vase slowly in the annealing oven';
    const server = await connectStdio(world, ['serve']);
    const { content } = await asked(server, query);
    expect(content[0]?.text).toContain('anneal-vase');
    expect(content[0]?.text).not.toMatch(/[\u202e\u{e0041}]/u);
    expect((await world.run(['search', query])).stdout).toMatch(/run: see --json/);
    expect((await find(world, query)).results[0]?.bestTool?.command).toContain('\u202e');
  });

  it('keeps a call with very many parameters out of the text, and in the data', async () => {
    const world = library();
    const names = Array.from({ length: 60 }, (_, at) => `parameter_${at}`);
    const words = ['echo', ...names.map((name) => `{${name}}`)];
    const rows = names.map((name) => `${name} = { type = "string", required = true }`);
    const tool = `[tools.census]\ndescription = "Counts walruses."\ncommand = ${JSON.stringify(words)}\n[tools.census.parameters]\n${rows.join('\n')}\n`;
    world.write('project/skills/invoice-writer/skill.toml', tool);
    const server = await connectStdio(world, ['serve']);
    const { content } = await asked(server, 'walrus');
    expect(content[0]?.text).toContain('run with skill-engine/execute, whose parameters list_skills lists\n');
    expect(content[0]?.text.length).toBeLessThan(5000);
    const [best] = await hitsFor(server, 'walrus');
    expect(Object.keys((best?.execute?.arguments['parameters'] ?? {}) as object)).toEqual(names);
  });
});
