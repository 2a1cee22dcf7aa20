/** What anyone would write first: walk, read every SKILL.md, cut out the front matter, hand it to the YAML parser. */
const { readFileSync } = require('node:fs');
const { parse } = require('yaml');
const { walk } = require('./walk.cjs');

const found = [];

for (const folder of process.argv.slice(2)) {
  walk(folder, (path, name) => {
    if (name !== 'SKILL.md') return;
    const text = readFileSync(path, 'utf8');
    found.push(parse(text.slice(4, text.indexOf('\n---', 4))));
  });
}

process.stdout.write(JSON.stringify({ skills: found.length }));
