import { plainPath } from './places.ts';
import { has, type Source, type Value } from './value.ts';

/** The languages that are read. `loose` is everything for which there is no parser. */
export type Language = 'shell' | 'python' | 'javascript' | 'loose';

/** A piece of a program: a script, a block of a document, or what was hidden inside another piece. */
export interface Unit {
  readonly language: Language;
  readonly text: string;
  /** The line of the file on which it begins. */
  readonly line: number;
  /** The encodings that had to be undone to see it. */
  readonly layers: readonly string[];
  /** Whether it is run as it stands; a document only shows it, and may warn of it. */
  readonly isScript: boolean;
}

/** Something a piece of code evidently does. */
export interface Act {
  readonly kind: ActKind;
  /** The address, path or program; where code is run, its text. */
  readonly target: Value;
  /** The origin of what is sent, written or run. */
  readonly payload: readonly Source[];
  /** The text that is written, as far as it is known. */
  readonly content?: string;
  /** The command or function that does it. */
  readonly by: string;
  readonly line: number;
  readonly layers: readonly string[];
  readonly isScript: boolean;
}

export type ActKind = 'fetch' | 'send' | 'run' | 'command' | 'read' | 'write' | 'delete' | 'connect' | 'open';

const most = { acts: 4000, units: 400, depth: 7 };

/** Collects what pieces of code do, with what one of them leaves for the others: files, and pieces inside pieces. */
export class Trace {
  readonly acts: Act[] = [];
  readonly waiting: Unit[] = [];
  /** The origin of files that were written, by path. */
  readonly written: Map<string, Value>;
  private readonly seen = new Set<string>();
  private units = 0;
  private readonly left: ReadonlyMap<string, Value>;

  /** Files that other scripts of the skill have left are known from the start. */
  constructor(left: ReadonlyMap<string, Value> = new Map()) {
    this.left = left;
    this.written = new Map(left);
  }

  /** The content of a file that was written, or lies in a folder that was brought as a whole. */
  fileAt(path: string): Value | undefined {
    if (this.written.size === 0) return undefined;
    const plain = plainPath(path).replace(/^\.\//, '');
    const own = this.written.get(plain);
    if (own !== undefined) return own;
    for (let end = plain.lastIndexOf('/'); end > 0; end = plain.lastIndexOf('/', end - 1)) {
      const folder = this.written.get(plain.slice(0, end));
      if (folder !== undefined && has(folder, 'network')) return folder;
    }
    const [named] = this.left.size === 0 ? [] : [...this.left].filter(([one]) => nameOf(one) === nameOf(plain));
    return named?.[1];
  }

  /** The content of a module that was written before from elsewhere, by the name that it is imported by or its path. */
  moduleAt(name: string): Value | undefined {
    if (this.written.size === 0 || name === '') return undefined;
    const [plain] = [name.replace(/^file:\/\//, ''), name.split('.')[0] ?? ''];
    const found = [...this.written].find(
      ([path]) =>
        path === plain ||
        (/^[\w-]{3,}$/.test(name) &&
          /^(?:py|js|mjs|cjs)$/.test(path.slice(path.lastIndexOf('.') + 1)) &&
          nameOf(path).startsWith(`${name}.`)),
    )?.[1];
    return found !== undefined && (has(found, 'network') || has(found, 'decoded')) ? found : undefined;
  }

  /** Notes what a file holds, for who reads or runs it later. */
  wrote(path: string, content: Value): void {
    this.written.set(plainPath(path).replace(/^\.\//, ''), content);
  }

  add(unit: Unit, kind: ActKind, line: number, act: Pick<Act, 'target' | 'by'> & Partial<Act>): void {
    if (this.acts.length >= most.acts) return;
    const { layers, isScript } = unit;
    this.acts.push({ payload: [], ...act, kind, line, layers, isScript });
  }

  /** Has a piece looked at that was found inside another one. */
  inside(outer: Unit, language: Language, value: Value, line: number): void {
    const added = value.from.filter(({ kind }) => kind === 'decoded').map(({ what }) => what);
    const layers = [...outer.layers, ...added];
    const key = `${language}\n${value.text}`;
    if (value.text.trim().length < 3 || layers.length > most.depth || this.seen.has(key)) return;
    if (++this.units > most.units || outer.text === value.text) return;
    this.seen.add(key);
    this.waiting.push({ language, text: value.text, line, layers, isScript: outer.isScript });
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
