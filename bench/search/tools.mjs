import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createRepertoire } from '../../dist/lib/index.js';
import { Sandbox } from '../sandbox.mjs';
import { writeCatalogue } from './catalogue.mjs';
import { measureTools, togetherOf } from './tools/measure.mjs';
import { writeToolSkills } from './tools/write.mjs';

/** How often a question about what a tool does finds its skill, and shows the tool. */
const sandbox = new Sandbox();
try {
  const [catalogue, tools, home] = ['catalogue', 'tools', 'home'].map((name) => sandbox.path(name));
  writeCatalogue(catalogue);
  writeToolSkills(tools);
  mkdirSync(home);
  const repertoire = createRepertoire({
    cwd: home,
    home,
    env: sandbox.environment(home),
    skillDirs: [catalogue, tools, fileURLToPath(new URL('../../skills', import.meta.url))],
    scanDefaultDirs: false,
    autoRefresh: false,
    activity: false,
  });
  const kinds = await measureTools(async (query) => (await repertoire.search(query)).results);
  console.log('| questions | number | skill first | tool shown first | both | tools at other hits |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const [kind, figures] of Object.entries({ ...kinds, 'all that mean a tool': togetherOf(kinds) })) {
    console.log(`| ${kind} | ${Object.values(figures).join(' | ')} |`);
  }
  repertoire.close();
} finally {
  sandbox.remove();
}
