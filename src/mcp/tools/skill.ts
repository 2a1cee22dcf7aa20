import { basename } from 'node:path';
import { headerOf } from '../../engine/header.ts';
import { type LoadedSkill, loadSkill } from '../../engine/load.ts';
import { shownText } from '../../engine/shown-text.ts';
import { readSupportingFile, whereIs } from '../../engine/supporting-file.ts';
import { SkillError } from '../../kernel/errors.ts';
import { below } from '../../kernel/paths.ts';
import { count, cut, oneLine } from '../../kernel/text.ts';
import { checkName, resolveName } from '../../registry/resolve.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import { filesOf } from '../../skill/files.ts';
import type { Skill } from '../../skill/types.ts';
import { catalogueOf } from '../catalogue/entries.ts';
import { nearestFirst } from '../catalogue/nearest.ts';
import { answer, failure, type ToolContext, type ToolResult } from './tool.ts';

/** Loads a skill, or a file that belongs to it. */
export async function callSkill(context: ToolContext, input: Readonly<Record<string, unknown>>): Promise<ToolResult> {
  const { name, file, offset } = input as { name: string; file?: string; offset?: number };
  checkName(name);
  await context.check(name);
  const before = file === undefined ? await givenBefore(context, name) : undefined;
  if (before !== undefined) return before;
  const began = Date.now();
  let loaded: LoadedSkill;
  try {
    loaded = await load(context, name);
  } catch (error) {
    if (!(error instanceof SkillError) || error.code !== 'not-found') throw error;
    return failure(notFoundText(error, name, await context.engine.registry.snapshot()));
  }
  return file === undefined ? skillAnswer(context, loaded, began) : fileAnswer(context, loaded, file, offset ?? 0);
}

async function givenBefore({ engine, answers }: ToolContext, name: string): Promise<ToolResult | undefined> {
  const resolution = resolveName(await engine.registry.snapshot(), name);
  return resolution.kind === 'found' ? answers.recall(resolution.skill) : undefined;
}

/** `command` is what some agents call `name`. */
export function withName(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || !('command' in given) || 'name' in given) return given;
  const { command, ...rest } = given;
  return { ...rest, name: command };
}

/** What has just gone, or moved, is worth a second look at the disk. */
async function load({ engine, check }: ToolContext, name: string): Promise<LoadedSkill> {
  try {
    return await loadWritten(() => loadSkill(engine, name, { origin: 'mcp' }));
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    await check();
    return loadSkill(engine, name, { origin: 'mcp' });
  }
}

const pauseMs = 15;

/** An empty file is one that somebody is about to write. */
async function loadWritten(loadOnce: () => Promise<LoadedSkill>): Promise<LoadedSkill> {
  let loaded = await loadOnce();
  for (let tries = 0; tries < 5 && loaded.bytes.length === 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    loaded = await loadOnce();
  }
  return loaded;
}

function skillAnswer({ header, answers }: ToolContext, { skill, bytes }: LoadedSkill, began: number): ToolResult {
  const files = filesOf(skill.id, basename(skill.file));
  const { text: content, remarks } = shownText(bytes.toString('utf8'));
  const listed = files.files.slice(0, listedFiles).map((one) => one.path);
  const facts = { ...factsOf(skill), files: listed, fileCount: files.files.length, content };
  const result = answer(`${headerOf(skill, files, header, remarks)}\n\n${content}`, facts);
  const paths = [skill.file, ...files.folders.map((folder) => below(skill.id, folder))];
  answers.keep(skill, result, { paths, began }, content.length);
  return result;
}

const listedFiles = 200;

/** What the header says, for programs. */
function factsOf(skill: Skill): Record<string, unknown> {
  return {
    name: skill.fullName,
    baseDirectory: skill.dir,
    path: skill.file,
    location: skill.location,
    provider: skill.provider,
    ...(skill.plugin === null ? {} : { plugin: skill.plugin }),
  };
}

/** What an answer holds besides a part of a file and what it is called: the words around them, numbers, a type. */
const wordsAround = 300;

function fileAnswer({ engine, caller }: ToolContext, { skill }: LoadedSkill, path: string, offset: number): ToolResult {
  const { filePart } = engine.configuration.values;
  const names = JSON.stringify(skill.fullName + path + skill.dir).length;
  const room = Math.max(filePart - names - wordsAround, Math.ceil(filePart / 2));
  const file = readSupportingFile(skill, path, offset, room);
  const { mimeType, size } = file;
  const lines = [
    `Reading: ${skill.fullName}/${oneLine(file.path)}`,
    `Base directory: ${oneLine(skill.dir)}`,
    `Type: ${mimeType}, ${count(size, 'byte')}`,
  ];
  const facts = { ...factsOf(skill), file: file.path, mimeType, size };
  if (file.kind === 'text') {
    const { content, remarks, nextOffset } = file;
    const isPart = offset > 0 || nextOffset !== undefined;
    const part = isPart ? [`Part: bytes ${offset} to ${nextOffset ?? size}`] : [];
    const more = nextOffset === undefined ? [] : [`More: call again with offset ${nextOffset}`];
    const data = { ...facts, offset, ...(nextOffset !== undefined && { nextOffset }), content };
    return answer(`${[...lines, ...part, ...more, ...remarks].join('\n')}\n\n${content}`, data);
  }
  if (file.kind === 'image' || (file.kind === 'audio' && caller.takesAudio)) {
    const { content, ...rest } = answer(lines.join('\n'), facts);
    return { ...rest, content: [...content, { type: file.kind, data: file.data, mimeType }] };
  }
  const { place, uri } = whereIs(skill, file.path);
  const reason = file.kind === 'other' ? file.reason : 'this client does not accept audio';
  const where = [`Path: ${oneLine(place)}`, ...(uri === null ? [] : [`Resource: ${uri}`])];
  return answer(
    `${[...lines, ...where].join('\n')}\n\nIts content is not shown: ${reason}. Read it at its path.`,
    facts,
  );
}

const shownSkills = 20;
const shownCharacters = 100;

function notFoundText({ message, suggestions }: SkillError, asked: string, snapshot: Snapshot): string {
  const entries = nearestFirst(catalogueOf(snapshot), asked);
  const rest = entries.length - shownSkills;
  const lines = entries
    .slice(0, shownSkills)
    .map(({ name, description }) => `- ${oneLine(name)}: ${cut(description, shownCharacters)}`);
  return [
    message.split('\n', 1)[0],
    '',
    ...(suggestions.length > 0 ? [`Did you mean: ${suggestions.join(', ')}?`, ''] : []),
    'Available skills:',
    ...(lines.length > 0 ? lines : ['none']),
    ...(rest > 0 ? [`… and ${rest} more`] : []),
    '',
    'Use the exact skill name (case-insensitive) to load a skill.',
  ].join('\n');
}
