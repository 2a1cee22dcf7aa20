import type { Diagnostic } from '../../core/diagnostics.ts';
import type { Json } from '../../skill/types.ts';
import type { Capabilities, FileDigests, Limits, RuntimeName } from '../policy/types.ts';

export type JsonSchema = { readonly [key: string]: Json };

/** One slot of a command: fixed words, and at most one parameter. Becomes one argument, several for a list, or none. */
export interface Slot {
  readonly before: string;
  /** The name of a parameter; null for a slot of fixed words. */
  readonly parameter: string | null;
  readonly after: string;
  /** The flag that goes with the value, and goes away with it: `--output` in `--output {file}`. */
  readonly flag: string | null;
  /** Whether a value may be mistaken for an option here: false after `--`, and where fixed words stand before it. */
  readonly positional: boolean;
  /** A switch: the fixed words are there where the value is true, and the value itself never is. */
  readonly isSwitch?: true;
  /** The flag stands alone where the value is `true`, and is away where it is `false`. */
  readonly orSwitch?: true;
  /** Words in the place of the flag and the value, separated by blanks, by the value. */
  readonly spellings?: Readonly<Record<string, string>>;
  /** Ends of the items in a text that stands for a list: its commas, or those of the words of a command. */
  readonly parts?: 'commas' | 'words';
  /** The program takes seconds since 1970, and the value is these, `now`, or a time before now: `-1h`. */
  readonly isTime?: true;
  /** Values that go behind this one, into the same argument. */
  readonly more?: readonly { readonly before: string; readonly parameter: string }[];
  /** The fixed words are the path of a file of the skill, from the skill's folder. */
  readonly isFile?: true;
}

/** The work that is started for a call. */
export type Work =
  | { readonly kind: 'command'; readonly command: readonly Slot[] }
  /** A file of the skill, run by its interpreter; the parameters are `args` and `stdin`. */
  | { readonly kind: 'script'; readonly file: string; readonly interpreter: readonly string[] }
  /** A WebAssembly core module of the skill: arguments in, output out. */
  | { readonly kind: 'module'; readonly file: string; readonly command: readonly Slot[] }
  /** A function of a WebAssembly component: parameters in and output out as JSON. */
  | { readonly kind: 'component'; readonly file: string }
  | { readonly kind: 'container'; readonly image: string; readonly command: readonly Slot[] };

export interface SkillTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema of type object. */
  readonly parameters: JsonSchema;
  readonly work: Work;
  /** The parameter whose value goes to standard input; null for none. */
  readonly stdin: string | null;
  readonly output: 'text' | 'json';
  /** The capabilities that the tool asks for: the skill's, or less. */
  readonly capabilities: Capabilities;
  readonly limits: Partial<Limits>;
  /** The folder where it runs: the skill's, or the scratch folder. */
  readonly folder: 'skill' | 'scratch';
  /** Whether the author says that it changes nothing. */
  readonly readOnly: boolean;
  /** Whether the author says that running it twice does no more than running it once. */
  readonly idempotent: boolean;
  /** Labels that a worker must have to run it. */
  readonly labels: readonly string[];
}

/** One way to run a skill, with settings of its own. */
export interface Instance {
  readonly description: string;
  /** Plain values for the environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly capabilities: Capabilities;
}

export const toolSources = [
  'skill.toml',
  'manifest.toml',
  'project manifest',
  'SKILL.md',
  'component',
  'module',
  'scripts',
  'none',
] as const;

/** All tools of a skill, wherever they were declared. */
export interface Toolbox {
  readonly runtime: RuntimeName | 'none';
  /** The source in which the tools were found. */
  readonly source: (typeof toolSources)[number];
  /** The file that declares them; null where none does. */
  readonly file: string | null;
  readonly version: string | null;
  readonly tools: readonly SkillTool[];
  /** The capabilities that the skill as a whole asks for. */
  readonly capabilities: Capabilities;
  readonly limits: Partial<Limits>;
  readonly instances: Readonly<Record<string, Instance>>;
  /** Plain values for the environment of every tool. */
  readonly env: Readonly<Record<string, string>>;
  /** Files outside the skill that had a say in this, with the digests of what they said: a grant is for that, too. */
  readonly outside: FileDigests;
  /** Problems that were found; with an error among them there are no tools. */
  readonly problems: readonly Diagnostic[];
}
