import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { unreadableSkill } from '../../discovery/read.ts';
import { type Diagnostic, diagnostic } from '../../kernel/diagnostics.ts';
import { SkillError } from '../../kernel/errors.ts';
import { isThere, readRegularFile, realPathOf, statOf } from '../../kernel/files.ts';
import { isInside } from '../../kernel/paths.ts';
import { replaceFile } from '../../kernel/replace.ts';
import { createSlicer } from '../../kernel/time-slice.ts';
import { filesOf } from '../../skill/files.ts';
import { fixSkill } from '../../skill/fix.ts';
import { hiddenIn } from '../../skill/hidden-text.ts';
import { limits } from '../../skill/limits.ts';
import { isTextual, typeOf } from '../../skill/mime.ts';
import { checkSkill, type SkillPlace } from '../../skill/rules/check.ts';
import type { Engine } from '../engine.ts';
import { defineOperation } from '../operation.ts';
import { targetsFor } from './validate-targets.ts';

/** What was mended in one file. */
export interface FixedFile {
  readonly file: string;
  readonly changes: readonly string[];
}

export interface ValidateOutput {
  /** How many SKILL.md files were looked at. */
  readonly files: number;
  /** What is wrong, after fixing if that was asked for. */
  readonly findings: readonly Diagnostic[];
  readonly fixed: readonly FixedFile[];
  readonly summary: { readonly errors: number; readonly warnings: number };
}

export const validate = defineOperation({
  fields: {
    paths: {
      kind: 'list',
      positional: true,
      value: 'PATH',
      description: 'A SKILL.md, a skill, or a folder with skills below it. Every known skill when none is given.',
      completes: 'path',
    },
    fix: { kind: 'switch', description: 'Fix what can be fixed without changing what a skill says. Needs a PATH.' },
  },
  async run(engine, { paths, fix }, request): Promise<ValidateOutput> {
    if (fix && paths.length === 0) {
      // Without a path every skill of the machine is meant, other people's plugins too: too much to write to unasked.
      throw new SkillError('usage', 'missing path: repertoire validate --fix PATH');
    }
    const { files, notes } = await targetsFor(paths, engine, request);
    let done = 0;
    const slicer = createSlicer(() => request.onProgress?.({ what: 'Checking skills', done, total: files.length }));
    const findings = [...notes];
    const fixed: FixedFile[] = [];
    for (const file of files) {
      const read = readTarget(file);
      const target = fix && !isDiagnostic(read) ? mend(read) : read;
      if (isDiagnostic(target)) {
        findings.push(target);
      } else {
        findings.push(
          ...target.notes,
          ...checkSkill(target.bytes, placeOf(target)),
          ...hiddenInFiles(target),
          ...(await manifestProblems(target, engine)),
        );
        if (target.changes.length > 0) fixed.push({ file, changes: target.changes });
      }
      done++;
      if (slicer.isDue) await slicer.pause();
    }
    const [errors, warnings] = (['error', 'warning'] as const).map(
      (severity) => findings.filter((one) => one.severity === severity).length,
    ) as [number, number];
    return { files: files.length, findings, fixed, summary: { errors, warnings } };
  },
});

/** Files beyond this are data, which nobody reads as text. */
const readLimit = 1024 * 1024;

/** What texts beside SKILL.md hide: models are given them too. */
function hiddenInFiles({ file, folder }: Target): Diagnostic[] {
  return filesOf(folder, basename(file)).files.flatMap(({ path, bytes: size }) => {
    const read = size > readLimit ? null : readRegularFile(join(folder, path), readLimit);
    if (!read?.ok || !isTextual(typeOf(path, read.value.bytes))) return [];
    return hiddenIn(read.value.bytes, join(dirname(file), path)) ?? [];
  });
}

/** What is wrong with the manifest of its tools, where there is one. */
async function manifestProblems({ file, folder }: Target, { environment }: Engine): Promise<readonly Diagnostic[]> {
  const { manifestNames } = await import('../../tools/manifest.ts');
  const manifests = manifestNames.map((name) => join(folder, name)).filter(isThere);
  if (manifests.length === 0) return [];
  const { toolboxOf } = await import('../../tools/toolbox.ts');
  const name = basename(folder);
  const { problems } = await toolboxOf({ id: folder, name, fullName: name, file }, environment);
  return problems.filter((one) => manifests.includes(one.file));
}

interface Target {
  readonly file: string;
  /** The real path of its folder, and of the file itself. */
  readonly folder: string;
  readonly realFile: string;
  readonly bytes: Buffer;
  readonly stats: Stats;
  readonly changes: readonly string[];
  readonly notes: readonly Diagnostic[];
}

function isDiagnostic(value: Target | Diagnostic): value is Diagnostic {
  return 'code' in value;
}

function readTarget(file: string): Target | Diagnostic {
  const [folder, realFile] = [realPathOf(dirname(file)), realPathOf(file)];
  if (folder.ok && realFile.ok && !isInside(folder.value, realFile.value)) {
    const message = 'SKILL.md is a link to a file outside its folder; it is not read';
    return diagnostic('file-not-regular', file, message, "Copy the file into the skill's folder.");
  }
  const content = realFile.ok ? readRegularFile(realFile.value, limits.fileBytes) : realFile;
  if (!folder.ok || !realFile.ok || !content.ok) {
    return unreadableSkill(file, content.ok ? 'ENOENT' : content.reason);
  }
  return { file, folder: folder.value, realFile: realFile.value, ...content.value, changes: [], notes: [] };
}

function placeOf({ file, folder }: Target): SkillPlace {
  return {
    file,
    fileName: basename(file),
    folder: basename(folder),
    lookUp(path) {
      const target = resolve(folder, path);
      if (!isInside(folder, target)) return 'outside';
      if (!statOf(target).ok) return 'missing';
      const real = realPathOf(target);
      return real.ok && isInside(folder, real.value) ? 'there' : 'outside';
    },
  };
}

/** The target with its faults mended on disk; as it was when there are none, or when it cannot be written. */
function mend(target: Target): Target {
  const { file, folder, realFile, bytes, stats } = target;
  if (!isUtf8(bytes)) return target; // Text that is no UTF-8 would not come back as it was.
  const { text, fixed } = fixSkill(bytes.toString('utf8'));
  if (fixed.length === 0) return target;
  const isLink = realFile !== resolve(folder, basename(file));
  const refusal = isLink ? 'it is a link' : replaceFile(realFile, text, stats);
  if (refusal !== null) {
    const remedy = 'Fix it by hand, or make the file and its folder writable.';
    return { ...target, notes: [diagnostic('file-unwritable', file, `it is not fixed: ${refusal}`, remedy)] };
  }
  return { ...target, bytes: Buffer.from(text), changes: fixed.map(({ line, message }) => `line ${line}: ${message}`) };
}
