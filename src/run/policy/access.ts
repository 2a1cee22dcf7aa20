import { statOf } from '../../core/disk/files.ts';
import { SkillError } from '../../core/errors.ts';
import { readToml } from '../../core/formats/documents.ts';
import { lineOfKey } from '../../core/formats/toml-lines.ts';
import { choice, type Infer, list, object, text } from '../../core/schema/schema.ts';
import { pathText, read } from '../../core/schema/schema-reader.ts';

/** The things that can be done with a skill. What somebody may run or grant, they see. */
const rights = ['see', 'run', 'grant'] as const;
export type Right = (typeof rights)[number];

const words = list(text(undefined, { blank: false }), undefined, { default: [], single: true });

/** Skills by the tokens that `--include` takes: names, globs, providers. */
const ruleSchema = object({ subjects: words, groups: words, see: words, run: words, grant: words });
const fileSchema = object({
  grants: choice(['direct', 'four-eyes'], undefined, { default: 'direct' }),
  rules: list(ruleSchema, undefined, { default: [] }),
});

/** The rules for who sees, runs and grants which skills. */
export type AccessRules = Infer<typeof fileSchema>;

/** A person or program that a token names. */
export interface Person {
  readonly subject: string;
  readonly groups: readonly string[];
}

/** The skills that somebody may see, run and grant, as tokens: none where there are none. */
export type Rights = Readonly<Record<Right, readonly string[]>>;

/** Reads the rules. Whatever is wrong with them is an error: nobody is then let in by them. */
export async function readAccess(file: string): Promise<AccessRules> {
  const document = await readToml(file);
  if (document.kind !== 'value') {
    const why = document.kind === 'absent' ? 'it does not exist' : document.message;
    throw new SkillError('config', `the rules in ${file} cannot be read: ${why}`, {
      hint: 'Correct the file, or name another with --access-file.',
    });
  }
  const stats = statOf(file);
  if (process.platform !== 'win32' && stats.ok && (stats.value.mode & 0o002) !== 0) {
    throw new SkillError('config', `${file}: everyone can write to it`, { hint: `Run: chmod o-w ${file}` });
  }
  const reading = read(fileSchema, document.value, 'file', 1);
  if (reading.ok) return reading.value;
  const [{ path, message, remedy }] = reading.issues;
  const line = lineOfKey(document.text, path);
  const place = line === null ? file : `${file}:${line}`;
  throw new SkillError('config', `${place}: ${pathText(path)} ${message}`, { hint: remedy ?? 'Correct the file.' });
}

/** The rights of a person: those of all rules that name them or one of their groups. */
export function rightsOf({ rules }: AccessRules, { subject, groups }: Person): Rights {
  const own = rules.filter(
    (rule) => rule.subjects.includes(subject) || rule.groups.some((group) => groups.includes(group)),
  );
  const of = (right: Right): readonly string[] => [...new Set(own.flatMap((rule) => rule[right]))];
  const [run, grant] = [of('run'), of('grant')];
  return { see: [...new Set([...of('see'), ...run, ...grant])], run, grant };
}
