import { createHash } from 'node:crypto';
import { createWorld, type World } from '../support/world.ts';

/** A skill as the extension describes it. */
export interface Entry {
  uri: string;
  frontmatter: Record<string, unknown>;
  resources: { uri: string; digest: string; size: number }[];
}

/** A file or folder as lists show it. */
export interface Resource {
  uri: string;
  name: string;
  description?: string;
  mimeType: string;
  size?: number;
}

export interface Content {
  uri: string;
  mimeType: string;
  text?: string;
  blob?: string;
}

export function digestOf(bytes: string | Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

export function bytesOf({ text, blob }: Content): Buffer {
  return text === undefined ? Buffer.from(blob ?? '', 'base64') : Buffer.from(text, 'utf8');
}

/** The files of the skill in `cruelLibrary` that brings the oddest of them, by path, with what they hold. */
export const oddFiles: Readonly<Record<string, string | Uint8Array>> = {
  'references/FORMS & more.md': '\ufeff# Forms\r\n',
  'references/100% #1?.md': 'percent\n',
  'references/日本語/é.txt': 'composed\n',
  'references/日本語/e\u0301.txt': 'decomposed\n',
  'scripts/run.py': '#!/usr/bin/env python3\nprint("hi")\n',
  'scripts/no-extension': '#!/bin/sh\n',
  'data.json': '{"a": 1}\n',
  'empty.txt': '',
  'latin.txt': Buffer.from([0x61, 0xe9, 0x0a]),
  'logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255, 254]),
  blob: Buffer.from([0, 1, 2, 3, 255]),
  '.hidden/settings': 'x=1\n',
};

/** Skills that are all fit for the extension, and as odd as they may be. */
export function cruelLibrary(): World {
  const world = createWorld();
  world.skill('home/.claude/skills/pdf', {
    description: '"Fill in forms: all of them"',
    extra: [
      'license: MIT',
      'allowed-tools: Read, Bash(git *)',
      'metadata:',
      '  version: "1.0"',
      '  author: Ann',
      'tags: [a, "b c", 3, true, null]',
      'nested: { deeper: { list: [{ x: 1 }] } }',
      'version: 2',
      'text: |',
      '  two',
      '  lines',
    ].join('\n'),
  });
  for (const [path, content] of Object.entries(oddFiles)) world.write(`home/.claude/skills/pdf/${path}`, content);
  world.write(
    'project/skills/crlf/SKILL.md',
    '\ufeff---\r\nname: crlf\r\ndescription: Made elsewhere.\r\n---\r\nText.\r\n',
  );
  world.write('project/skills/lower/skill.md', '---\nname: lower\ndescription: In lower case.\n---\n');
  world.skill('project/skills/folder-of-another-name', { name: 'renamed' });
  world.skill('project/skills/outer');
  world.skill('project/skills/outer/skills/inner');
  world.write('project/skills/outer/skills/inner/notes.md', 'n\n');
  world.link('project/skills/outer/SKILL.md', 'project/skills/outer/copy.md');
  world.link('home/.claude/skills/pdf/data.json', 'project/skills/outer/stolen.json');
  return world;
}

/** Names of so many skills, in order. */
export function numberedNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `s${String(index).padStart(3, '0')}`);
}

/** A world with so many skills. */
export function numberedWorld(count: number): World {
  const world = createWorld();
  for (const name of numberedNames(count)) world.skill(`home/.claude/skills/${name}`);
  return world;
}
