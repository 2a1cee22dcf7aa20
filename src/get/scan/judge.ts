import { entriesIn } from './archived.ts';
import { isReadable } from './code/decode.ts';
import { lineCounter } from './code/lines.ts';
import { readCode } from './code/read.ts';
import type { Act, Trace, Unit } from './code/unit.ts';
import type { Value } from './code/value.ts';
import { type Document, documentOf } from './document.ts';
import { fileOf, type ScannedFile } from './file.ts';
import { layersIn, plainly, respelled } from './layers.ts';
import { judgeActs } from './rules/acts.ts';
import { judgeFile, judgeObfuscation, judgeSecrets } from './rules/files.ts';
import { judgeIntentions } from './rules/intent.ts';
import { declarationsIn } from './rules/manifest.ts';
import { judgeLinks, judgeProse } from './rules/prose.ts';
import type { Hit } from './rules/table.ts';

/** The outcome for one file. */
export interface Judged {
  readonly hits: readonly Hit[];
  readonly acts: readonly Act[];
  /** The files that it writes, where what it writes comes from elsewhere: another script may run them. */
  readonly left: ReadonlyMap<string, Value>;
}

/** The surroundings of a file: what is known beside it. */
export interface Around {
  /** Names of the other skills that there are. */
  readonly others?: readonly string[] | undefined;
  /** Files that other scripts of the skill have written. */
  readonly left?: ReadonlyMap<string, Value>;
}

const nothingLeft: ReadonlyMap<string, Value> = new Map();

/** Judges one file by all rules: as the file that it is, by its words, and by its code, after all layers are undone. */
export async function judge(file: ScannedFile, { others = [], left = nothingLeft }: Around = {}): Promise<Judged> {
  const { text, kind, language } = file;
  const lineAt = lineCounter(text, 1);
  const hits: Hit[] = [...judgeFile(file)];
  if (kind === 'binary') return { hits: [...hits, ...(await archiveHits(file))], acts: [], left };
  const document = kind === 'script' ? scriptAsDocument(text) : documentOf(text);
  const declared = declarationsIn(file, others);
  const code = commandsOf(file);
  const whole: Unit[] = language === null ? [] : [{ language, text: code, line: 1, layers: [], isScript: true }];
  const hidden = layersIn(text);
  const shown = kind === 'document' ? document.units : [];
  // Nobody encodes what is meant to be read: what comes out of a layer counts as if it were run.
  const layered = hidden
    .filter(({ text: inner }) => isReadable(inner))
    .map(
      (one): Unit => ({
        language: languageOf(one.text),
        text: one.text,
        line: lineAt(one.offset),
        layers: one.layers,
        isScript: kind === 'script' || !document.isWarning(lineAt(one.offset) - 1),
      }),
    );
  const trace = await readCode([...whole, ...shown, ...declared.units, ...layered], left);
  hits.push(...declared.hits, ...lowered(judgeActs(trace), document));
  hits.push(...judgeSecrets(text, lineAt, document.isWarning), ...judgeObfuscation(file, lineAt));
  const said = [...judgeProse(document, kind === 'script' ? asCode : inWords(document))];
  hits.push(...(kind === 'data' ? meant(said) : said));
  if (kind === 'document') hits.push(...judgeLinks(document), ...judgeIntentions(document));
  for (const one of hidden) {
    const inner = documentOf(one.text);
    const line = lineAt(one.offset);
    for (const hit of judgeProse(inner, inWords(inner)))
      hits.push({ ...hit, line, layers: one.layers, isShown: document.isWarning(line - 1) });
  }
  return { hits: merged(hits), acts: trace.acts, left: leftBy(trace) };
}

/** The files that a script leaves for others, with their names alone too: where they lie is often worked out when it runs. */
function leftBy({ written }: Trace): ReadonlyMap<string, Value> {
  const found = [...written].filter(
    ([path, { from }]) =>
      !path.startsWith('/dev/') && from.some(({ kind }) => kind === 'network' || kind === 'decoded'),
  );
  return new Map(found.slice(0, 50));
}

/** In data, all texts are in quotes: what breaks two rules at once is meant all the same. */
function* meant(hits: readonly Hit[]): Generator<Hit> {
  for (const hit of hits) {
    const isTwofold = hits.some(({ rule, line }) => line === hit.line && rule !== hit.rule);
    yield isTwofold && hit.isShown === true && hit.severity === undefined ? { ...hit, isShown: false } : hit;
  }
}

/** The findings in an archive, whose files are judged like any others. */
async function archiveHits({ path, bytes }: ScannedFile): Promise<Hit[]> {
  const hits: Hit[] = [];
  for (const entry of entriesIn(bytes)) {
    if (entry.isEncrypted) {
      hits.push({ rule: 'archive', line: null, found: 'an archive with a password', severity: 'high' });
      break;
    }
    if (entry.bytes === null || /\.(?:zip|tar|t?gz)$/i.test(entry.path)) continue;
    const inner = await judge(fileOf(entry.path, entry.bytes, false));
    hits.push(...inner.hits.map((hit) => ({ ...hit, line: null, found: `${entry.path} in ${path}: ${hit.found}` })));
  }
  return merged(hits);
}

