import { relative, sep } from 'node:path';
import type { Diagnostic, DiagnosticCode, Severity } from '../../../core/diagnostics.ts';
import { isInside } from '../../../core/disk/paths.ts';
import { printable } from '../../../core/text/text.ts';

const commandFor: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/** Formats findings as workflow commands, which GitHub shows beside the lines they are about. */
export function githubLines(findings: readonly Diagnostic[], cwd: string): string[] {
  return findings.map(({ severity, code, message, remedy, ...place }) =>
    workflowLine(
      { ...place, command: commandFor[severity], title: titleOf(code), text: `${message}. ${remedy} (${code})` },
      cwd,
    ),
  );
}

/** One finding of any kind, as a workflow command has it. */
interface Annotation {
  readonly command: string;
  readonly file: string;
  readonly line: number | null;
  readonly column: number | null;
  readonly title: string;
  readonly text: string;
}

export function workflowLine({ command, file, line, column, title, text }: Annotation, cwd: string): string {
  const properties = [
    `file=${property(pathFrom(cwd, file))}`,
    ...(line === null ? [] : [`line=${line}`]),
    ...(column === null ? [] : [`col=${column}`]),
    `title=${property(title)}`,
  ];
  return `::${command} ${properties.join(',')}::${data(text)}`;
}

/** The path with slashes, relative to the working directory where it lies below it. */
export function pathFrom(cwd: string, file: string): string {
  const path = isInside(cwd, file) ? relative(cwd, file) || '.' : file;
  return path.replaceAll(sep, '/');
}

/**
 * Escapes data of a workflow command: the runner ends one at a line end, and decodes these three escapes and no others.
 */
function data(text: string): string {
  return printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Short titles of all diagnostic codes that a check may give. */
export const titles = {
  'root-unreadable': 'Folder cannot be opened',
  'folder-unreadable': 'Folder cannot be opened',
  'file-unreadable': 'SKILL.md cannot be read',
  'file-not-regular': 'SKILL.md is not a regular file',
  'file-too-large': 'SKILL.md is too large',
  'file-unwritable': 'SKILL.md cannot be fixed',
  'link-outside': 'Link leads outside',
  'link-dangling': 'Link leads nowhere',
  'walk-limit': 'Too many folders',
  'skill-missing': 'No SKILL.md',
  'text-encoding': 'Not UTF-8 text',
  'text-hidden': 'Characters that cannot be seen',
  'frontmatter-missing': 'No front matter',
  'frontmatter-unclosed': 'Front matter is never closed',
  'frontmatter-language': 'Front matter is not YAML',
  'frontmatter-too-large': 'Front matter is too large',
  'frontmatter-too-complex': 'Front matter is too complex',
  'frontmatter-not-a-map': 'Front matter has no fields',
  'rule-frontmatter': 'Front matter must start the file, with a line ---',
  'rule-yaml': 'Front matter must be strict YAML',
  'rule-name': 'name must be 1-64 lower-case letters, digits and single hyphens',
  'rule-name-folder': 'name must be that of the folder',
  'rule-description': 'description must be a string of 1-1024 characters',
  'rule-license': 'license must be a string',
  'rule-compatibility': 'compatibility must be a string of 1-500 characters',
  'rule-metadata': 'metadata must be a map of strings',
  'rule-allowed-tools': 'allowed-tools must be one string, separated by spaces',
  'rule-unknown-field': 'Only the six fields of the format are allowed',
  'rule-file-name': 'The file must be called SKILL.md',
  'rule-body': 'The body should be short',
  'rule-reference': 'Links must lead to files of the skill',
  'rule-encoding': 'No byte order mark',
} as const satisfies Partial<Record<DiagnosticCode, string>>;

/** The title of a code; the code itself where there is none. */
export function titleOf(code: DiagnosticCode): string {
  return Object.hasOwn(titles, code) ? titles[code as keyof typeof titles] : code;
}
