import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfiguration } from '../../src/core/config/load.ts';
import { configurationOf } from '../../src/core/config/values.ts';
import type { Environment } from '../../src/core/environment.ts';
import { SkillError } from '../../src/core/errors.ts';
import { showHidden } from '../../src/core/text/hidden.ts';
import { findPlugins } from '../../src/discovery/plugins/plugins.ts';
import { outlineOf } from '../../src/run/sandbox/wasm/wit/decode.ts';
import { describeWorld } from '../../src/run/sandbox/wasm/wit/world.ts';
import { headingTools } from '../../src/run/tools/headings.ts';
import { readManifest } from '../../src/run/tools/manifest/manifest.ts';
import { readProjectManifest } from '../../src/run/tools/manifest/project-manifest.ts';
import { toolboxOf } from '../../src/run/tools/toolbox.ts';
import { fixSkill } from '../../src/skill/fix.ts';
import { isPathLike, labelOf } from '../../src/skill/name.ts';
import { parseSkill } from '../../src/skill/parse.ts';
import { checkSkill } from '../../src/skill/rules/check.ts';
import { verbatimFrontmatter } from '../../src/skill/yaml.ts';
import { json } from './shapes/json.ts';
import { toml } from './shapes/toml.ts';
import { wasm as wasmShape } from './shapes/wasm.ts';
import { assertSound, inFolder, outcomeOf, type Target } from './target.ts';

export const skillMd: Target = {
  inputs: 25_000,
  isSteady: true,
  words: [
    '---\n',
    '\n---\n',
    'name: ',
    'description: ',
    '...',
    '!!js ',
    '&a ',
    '*a',
    '<<: ',
    '|\n ',
    '>-\n ',
    '[',
    '{',
    '"',
    "'",
    '# ',
    '\t',
    '\ufeff',
    '\u200b',
    '\u{e0041}',
    '---js\n',
    '../',
    '--',
    '%YAML 1.1\n',
    '? ',
    '\r\n',
    '\0',
  ],
  open: inFolder(async (input) => {
    const read = parseSkill(input, '/s/SKILL.md', 'folder');
    assert.deepEqual(parseSkill(input, '/s/SKILL.md', 'folder'), read, 'another reading gives another result');
    assertSound(read.diagnostics, input);
    const isRefused = read.diagnostics.some(({ severity }) => severity === 'error');
    assert.equal(read.skill === null, isRefused, 'a skill is left out exactly where an error says why');
    if (read.skill !== null) {
      const { name, description } = read.skill;
      assert.ok(
        name !== '' && !isPathLike(name) && !/^[-@]/.test(name),
        `the name ${JSON.stringify(name)} is not safe`,
      );
      assert.equal(labelOf(name, 'folder'), name, 'a published name is published as something else');
      assert.notEqual(description, '');
    }
    const place = { file: '/s/SKILL.md', fileName: 'SKILL.md', folder: 'folder', lookUp: () => 'missing' as const };
    const findings = checkSkill(input, place);
    assertSound(findings, input);
    verbatimFrontmatter(input);
    const text = input.toString('utf8');
    const tools = headingTools(text);
    assert.deepEqual(headingTools(text), tools, 'another reading gives other tools');
    const lines = text.split(/\r\n?|\n/).length;
    for (const { name, line } of tools) {
      assert.match(name, /^[\w.-]{1,64}$/, 'the name of a tool is not safe');
      assert.ok(line >= 1 && line <= lines, `${name} is at line ${line} of ${lines}`);
    }
    if (isUtf8(input)) assertMended(input.toString('utf8'));
    return `${tools.length > 0} ${outcomeOf([...read.diagnostics, ...findings])}`;
  }),
};

