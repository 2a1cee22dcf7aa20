import { basename } from 'node:path';
import { below } from '../../../core/disk/paths.ts';
import { SkillError } from '../../../core/errors.ts';
import { integer, optional, text } from '../../../core/schema/schema.ts';
import { checkName, resolveName } from '../../../registry/resolve.ts';
import { filesOf, type SkillFiles } from '../../../skill/files.ts';
import type { Skill } from '../../../skill/types.ts';
import type { Engine, Request } from '../../engine.ts';
import { type ShownText, shownText } from '../../loading/header.ts';
import { type LoadedSkill, loadSkill } from '../../loading/load.ts';
import { createLoadCache } from '../../loading/load-cache.ts';
import { readSupportingFile, type SupportingFile } from '../../loading/supporting-file.ts';
import { defineOperation } from '../../operation.ts';

export type LoadOutput = SkillText | FileText;

/** A skill as agents receive it. */
export interface SkillText {
  readonly kind: 'skill';
  readonly skill: Skill;
  /** SKILL.md with hidden characters made visible. */
  readonly shown: ShownText;
  readonly files: SkillFiles;
}

/** A part of a file that belongs to a skill. */
export interface FileText {
  readonly kind: 'file';
  readonly skill: Skill;
  readonly file: SupportingFile;
  readonly offset: number;
}

/** Loads a skill as agents do, or a file that belongs to it. */
export const load = defineOperation({
  name: 'load',
  right: 'see',
  effect: 'reads',
  input: {
    name: text('The skill, by any name that it can be loaded by.'),
    file: optional(text('A file of that skill to read instead.')),
    offset: integer('Where to continue in a long file.', { min: 0, default: 0 }),
  },
  skillIn: ({ name }) => name,
  notes: ({ name, file }, output?: LoadOutput) => ({
    what: 'loaded',
    skill: output?.skill.fullName ?? name,
    detail: withoutMain(output?.kind === 'file' ? output.file.path : file),
  }),
  async run(engine, { name, file, offset }, request): Promise<LoadOutput> {
    checkName(name);
    const before = file === undefined ? await loadedBefore(engine, name) : undefined;
    if (before !== undefined) return before;
    const began = Date.now();
    const loaded = await loadTwice(engine, name, request);
    if (file === undefined) return textOf(engine, loaded, began);
    return { kind: 'file', skill: loaded.skill, file: partOf(engine, loaded.skill, file, offset), offset };
  },
});

/** The path for the note; null for SKILL.md, which goes without saying. */
function withoutMain(path: string | undefined): string | null {
  return path === undefined || path === 'SKILL.md' ? null : path;
}

async function loadedBefore(engine: Engine, name: string): Promise<SkillText | undefined> {
  const snapshot = await engine.registry.snapshot();
  const resolution = resolveName(snapshot, name);
  if (resolution.kind !== 'found' || snapshot.quarantined(resolution.skill) !== undefined) return undefined;
  return engine.loads?.recall(resolution.skill);
}

/** Loads a skill, and brings the registry up to date before it gives up on one that has just gone or moved. */
async function loadTwice(engine: Engine, name: string, request: Request): Promise<LoadedSkill> {
  try {
    return await loadWritten(() => loadSkill(engine, name, request));
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    await engine.freshness?.check();
    return loadSkill(engine, name, request);
  }
}

const pauseMs = 15;

/** Loads a skill again if its file is empty: that is one that somebody is about to write. */
async function loadWritten(loadOnce: () => Promise<LoadedSkill>): Promise<LoadedSkill> {
  let loaded = await loadOnce();
  for (let tries = 0; tries < 5 && loaded.bytes.length === 0; tries++) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    loaded = await loadOnce();
  }
  return loaded;
}

function textOf(engine: Engine, { skill, bytes }: LoadedSkill, began: number): SkillText {
  const files = filesOf(skill.id, basename(skill.file));
  const shown = shownText(bytes.toString('utf8'));
  const output: SkillText = { kind: 'skill', skill, shown, files };
  const paths = [skill.file, ...files.folders.map((folder) => below(skill.id, folder))];
  engine.loads ??= createLoadCache();
  engine.loads.keep(skill, output, { paths, began }, shown.text.length);
  return output;
}

/** Characters that an answer holds besides a part of a file and its name: the words around them, numbers, a type. */
const wordsAround = 300;

function partOf({ configuration }: Engine, skill: Skill, path: string, offset: number): SupportingFile {
  const { filePart } = configuration.values;
  const names = JSON.stringify(skill.fullName + path + skill.dir).length;
  return readSupportingFile(skill, path, offset, Math.max(filePart - names - wordsAround, Math.ceil(filePart / 2)));
}
