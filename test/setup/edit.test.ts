import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/agents/setup/edit/values.ts';
import { unifiedDiff } from '../../src/core/text/diff.ts';
import { edited, roundTrip, withoutEntry } from '../support/settings.ts';

const settings: readonly (readonly [file: string, format: Format, map: string])[] = [
  ['zed-settings.json', 'json', 'context_servers'],
  ['claude.json', 'json', 'mcpServers'],
  ['opencode.jsonc', 'json', 'mcp'],
  ['vscode-mcp.json', 'json', 'servers'],
  ['compact.json', 'json', 'mcpServers'],
  ['codex.toml', 'toml', 'mcp_servers'],
  ['goose.yaml', 'yaml', 'extensions'],
];

/** Whether all characters of one text are in another, in their order. */
function isWithin(text: string, longer: string): boolean {
  let at = 0;
  for (const character of longer) if (character === text[at]) at++;
  return at === text.length;
}

describe.each(settings)('%s', (file, format, map) => {
  const text = readFileSync(new URL(`../fixtures/settings/${file}`, import.meta.url), 'utf8');
  const at = [map, 'repertoire'];
  const value = { command: '/usr/bin/repertoire', args: ['serve'], env: { A: '1' } };

  it('gets the entry, loses nothing, and is as it was when the entry goes', () => {
    const once = roundTrip(format, text, at, value);
    const gone = unifiedDiff(text, once, file).match(/^-(?!--).*/gm) ?? [];
    // A line may get a comma at its end, or make room in its brackets.
    expect(gone.length).toBeLessThanOrEqual(1);
    expect(isWithin(text, once)).toBe(true);
  });

  it('is as it was when the entry has changed before it goes', () => {
    const once = edited(format, text, at, value);
    const changed = edited(format, once, at, { ...value, args: ['mcp'], timeout: 60 });
    expect(withoutEntry(format, text, changed, at)).toBe(text);
  });
});
