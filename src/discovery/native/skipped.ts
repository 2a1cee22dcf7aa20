import { dirname } from 'node:path';
import type { Diagnostic, DiagnosticCode } from '../../core/diagnostics.ts';
import { addTo } from '../../core/groups.ts';
import type { Scan } from '../scan.ts';
import type { NativeAgent, Sees } from './types.ts';

/** A SKILL.md that we do not read as a skill, and how an agent treats it. */
export interface Skipped {
  readonly file: string;
  readonly sees: Sees;
  readonly reason: string;
  readonly remedy: string;
}

type Spared = NonNullable<NativeAgent['spares']>[number];

/** The part that a file lacks when it is skipped for one of these reasons; nobody can read the rest. */
const lacking: Partial<Record<DiagnosticCode, (message: string) => Spared | null>> = {
  'field-missing': (message) => (message.startsWith('name') ? 'name' : 'description'),
  'frontmatter-missing': () => 'front matter',
  'frontmatter-unclosed': () => 'front matter',
  'frontmatter-unreadable': () => 'front matter',
  'frontmatter-not-a-map': () => 'front matter',
  'frontmatter-language': () => null,
  'frontmatter-too-large': () => null,
  'frontmatter-too-complex': () => null,
  'text-encoding': () => null,
};

/** The agent's treatment of the files that we skip. */
export function skippedBy(
  agent: NativeAgent,
  { diagnostics }: Scan,
  isRead: (folder: string) => boolean,
): readonly Skipped[] {
  const byFile = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) {
    if (lacking[one.code] !== undefined) addTo(byFile, one.file, one);
  }
  return [...byFile].map(([file, notes]) => {
    const { message, remedy } = notes[0] as Diagnostic;
    const verdict = isRead(dirname(file)) ? judge(agent, notes) : unread(agent);
    return { file, ...verdict, remedy: `${message}. ${remedy}` };
  });
}

type Verdict = Pick<Skipped, 'sees' | 'reason'>;

function unread({ name }: NativeAgent): Verdict {
  return { sees: 'no', reason: `${name} does not read this folder` };
}

function judge(agent: NativeAgent, notes: readonly Diagnostic[]): Verdict {
  const lacks = notes.map(({ code, message }) => lacking[code]?.(message) ?? null);
  if (lacks.includes(null)) return { sees: 'unknown', reason: `what ${agent.name} makes of it is not known` };
  const without = `without its ${lacks.join(' and ')}`;
  if (agent.spares === null) return { sees: 'unknown', reason: `${agent.name} may not load it ${without}` };
  const isSpared = lacks.every((one) => one !== null && agent.spares?.includes(one));
  return isSpared
    ? { sees: 'yes', reason: `${agent.name} reads it ${without}` }
    : { sees: 'no', reason: `${agent.name} does not offer it ${without}` };
}
