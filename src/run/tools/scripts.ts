import { posix, sep } from 'node:path';
import { type Diagnostic, diagnostic } from '../../core/diagnostics.ts';
import { entriesOf, isThere, readRegularPart, realPathOf } from '../../core/disk/files.ts';
import { isInside } from '../../core/disk/paths.ts';
import { addTo } from '../../core/maps.ts';
import { byText, cut } from '../../core/text/text.ts';
import { interpreterOf } from './code/interpreters.ts';
import { fileOf } from './skill-files.ts';

/** A script of a skill that can be run. */
export interface Script {
  readonly name: string;
  /** The path from the skill's folder. */
  readonly file: string;
  readonly interpreter: readonly string[];
  readonly description: string;
}

interface Scripts {
  readonly scripts: readonly Script[];
  readonly problems: readonly Diagnostic[];
  /** Paths that were examined: as long as these have not changed, the scripts are the same. */
  readonly looked: readonly string[];
}

const folderName = 'scripts';
const most = 200;
const headBytes = 4096;

/** Files that are a part of others. */
const parts = /^(?:\.|__init__\.py$|__main__\.py$|conftest\.py$)/;

/** The scripts that lie directly in `scripts/` of a skill, whose real folder is given. */
export function scriptsOf(folder: string): Scripts {
  const place = folder + sep + folderName;
  const real = realPathOf(place);
  if (!real.ok) return { scripts: [], problems: [], looked: [] };
  if (!isInside(folder, real.value)) {
    const problem = diagnostic(
      'link-outside',
      place,
      'scripts/ is a link that leads out of the skill',
      'Copy the folder.',
    );
    return { scripts: [], problems: [problem], looked: [] };
  }
  const entries = entriesOf(place);
  if (!entries.ok) return { scripts: [], problems: [], looked: [place] };
  const names = entries.value
    .filter((entry) => !entry.isDirectory() && !parts.test(entry.name))
    .map(({ name }) => name)
    .sort(byText);
  const scripts: Script[] = [];
  const problems: Diagnostic[] = [];
  const looked = [place];
  for (const name of names) {
    if (scripts.length >= most) {
      const message = `more than ${most} scripts: the others are not offered as tools`;
      problems.push(diagnostic('tool-empty', place, message, 'Declare the tools that matter in skill.toml.'));
      break;
    }
    // One that is no script may become one without a trace in its folder, by a mode or by another first line.
    if (isThere(place + sep + name)) looked.push(place + sep + name);
    const found = scriptOf(folder, name);
    if (found === null) continue;
    if ('code' in found) problems.push(found);
    else scripts.push(found);
  }
  return { scripts: distinct(scripts), problems, looked };
}

function scriptOf(folder: string, name: string): Script | Diagnostic | null {
  const file = `${folderName}/${name}`;
  const real = fileOf(folder, file);
  if (!real.ok) {
    const isOut = 'kind' in real && real.kind === 'outside';
    return isOut ? diagnostic('link-outside', folder + sep + file, real.message, real.remedy) : null;
  }
  const head = readRegularPart(real.value, 0, headBytes);
  if (!head.ok) return null;
  const interpreter = interpreterOf(name, head.value.bytes);
  if (interpreter === null || (interpreter.length === 0 && (head.value.stats.mode & 0o111) === 0)) return null;
  const said = interpreter.length === 0 ? null : leadingComment(head.value.bytes.toString('utf8'), name);
  return { name: toolName(name), file, interpreter, description: said ?? `Runs ${file}.` };
}

/** The name of a file without its extension, as a tool may be called. */
function toolName(file: string): string {
  return safeName(posix.basename(file, posix.extname(file)));
}

function safeName(name: string): string {
  const safe = name.replace(/[^\p{L}\p{N}_.-]+/gu, '-').replace(/^[-.]+|[-.]+$/g, '');
  return (safe === '' ? 'script' : safe).slice(0, 64);
}

