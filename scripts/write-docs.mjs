import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// docs/commands.md is what the program says of itself; a test fails when the two differ.
const program = fileURLToPath(new URL('../dist/cli/bin.cjs', import.meta.url));
const help = (...args) =>
  execFileSync(process.execPath, [program, ...args], { encoding: 'utf8', env: { COLUMNS: '100' } });
const names = [...help('--help').matchAll(/^ {2}([a-z-]+(?: [a-z]+)?) {2,}\S/gm)]
  .map(([, name]) => name)
  .filter((name) => !name.startsWith('repertoire'));
const sections = names.map(
  (name) => `## repertoire ${name}\n\n\`\`\`text\n${help(...name.split(' '), '--help')}\`\`\`\n`,
);

const text = `# Commands

This page is made from the program's own help (\`npm run docs\`).

\`\`\`text
${help('--help')}\`\`\`

${sections.join('\n')}`;

writeFileSync(new URL('../docs/commands.md', import.meta.url), text);
