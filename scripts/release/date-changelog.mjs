import { readFileSync, writeFileSync } from 'node:fs';

// The changelog is written by hand, by topic, as changes are made: a release gives what is unreleased its version and its date.
const project = new URL('../../', import.meta.url);
const { version } = JSON.parse(readFileSync(new URL('package.json', project), 'utf8'));
const page = new URL('CHANGELOG.md', project);
const text = readFileSync(page, 'utf8');
const heading = '\n## Unreleased\n';
if (!text.includes(heading))
  throw new Error('CHANGELOG.md: there is no section "## Unreleased". Say in one what the release changes.');
const today = new Date().toISOString().slice(0, 10);
writeFileSync(page, text.replace(heading, `\n## ${version}\n\nReleased on ${today}.\n`));
