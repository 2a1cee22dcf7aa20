import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toolSkills } from './skills.mjs';

/** @typedef {import('./skills.mjs').ToolSkill} ToolSkill */
/** @typedef {import('./skills.mjs').ToolText} ToolText */

/** Writes the skills with tools, a folder for each, and gives their names. @param {string} folder */
export function writeToolSkills(folder) {
  for (const [name, skill] of Object.entries(toolSkills)) {
    const place = join(folder, name);
    const { manifest, scripts } = filesOf[skill.from](skill);
    mkdirSync(scripts.length > 0 ? join(place, 'scripts') : place, { recursive: true });
    const headings = skill.from === 'headings' ? `\n## Tools\n\n${entriesOf(skill).map(headingOf).join('\n')}` : '';
    const text = `---\nname: ${name}\ndescription: ${JSON.stringify(skill.description)}\n---\n\n# ${name}\n${headings}`;
    writeFileSync(join(place, 'SKILL.md'), text);
    if (manifest !== '') writeFileSync(join(place, 'skill.toml'), manifest);
    for (const [file, script] of scripts) writeFileSync(join(place, 'scripts', file), script, { mode: 0o755 });
  }
  return Object.keys(toolSkills);
}

/** @type {Record<ToolSkill['from'], (skill: ToolSkill) => { manifest: string, scripts: [string, string][] }>} */
const filesOf = {
  manifest: (skill) => ({ manifest: entriesOf(skill).map(tableOf).join('\n'), scripts: [] }),
  scripts: (skill) => ({
    manifest: '',
    scripts: entriesOf(skill).map(([name, { about }]) => [`${name}.sh`, `#!/bin/sh\n# ${about}\necho "${name}: $*"\n`]),
  }),
  headings: (skill) => ({
    manifest: '',
    scripts: entriesOf(skill).map(([name]) => [`${name}.sh`, `#!/bin/sh\necho "${name}: $*"\n`]),
  }),
};

/** @param {ToolSkill} skill */
function entriesOf({ tools }) {
  return Object.entries(tools);
}

/** @param {ToolText} tool */
function parametersOf({ takes = {} }) {
  return Object.entries(takes).map(([name, type]) => ({
    name,
    type: type.replace('?', ''),
    isRequired: !type.endsWith('?'),
  }));
}

/** @param {[string, ToolText]} entry */
function tableOf([name, tool]) {
  const parameters = parametersOf(tool);
  const command = ['echo', `${name}:`, ...parameters.map((one) => `{${one.name}}`)];
  const rows = parameters.map((one) => `${one.name} = { type = "${one.type}", required = ${one.isRequired} }\n`);
  const description = `description = ${JSON.stringify(tool.about)}\ncommand = ${JSON.stringify(command)}\n`;
  const schema = rows.length > 0 ? `\n[tools.${name}.parameters]\n${rows.join('')}` : '';
  return `[tools.${name}]\n${description}${schema}`;
}

/** @param {[string, ToolText]} entry */
function headingOf([name, tool]) {
  const rows = parametersOf(tool).map(
    (one) => `- \`${one.name}\` (${one.isRequired ? 'required' : 'optional'}, ${one.type})\n`,
  );
  return `### ${name}\n\n${tool.about}\n${rows.length > 0 ? `\n**Parameters:**\n${rows.join('')}` : ''}`;
}