/** What is mended says the same and needs no second mending; what is shown hides nothing. */
function assertMended(text: string): void {
  const { text: mended } = fixSkill(text);
  assert.equal(fixSkill(mended).text, mended, 'mending twice is not mending once');
  const [before, after] = [text, mended].map((one) => parseSkill(Buffer.from(one), '/s/SKILL.md', 'folder').skill);
  assert.deepEqual([after?.name, after?.description], [before?.name, before?.description], 'mending changed the skill');
  assert.equal(showHidden(showHidden(text).text).count, 0, 'something is still hidden');
}

const tomlWords = [
  '[tools.a]\n',
  'command = ["sh", "{x}"]\n',
  '[capabilities]\n',
  'network = ["*.a.b"]\n',
  'filesystem = ["read:~/x"]\n',
  '[limits]\n',
  'timeout = "30s"\n',
  'memory = "1GB"\n',
  '[[skills]]\n',
  '[skills.a]\n',
  '[defaults]\n',
  'source = "./a"\n',
  '"""',
  "'''",
  '\\u0041',
  '__proto__',
  '[a.b.c]\n',
  '{',
  '}',
  '=',
  '1979-05-27',
  '0x',
  'inf',
  '\ufeff',
  '\r\n',
  '\0',
];

export const manifest: Target = {
  inputs: 20_000,
  isSteady: true,
  shape: toml,
  words: tomlWords,
  open: inFolder(async (input, environment) => {
    // A folder of its own, since what was found in one is remembered.
    const folder = mkdtempSync(join(environment.cwd, 'skill-'));
    const project = join(environment.cwd, '.skill-engine.toml');
    writeFileSync(join(folder, 'skill.toml'), input);
    writeFileSync(project, input);
    const own = await readManifest(folder, environment);
    assert.deepEqual(await readManifest(folder, environment), own, 'another reading gives another result');
    const skill = { id: folder, name: 'a', fullName: 'a', file: join(folder, 'SKILL.md') };
    const others = await readProjectManifest(project, skill, environment);
    const { tools, problems: ofTools } = await toolboxOf(skill, environment);
    rmSync(folder, { recursive: true });
    const problems = [...(own?.problems ?? []), ...(others?.problems ?? []), ...ofTools];
    assertSound(problems, input);
    for (const { code, line } of problems) assert.ok(code !== 'manifest-key' || line !== null, 'a key has no line');
    const isRefused = ofTools.some(({ severity }) => severity === 'error');
    assert.ok(!isRefused || tools.length === 0, 'there are tools in spite of an error');
    for (const { name } of tools) assert.match(name, /^[\w.-]{1,64}$/, 'the name of a tool is not safe');
    return `${tools.length > 0} ${outcomeOf(problems)}`;
  }),
};

export const config: Target = {
  inputs: 75_000,
  isSteady: true,
  shape: toml,
  words: [
    'skill_dirs = ["a"]\n',
    'root = "x"\n',
    'include = "a,b"\n',
    'exclude = []\n',
    'port = 1\n',
    'activity = false\n',
    'on_duplicate = "first"\n',
    'refresh_interval = 1\n',
    '"?scope=x"',
    '"/etc"',
    '"~"',
    '__proto__ = 1\n',
    '[a]\n',
    '.',
    ...tomlWords.slice(-10),
  ],
  open: inFolder(async (input, environment) => {
    const file = join(environment.cwd, 'repertoire.toml');
    writeFileSync(file, input);
    const strict = await loadConfiguration({}, environment).catch((error: unknown) => error);
    if (strict instanceof SkillError) assert.ok(strict.message.startsWith(file), `no file in: ${strict.message}`);
    else if (strict instanceof Error) throw strict;
    const lenient = await loadConfiguration({}, environment, { withoutProject: true });
    assert.equal(lenient.problems.length, strict instanceof Error ? 1 : 0);
    assertSound(lenient.problems, input);
    return outcomeOf(lenient.problems);
  }),
};

const noOptions = configurationOf({}).values;

