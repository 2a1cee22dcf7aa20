import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { agentPages } from '../../scripts/agent-pages.ts';

it.each(Object.entries(agentPages))(
  '%s says of agents what their objects say (npm run docs writes it)',
  (page, written) => {
    const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
    expect(text).toBe(written(text));
  },
);
