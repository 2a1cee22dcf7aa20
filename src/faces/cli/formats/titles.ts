import type { DiagnosticCode } from '../../../core/diagnostics.ts';

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
