import { describe, expect, it } from 'vitest';
import type { ToolsOutput } from '../../src/engine/operations/running/tools.ts';
import { Workshop } from './workshop.ts';

async function toolsOf(shop: Workshop, ...args: readonly string[]): Promise<ToolsOutput['skills']> {
  return (await shop.run(['tools', ...args, '--json'])).json<ToolsOutput>().skills;
}

describe('where tools come from', () => {
  it('a manifest declares them, and they are listed with what they take and ask for [C4-TOOLS-01]', async () => {
    const shop = new Workshop();
    shop.skill(
      `[skill]
version = "2.1"
[capabilities]
network = ["*.example.com"]
secrets = ["API_TOKEN"]
[tools.greet]
description = "Says hello."
command = ["echo", "{name}"]
[tools.greet.parameters]
name = { type = "string", required = true, description = "Whom." }
[tools.plain]
command = ["echo", "hello"]
capabilities = { secrets = [] }
`,
      { 'scripts/other.sh': 'echo no tool here' },
    );
    const [skill] = await toolsOf(shop, 'demo');
    expect(skill).toMatchObject({
      skill: 'demo',
      runtime: 'native',
      source: 'skill.toml',
      version: '2.1',
      problems: [],
    });
    expect(skill?.tools.map(({ name }) => name)).toEqual(['greet', 'plain']);
    expect(skill?.tools[0]).toMatchObject({
      description: 'Says hello.',
      asksTo: ['talk to every host below example.com on any port', 'be given the secret API_TOKEN'],
      parameters: { properties: { name: { type: 'string', description: 'Whom.' } }, required: ['name'] },
    });
    expect(skill?.tools[1]?.asksTo).toEqual([]);
    const { stdout } = await shop.run(['tools', 'demo']);
    expect(stdout).toContain('demo native, from skill.toml, version 2.1');
    expect(stdout).toContain('    --param name= (string, required): Whom.');
    expect(stdout).toContain('asks to talk to every host below example.com on any port; be given the secret API_TOKEN');
  });

  it('without one, each script is a tool that takes arguments and input, whatever it is written in [C4-TOOLS-03 C4-TOOLS-04]', async () => {
    const shop = new Workshop();
    shop.skill('', {
      'scripts/count.sh': '# Counts what it is given.\nprintf "%s:" "$#" "$@"; cat\n',
      'scripts/tell.mjs': 'console.log(JSON.stringify(process.argv.slice(2)));\n',
      'scripts/lib/part.sh': 'exit 1\n',
      'scripts/data.json': '{}\n',
      'scripts/notes.txt': 'no program\n',
    });
    const [skill] = await toolsOf(shop, 'demo');
    expect(skill).toMatchObject({ source: 'scripts', problems: [] });
    expect(skill?.tools.map(({ name }) => name)).toEqual(['count', 'tell']);
    expect(skill?.tools[0]?.description).toContain('Counts what it is given.');
    expect(Object.keys(skill?.tools[0]?.parameters['properties'] ?? {})).toEqual(['args', 'stdin']);
    const given = ['one two', '-x', '$HOME'];
    const counted = shop.start(['run', 'demo:count', '--stdin', '--', ...given], { stdin: 'from\noutside\n' });
    expect((await counted.ended).stdout).toBe('3:one two:-x:$HOME:from\noutside\n');
    const parameters = JSON.stringify({ args: given });
    expect((await shop.run(['run', 'demo:tell', '--params', parameters])).stdout).toBe(`${JSON.stringify(given)}\n`);
  });

  it('a tool that fails without what was piped in is said to have had none of it', async () => {
    const shop = new Workshop();
    shop.skill('', { 'scripts/read.sh': 'read -r line && echo "$line"\n' });
    const note = 'Standard input was not passed to the tool: that needs --stdin.\n';
    const piping = { through: ['sh', '-c', 'echo something | "$@"', 'sh'] }; // a shell's pipe, and no socket as ours are
    const piped = await shop.start(['run', 'demo'], piping).ended;
    const passed = await shop.start(['run', 'demo', '--stdin'], piping).ended;
    expect([piped.code, piped.stderr]).toEqual([1, note]);
    expect([passed.code, passed.stdout, passed.stderr]).toEqual([0, 'something\n', '']);
    expect(await shop.run(['run', 'demo'])).toMatchObject({ code: 1, stderr: '' });
  });

  it('headings of SKILL.md describe scripts, and their parameters become options', async () => {
    const shop = new Workshop();
    shop.world.skill('project/skills/demo', {
      body: `
## Tools

### get

Gets things of one kind.

**Parameters:**
- \`resource\` (required): What to get.
- \`limit\` (optional, number): How many.

### gone

Nobody wrote this one.

**Parameters:**
- \`x\` (required): Anything.
`,
    });
    shop.world.write('project/skills/demo/scripts/get.sh', 'printf "[%s]" "$@"\n');
    const [skill] = await toolsOf(shop, 'demo');
    expect(skill).toMatchObject({
      source: 'SKILL.md',
      tools: [{ name: 'get', description: 'Gets things of one kind.' }],
    });
    expect(skill?.problems).toMatchObject([{ message: 'the tool gone has nothing to run', line: 16 }]);
    const run = await shop.run(['run', 'demo:get', '--param', 'resource=pods and more', '--param', 'limit=3']);
    expect(run.stdout).toBe('[--resource=pods and more][--limit=3]');
    expect((await shop.run(['run', 'demo:get', '--param', 'limit=3'])).stderr).toContain('resource');
  });

  it('the manifest of a project is read too, and its instances', async () => {
    const shop = new Workshop();
    shop.skill('', { 'scripts/show.sh': 'echo "$REGION $STAGE"\n' });
    shop.world.write(
      'project/.skill-engine.toml',
      `version = "1"
[skills.demo]
source = "./skills/demo"
[skills.demo.instances.default]
env = { REGION = "near", STAGE = "test" }
[skills.demo.instances.far]
env = { REGION = "far" }
`,
    );
    const [skill] = await toolsOf(shop, 'demo');
    expect([skill?.problems, skill?.instances]).toEqual([[], ['default', 'far']]);
    expect((await shop.run(['run', 'demo'])).stdout).toBe('near test\n');
    expect((await shop.run(['run', 'demo', '--instance', 'far'])).stdout).toBe('far \n');
    const unknown = await shop.run(['run', 'demo', '--instance', 'mars']);
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('It has default, far.')]);
  });
});

