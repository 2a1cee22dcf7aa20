import { expect } from 'vitest';
import type { StdioServer, ToolResult } from '../support/mcp.ts';
import { createWorld, type SkillText, type World } from '../support/world.ts';

/** A hit of the tool that searches by meaning. */
export interface ToolHit {
  name: string;
  description: string;
  provider: string;
  location: string;
  plugin?: string;
  path: string;
  score: number;
  weak: boolean;
  matchedBy: string[];
  passage?: string;
  copies?: { name: string; path: string }[];
  tools?: string[];
  bestTool?: { name: string; description: string; optional: string[] };
  call: { name: string; arguments: Record<string, unknown> };
  execute?: { name: string; arguments: Record<string, unknown> };
}

export interface ToolAnswer {
  query: string;
  top_k: number;
  results: ToolHit[];
  indexed?: number;
  total?: number;
  notes?: string[];
}

/** A hit as the command line prints it. */
export interface Hit {
  name: string;
  path: string;
  provider: string;
  location: string;
  plugin: string | null;
  score: number;
  weak: boolean;
  matchedBy: string[];
  scores: { words: number; meaning: number };
  passage: string;
  copies: { name: string; path: string }[];
  tools: string[];
  bestTool?: { name: string; description: string; optional: string[]; command: string };
  call: { name: string; arguments: Record<string, unknown> };
  execute?: { name: string; arguments: Record<string, unknown> };
  explanation?: {
    shares: { words: number; meaning: number };
    words: { word: string; as: string | null; by: string | null; rarity: number; fields: Record<string, number> }[];
    tool?: { name: string; words: number; meaning: number };
  };
}

export interface Answer {
  query: string;
  limit: number;
  results: Hit[];
  index: { ready: number; total: number; added: number };
  notes: string[];
}

export const searchTool = 'skill-engine/search_skills';

/** What the tool answers, whole. */
export function asked(server: StdioServer, query: string, args: object = {}): Promise<ToolResult> {
  return server.call(searchTool, { query, ...args });
}

/** Waits until all skills are in the index: on a busy machine the first answers come from a part of them. */
export async function indexedWhole(server: StdioServer): Promise<void> {
  const indexed = async () => ((await asked(server, 'anything')).structuredContent as unknown as ToolAnswer).indexed;
  await expect.poll(indexed).toBeUndefined();
}

/** What the tool finds. */
export async function hitsFor(server: StdioServer, query: string, args: object = {}): Promise<ToolHit[]> {
  const { structuredContent } = await asked(server, query, args);
  return (structuredContent as unknown as ToolAnswer).results;
}

export async function namesFor(server: StdioServer, query: string, args: object = {}): Promise<string[]> {
  return (await hitsFor(server, query, args)).map(({ name }) => name);
}

/** What the command line finds. */
export async function find(world: World, ...args: string[]): Promise<Answer> {
  return (await world.run(['search', '--json', ...args])).json<Answer>();
}

/** Skills as people write them, each about something else. */
const texts: Readonly<Record<string, SkillText>> = {
  'pdf-merge': {
    description: 'Merge, split and rotate PDF files, and extract their pages.',
    body: '\n# PDF\n\nUse qpdf to join documents. Check the page count afterwards.\n',
  },
  'sql-migration-review': {
    description: 'Review database migrations for locks, data loss and downtime before they run.',
    body: '\n# Migrations\n\nLook for a rewritten table. A new index is built concurrently.\n',
  },
  'log-triage': {
    description: 'Find the cause of an error in the logs of an application.',
    body: '\n# Logs\n\nGroup equal stack traces. The first failure is the one that counts.\n',
  },
  'csv-profiler': {
    description: 'Profile a CSV file by its columns, types, missing values and outliers.',
    body: '\n# Tables\n\nGuess the delimiter and the encoding first.\n',
  },
  'changelog-writer': {
    description: 'Write release notes from the commit history of a repository.',
    body: '\n# Releases\n\nAsk the GitHub API for merged pull requests, and call parseJSON on the answer.\n',
  },
  'cluster-rollout': {
    description: 'Deploy services to a Kubernetes cluster and roll them back.',
    body: '\n# Rollout\n\nWatch the pods until they are ready.\n',
  },
  'docs-translator': {
    description: 'Translate documentation into other languages with a glossary of terms.',
    body: '\n# Translation\n\nKeep code and links as they are.\n',
  },
  'image-resize': {
    description: 'Resize, crop and compress images for the web.',
    body: '\n# Pictures\n\nWrite WebP and AVIF.\n',
  },
  'unit-tests': {
    description: 'Write unit tests with mocks and fixtures for functions without any.',
    body: '\n# Tests\n\nOne behaviour in each test.\n',
  },
  'invoice-writer': {
    description: 'Create invoices for customers, with taxes and terms of payment.',
    body: '\n# Invoices\n\nNumber them without gaps.\n',
  },
  'weekly-report': {
    description: '生成每周工作报告，汇总任务进度并发送给团队。',
    body: '\n# 周报\n\n先收集数据，再写总结。\n',
  },
};

/** A project with all of them. */
export function library(): World {
  const world = createWorld();
  for (const [name, text] of Object.entries(texts)) world.skill(`project/skills/${name}`, text);
  return world;
}

export const librarySize = Object.keys(texts).length;
