import type { SkillError } from '../../../core/errors.ts';
import { count, cut, fold, oneLine } from '../../../core/text/text.ts';
import { catalogueOf } from '../../../engine/catalogue.ts';
import { headerOf } from '../../../engine/loading/header.ts';
import { whereIs } from '../../../engine/loading/supporting-file.ts';
import { type FileText, load as operation, type SkillText } from '../../../engine/operations/skills/load.ts';
import { resolveName } from '../../../registry/resolve.ts';
import type { Snapshot } from '../../../registry/snapshot.ts';
import type { Skill } from '../../../skill/types.ts';
import type { CatalogueEntry } from '../catalogue/weight.ts';
import { type Answering, answer, defineTool, failure, type ToolResult } from './tool.ts';

/** Loads a skill, or a file that belongs to it. */
export const skill = defineTool({
  operation,
  input: ({ name, file, offset }) => ({
    name: name as string,
    file: file as string | undefined,
    offset: offset as number | undefined,
  }),
  answer: (output, _given, context) =>
    output.kind === 'skill' ? skillAnswer(output, context) : fileAnswer(output, context),
  async failure(error, given, { engine }) {
    const name = given['name'] as string;
    if (error.code !== 'not-found') throw error;
    const snapshot = await engine.registry.snapshot();
    if (resolveName(snapshot, name).kind === 'found') throw error; // the file is missing, not the skill
    return failure(notFoundText(error, name, snapshot));
  },
});

const answers = new WeakMap<SkillText, ToolResult>();

/**
 * The answer with a skill. Made once for each text: some are loaded all the time, and writing a header costs more than
 * finding the skill.
 */
function skillAnswer(output: SkillText, { engine }: Answering): ToolResult {
  const before = answers.get(output);
  if (before !== undefined) return { ...before };
  const { skill, shown, files } = output;
  const { header } = engine.configuration.values;
  const listed = files.files.slice(0, listedFiles).map((one) => one.path);
  const facts = { ...factsOf(skill), files: listed, fileCount: files.files.length, content: shown.text };
  const made = answer(`${headerOf(skill, files, header, shown.remarks)}\n\n${shown.text}`, facts);
  answers.set(output, made);
  return made;
}

const listedFiles = 200;

/** The facts of the header, for programs. */
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

function fileAnswer({ skill, file, offset }: FileText, { caller }: Answering): ToolResult {
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

/** Characters of the query that are compared; a longer text would take long, and is not a question. */
const mostAsked = 200;

/**
 * Sorts the skills by the number of query words they hold, most first. This is how a model finds one that knows no
 * name, and has no tool that searches.
 */
function nearestFirst(entries: readonly CatalogueEntry[], asked: string): readonly CatalogueEntry[] {
  const words = [...new Set(fold(asked.slice(0, mostAsked)).match(/[\p{L}\p{N}]{3,}/gu))];
  if (words.length === 0) return entries;
  const byHits = Array.from({ length: words.length + 1 }, (): CatalogueEntry[] => []);
  for (const entry of entries) {
    const text = fold(`${entry.name} ${entry.description}`);
    byHits[words.filter((word) => text.includes(word)).length]?.push(entry);
  }
  return byHits.reverse().flat();
}