describe('a manifest with something wrong in it', () => {
  it('names the file and the line of a key it does not know, and its tools cannot be run', async () => {
    const shop = new Workshop();
    const folder = shop.skill('[skill]\nversion = "1"\n\n[tools.say]\ncommand = ["echo", "hello"]\ncomand = "typo"\n');
    const listed = await shop.run(['tools', 'demo']);
    expect(listed.code).toBe(1);
    expect(listed.stdout).toContain(`error ${folder}/skill.toml:6:1: `);
    expect(listed.stdout).toContain('tools.say.comand');
    const run = await shop.run(['run', 'demo:say']);
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toContain(`${folder}/skill.toml:6`);
    expect((await shop.run(['grant', 'demo', '--yes'])).stderr).toContain('skill.toml:6');
  });

  it('is no trouble for other skills', async () => {
    const shop = new Workshop();
    shop.skill('[tools.say\n', {}, 'broken');
    shop.skill('[tools.say]\ncommand = ["echo", "hello"]\n', {}, 'whole');
    const all = await shop.run(['tools']);
    expect(all.code).toBe(1);
    expect(all.stdout).toMatch(/broken native[\s\S]*skill\.toml:1:\d+: [\s\S]*whole native[\s\S]*whole:say/);
    expect((await shop.run(['run', 'whole'])).stdout).toBe('hello\n');
    expect((await shop.run(['run', 'broken:say'])).stderr).toContain("the tools of 'broken' cannot be read");
  });

  it('says what there is where a name is wrong', async () => {
    const shop = new Workshop();
    shop.skill('[tools.get]\ncommand = ["echo", "got"]\n[tools.put]\ncommand = ["echo", "put"]\n');
    shop.skill('', {}, 'empty');
    const say = async (target: string): Promise<string> => (await shop.run(['run', target])).stderr;
    expect(await say('demo:take')).toBe("error: Skill 'demo' has no tool 'take'\nIt has get, put.\n");
    expect(await say('demo')).toContain("choose one of the tools of 'demo'");
    expect((await shop.run(['run', 'demo', 'take'])).stderr).toBe(
      "error: Skill 'demo' has no tool 'take'\nIt has get, put.\n",
    );
    expect(await say('empty')).toContain("Skill 'empty' has no tools");
    expect(await say('missing:get')).toContain('missing');
    expect((await shop.run(['tools', 'empty'])).stdout).toContain('no tools');
    // What was not there was asked for all the same; a question that is not clear asks for nothing.
    expect(shop.records()).toMatchObject(
      [
        ['demo', 'take'],
        ['demo', 'take'],
        ['empty', ''],
        ['missing', 'get'],
      ].map(([skill, tool]) => ({ skill, tool, result: 'not_found' })),
    );
  });
});
