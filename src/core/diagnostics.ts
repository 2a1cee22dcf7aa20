import { choice, count, type Infer, named, nullable, object, text } from './schema/schema.ts';

/**
 * The severity of a diagnostic. Diagnostics are data: what was noticed, where, and what to do about it. A scan never
 * throws because of one skill; it returns these beside the skills.
 *
 * `error`: something is missing from the catalogue because of it. `warning`: it is there, but not quite as written, or
 * something near it was ignored. `info`: a fact worth knowing.
 */
export type Severity = 'error' | 'warning' | 'info';

const severities = {
  'config-invalid': 'error',
  'project-not-owned': 'warning',
  'root-missing': 'warning',
  'root-unreadable': 'warning',
  'folder-unreadable': 'warning',
  'folder-vanished': 'info',
  'file-unreadable': 'error',
  'file-not-regular': 'error',
  'file-too-large': 'error',
  'file-unwritable': 'warning',
  'link-outside': 'warning',
  'link-dangling': 'warning',
  'walk-limit': 'warning',
  'source-remote': 'info',
  'image-alone': 'warning',
  'cluster-lost': 'warning',
  'catalogue-refused': 'warning',
  'text-encoding': 'error',
  'text-invalid-utf8': 'warning',
  'text-hidden': 'warning',
  'frontmatter-missing': 'error',
  'frontmatter-unclosed': 'error',
  'frontmatter-language': 'error',
  'frontmatter-too-large': 'error',
  'frontmatter-too-complex': 'error',
  'frontmatter-unreadable': 'error',
  'frontmatter-not-a-map': 'error',
  'frontmatter-repaired': 'warning',
  'frontmatter-not-first': 'warning',
  'field-missing': 'error',
  'field-converted': 'warning',
  'field-duplicate': 'warning',
  'name-unsafe': 'warning',
  'name-taken': 'warning',
  'looks-like': 'warning',
  quarantined: 'error',
  shadowed: 'info',
  ambiguous: 'warning',
  'filter-no-match': 'warning',
  'skill-disabled': 'info',
  'client-limit': 'info',
  'extension-excluded': 'info',
  'plugin-file-invalid': 'warning',
  'plugin-manifest-invalid': 'warning',
  'plugin-missing': 'warning',
  'plugin-path-outside': 'warning',
  'plugin-disabled': 'info',
  'plugin-other-project': 'info',
  'manifest-invalid': 'error',
  'manifest-key': 'error',
  'manifest-ignored': 'warning',
  'tool-empty': 'warning',
  'component-unusable': 'error',
  'cache-discarded': 'info',
  'cache-unwritable': 'info',
  'skill-missing': 'error',
  'rule-frontmatter': 'error',
  'rule-yaml': 'error',
  'rule-name': 'error',
  'rule-name-folder': 'error',
  'rule-description': 'error',
  'rule-license': 'error',
  'rule-compatibility': 'error',
  'rule-metadata': 'error',
  'rule-allowed-tools': 'error',
  'rule-unknown-field': 'error',
  'rule-file-name': 'error',
  'rule-body': 'warning',
  'rule-reference': 'warning',
  'rule-encoding': 'warning',
} as const satisfies Record<string, Severity>;

export type DiagnosticCode = keyof typeof severities;

/** Every code we may emit, for documentation and for formats that list their rules. */
export const diagnosticCodes = Object.keys(severities) as readonly DiagnosticCode[];

export const diagnosticSchema = named(
  'Diagnostic',
  object({
    code: choice(diagnosticCodes),
    severity: choice<Severity>(['error', 'warning', 'info']),
    file: text('The file or folder it is about.'),
    line: nullable(count(), 'From 1.'),
    column: nullable(count(), 'From 1.'),
    message: text(),
    remedy: text('What to do about it.'),
  }),
);
export type Diagnostic = Infer<typeof diagnosticSchema>;

export interface Position {
  readonly line: number;
  readonly column: number;
}

export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

/**
 * The position in its file that a diagnostic points at, as editors understand it: `:3:14`, or nothing for the whole
 * file.
 */
export function positionOf({ line, column }: Pick<Diagnostic, 'line' | 'column'>): string {
  return line === null ? '' : `:${line}:${column ?? 1}`;
}

/** Builds a diagnostic; its severity comes from the table above, so that one code always weighs the same. */
export function diagnostic(
  code: DiagnosticCode,
  file: string,
  message: string,
  remedy: string,
  at?: Position,
): Diagnostic {
  return {
    code,
    severity: severities[code],
    file,
    line: at?.line ?? null,
    column: at?.column ?? null,
    message,
    remedy,
  };
}

export function severityOf(code: DiagnosticCode): Severity {
  return severities[code];
}