export const plugins: Target = {
  inputs: 12_000,
  isSteady: true,
  shape: json,
  words: [
    '"version":2',
    '"plugins":{',
    '"a@m":[{"installPath":"/x","scope":"user"}]',
    '"enabledPlugins":{"p@m":false}',
    '"name":"p"',
    '"skills":["./skills"]',
    '"skills":"../.."',
    '"projectPath":"/"',
    '__proto__',
    'null',
    '[]',
    '{}',
    '1e999',
    '"\\ud800"',
    '\ufeff',
    '//',
    ',',
  ],
  open: inFolder(
    async (input, environment) => {
      const found = [];
      for (const files of [lists(environment), manifests(environment)]) {
        write(installedIn(environment), installed(environment));
        for (const file of files) write(file, input);
        const findings = await findPlugins(noOptions, environment);
        assert.deepEqual(await findPlugins(noOptions, environment), findings, 'another reading gives another result');
        assertSound(findings.diagnostics, input);
        for (const { path } of findings.roots) assert.ok(path.startsWith('/'), `${path} is not absolute`);
        found.push(...findings.diagnostics);
        for (const file of files) rmSync(file);
      }
      return outcomeOf(found);
    },
    (environment) => mkdirSync(join(pluginIn(environment), 'skills'), { recursive: true }),
  ),
};

const claude = ({ home }: Environment): string => join(home, '.claude');
const pluginIn = (environment: Environment): string => join(claude(environment), 'plugins/cache/m/p/1.0.0');
const installedIn = (environment: Environment): string => join(claude(environment), 'plugins/installed_plugins.json');
const installed = (environment: Environment): string =>
  JSON.stringify({ version: 2, plugins: { 'p@m': [{ scope: 'user', installPath: pluginIn(environment) }] } });
const lists = (environment: Environment): string[] =>
  ['plugins/installed_plugins.json', 'plugins/known_marketplaces.json', 'settings.json'].map((file) =>
    join(claude(environment), file),
  );
const manifests = (environment: Environment): string[] => [
  join(pluginIn(environment), '.claude-plugin/plugin.json'),
  join(environment.home, '.gemini/extensions/p/gemini-extension.json'),
  join(environment.home, '.agents/plugins/p/.plugin/plugin.json'),
];

function write(file: string, content: string | Buffer): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
}

/** What V8 says of core modules differs between its versions, and is not ours. */
function withoutNames(message: string): string {
  if (message.startsWith('WebAssembly.Module')) return 'core module';
  return message.replace(/"[^"]*"|\d+|(?<=^it (?:refers to|imports) ).*(?=, which)/gs, '').slice(0, 60);
}

export const wasm: Target = {
  inputs: 200_000,
  isSteady: true,
  shape: wasmShape,
  words: [
    '\0asm\x01\0\0\0',
    '\0asm\x0d\0\x01\0',
    '\x07',
    '\x0b',
    '\x0a',
    '\x06',
    '\xff\xff\xff\xff\x0f',
    '\x80\x80\x80\x80\x00',
    '\x73',
    '\x72',
    '\x70',
    '\x6f',
    'wasi:cli/run@0.2.0',
    'get-tools',
    'execute-tool',
  ],
  open: inFolder(async (input) => {
    const offered = new Set([...input.toString('latin1').matchAll(/wasi:[a-z]+\/[a-z]+/g)].map(([name]) => name));
    try {
      const described = describeWorld(outlineOf(input), offered);
      const written = JSON.stringify(described);
      assert.ok(written.length < 64 * 1024 * 1024);
      const kinds = new Set([...written.matchAll(/"(?:kind|output)":"[a-z0-9]+"/g)].map(([kind]) => kind));
      return `${[...kinds].sort().join()} ${described.problems.length > 0}`;
    } catch (error) {
      assert.ok(
        error instanceof Error && !(error instanceof RangeError) && !(error instanceof TypeError),
        String(error),
      );
      assert.notEqual(error.message, '');
      return withoutNames(error.message);
    }
  }),
};