/**
 * Makes names distinct: scripts whose names differ in their extensions alone keep them; names that are still the same
 * are numbered.
 */
function distinct(scripts: readonly Script[]): readonly Script[] {
  const named = renamed(scripts, (script) => safeName(posix.basename(script.file)));
  let number = 1;
  return renamed(named, (script) => `${script.name.slice(0, 60)}-${++number}`);
}

function renamed(scripts: readonly Script[], rename: (script: Script) => string): readonly Script[] {
  const groups = new Map<string, Script[]>();
  for (const script of scripts) addTo(groups, script.name, script);
  return scripts.map((script) =>
    (groups.get(script.name)?.length ?? 0) > 1 ? { ...script, name: rename(script) } : script,
  );
}

const longestDescription = 300;

/** Forms of a text at the top of a file in different languages, after the lines that machines read. */
const blocks: readonly RegExp[] = [
  /^[rRuU]?"""([\s\S]*?)(?:"""|$)/,
  /^[rRuU]?'''([\s\S]*?)(?:'''|$)/,
  /^\/\*+([\s\S]*?)(?:\*\/|$)/,
  /^<#([\s\S]*?)(?:#>|$)/,
  /^--\[\[([\s\S]*?)(?:\]\]|$)/,
  /^=begin([\s\S]*?)(?:=end|$)/,
  /^((?:[ \t]*#(?!!|region).*\n?)+)/,
  /^((?:[ \t]*\/\/.*\n?)+)/,
  /^((?:[ \t]*--.*\n?)+)/,
];

/** Lines before the text, or in it, that are not for readers. */
const skipped = /^(?:#!.*|<\?php|'use strict';|"use strict";|set -\S+.*|)$/;
const noise =
  /^(?:-\*-.*|vim?:.*|coding[:=].*|eslint.*|prettier.*|shellcheck .*|pylint.*|type: .*|ts-.*|@ts-.*|copyright.*|\(c\).*|spdx.*|licen[cs]ed? .*|all rights.*|\/\/\/.*|[=\-*#~_\s]*|\.synopsis|\.description|@file.*)$/i;

/** The first sentence that a script says of itself at its top; null where it says nothing. */
function leadingComment(head: string, fileName: string): string | null {
  const text = head.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const lines = text.split('\n');
  const start = lines.findIndex((line) => !skipped.test(line.trim()) && !isNoise(line));
  const rest = start === -1 ? '' : lines.slice(start).join('\n').trimStart();
  for (const block of blocks) {
    const found = block.exec(rest)?.[1];
    if (found !== undefined) return firstSentence(found, fileName);
  }
  return null;
}

/** Whether a comment is only for machines. */
function isNoise(line: string): boolean {
  const [, comment] = /^\s*(?:#|\/\/|--)\s?(.*)$/.exec(line) ?? [];
  return comment !== undefined && noise.test(comment.trim());
}

function firstSentence(block: string, fileName: string): string | null {
  const lines = block.split('\n').map((line) => line.replace(/^\s*(?:#+|\/\/+|--+|\*+)?\s?/, '').trim());
  const said = lines.map((line) => withoutName(line, fileName));
  const start = said.findIndex((line) => !noise.test(line));
  if (start === -1) return null;
  const length = said.slice(start).findIndex((line) => noise.test(line));
  const paragraph = said.slice(start, length === -1 ? undefined : start + length).join(' ');
  const sentence = /^[\s\S]*?[.!?。](?=\s|$)/.exec(paragraph)?.[0] ?? paragraph;
  return sentence.length < 3 ? null : cut(sentence, longestDescription);
}

/** Removes the name of the file from a line such as `extract.py - Takes the text out of a file.` */
function withoutName(line: string, fileName: string): string {
  if (!line.toLowerCase().startsWith(fileName.toLowerCase())) return line;
  return line.slice(fileName.length).replace(/^\s*(?:[-–—:]+\s*)?/, '');
}