/** The code of a file in the language that it is read in. */
function commandsOf({ path, text }: ScannedFile): string {
  if (/(?:^|\/)(?:dockerfile|containerfile)(?:\.[\w-]+)?$|\.dockerfile$/i.test(path)) return containerCommands(text);
  return /(?:^|\/)(?:gnu)?makefile$|\.mk$/i.test(path) ? makeCommands(text) : text;
}

/** The commands of a Makefile, each on its own line, with its variables as those of a shell. */
function makeCommands(text: string): string {
  let target = '';
  const included: string[] = [];
  return (
    text
      .split('\n')
      .map((line) => {
        target = /^([\w./-]{1,200})\s*:(?!=)/.exec(line)?.[1] ?? target;
        const [, other] = /^[-s]?include\s+(\S{1,200})/.exec(line) ?? [];
        if (other !== undefined) included.push(`. ${other}`);
        if (other !== undefined) return '';
        const [, name, value = ''] = /^(?:export\s+|override\s+)?(\w+)\s*(?::{1,3}|\?|\+)?=\s*(.*)$/.exec(line) ?? [];
        const command =
          name === undefined
            ? line.replace(/^\t\s*[@+-]*|^[\w./%$() -]+:(?!=)[^;]*(?:;|$)/, '')
            : `${name}="${value.replaceAll('"', "'")}"`;
        return command
          .replace(/\$\(shell\s+/g, '$(')
          .replace(/\$\((\w+)\)/g, '$' + '{$1}')
          .replaceAll('$@', target)
          .replaceAll('$$', '$');
      })
      // Make reads files that it includes again when its rules have made them.
      .concat(included)
      .join('\n')
  );
}

/** Lowers what a document shows where it warns of it. */
function* lowered(hits: Iterable<Hit>, { isWarning }: Document): Generator<Hit> {
  for (const hit of hits) {
    const isWarned = hit.isShown === true && hit.line !== null && isWarning(hit.line - 1);
    yield isWarned ? { ...hit, severity: 'low' } : hit;
  }
}

/** The commands of a Dockerfile, each on its own line. */
function containerCommands(text: string): string {
  const instruction = /^\s*(?:ONBUILD\s+)?(?:RUN|CMD|ENTRYPOINT|HEALTHCHECK\s+CMD)\s+(?:--\S+\s+)*/i;
  let isCommand = false;
  return text
    .split('\n')
    .map((line, at, lines) => {
      const [, url, target] = /^\s*ADD\s+(?:--\S+\s+)*(https?:\/\/\S+)\s+(\S+)/i.exec(line) ?? [];
      if (url !== undefined) return `curl -o '${target}' '${url}'`;
      isCommand = instruction.test(line) || (isCommand && /\\\s*$/.test(lines[at - 1] ?? ''));
      return isCommand ? line.replace(instruction, '') : '';
    })
    .join('\n');
}

function languageOf(text: string): Unit['language'] {
  if (/^[ \t]*(?:import \w|from \w+ import|def \w+\(|exec\()/m.test(text)) return 'python';
  if (/\b(?:require\(|const \w+\s*=|function\s*\(|=>|var \w+\s*=)/.test(text)) return 'javascript';
  return /\$\w+\s*=\s*New-Object|Invoke-|\biex\b/i.test(text) ? 'loose' : 'shell';
}

/** A script has words too, in comments and texts; but it is no document, and warns of nothing. */
function scriptAsDocument(text: string): Document {
  return { units: [], lines: text.split('\n'), isWarning: () => false, isExplained: () => false, isCode: () => true };
}

const none: readonly string[] = [];

/** The comments of a script, and the texts that it prints for whoever runs it: models read both. */
function asCode(line: string): readonly string[] {
  return /^\s*(?:#|\/\/|\*|"""|<!--|echo\s|print)|(?:^|\s)(?:#|\/\/)\s|['"][^'"]{30,}['"]/.test(line)
    ? [line.replace(/^\s*(?:#+|\/\/|\*|echo|printf?|print\()\s*["']?/, '')]
    : none;
}

/** A line, with the next one where the sentence goes on there, and as a model reads it. */
function inWords({ lines, isCode }: Document): (line: string, at: number) => readonly string[] {
  return (line, at) => {
    const next = lines[at + 1];
    const goesOn =
      next !== undefined && line.length > 30 && !/[.!?:|]\s*$/.test(line) && /^\s*[a-z`"'(]/i.test(next) && !isCode(at);
    const whole = goesOn ? `${line} ${next.trim()}` : line;
    const other = respelled(whole);
    const readings = /^[\u0000-\u007f]*$/.test(whole) ? [whole] : [...new Set([whole, plainly(whole)])];
    return other === null ? readings : [...readings, other];
  };
}

/** Hits of one rule on one line, once. */
function merged(hits: readonly Hit[]): Hit[] {
  const found = new Map<string, Hit>();
  for (const hit of hits) {
    const key = `${hit.rule} ${hit.line}`;
    const before = found.get(key);
    if (
      before === undefined ||
      (before.layers?.length ?? 0) < (hit.layers?.length ?? 0) ||
      (before.isShown === true && hit.isShown !== true)
    )
      found.set(key, hit);
  }
  return [...found.values()];
}
