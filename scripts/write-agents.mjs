import { readFileSync, writeFileSync } from 'node:fs';
import { evaluate } from './evaluate.mjs';

// What documents say of agents comes from the agents' objects; a test fails when the two differ.
const { agentPages } = await evaluate('scripts/agent-pages.ts');
for (const [page, written] of Object.entries(agentPages)) {
  const file = new URL(`../${page}`, import.meta.url);
  writeFileSync(file, written(readFileSync(file, 'utf8')));
}
