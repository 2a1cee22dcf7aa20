import type { Environment } from '../../../core/environment.ts';
import { type Parsed, parsed, problem, shown } from '../../../core/schema/parsed.ts';
import { parseHost } from '../../policy/hosts.ts';
import { parseImage, parsePath } from '../../policy/names.ts';
import type { HostRule, PathRule } from '../../policy/types.ts';
import { filledIn } from '../references.ts';
import { splitWords } from '../words.ts';
import { envList } from './env.ts';
import { pass, refuse, taken } from './findings.ts';
import { limitKeys } from './limits.ts';
import { choice, each, forbidden, note, type Reader, text, texts, valued, withoutEffect } from './readers.ts';

export const image = valued((value) =>
  typeof value === 'string'
    ? parseImage(value)
    : problem(`${shown(value)} is not an image`, 'Write it like "alpine:3.20".'),
);

/** A command as a list of words, or as one text that is split here and now. */
export const wordList: Reader<readonly string[]> = (place) =>
  typeof place.value === 'string' ? taken(place, splitWords(place.value)) : texts(place);

const rights = 'would give the container rights over this machine';
const takeOut = 'Remove it; what a container needs is asked for in [capabilities], and granted.';
const refused = forbidden(rights, takeOut);

const nameHosts = 'Name the hosts: [capabilities] network = ["api.example.com"].';

const network: Reader<readonly HostRule[]> = (place) => {
  if (place.value === 'none' || place.value === false) return [];
  if (Array.isArray(place.value)) return each(parseHost)(place);
  // The usual network of containers reaches everything: that cannot be asked for, but the container runs without.
  if (place.value === 'bridge' && place.findings.isLenient) {
    return pass(place, 'would reach every host, and so reaches none', nameHosts);
  }
  const message = `${shown(place.value)} would open more than the hosts that are needed`;
  return refuse(place, { message, remedy: nameHosts });
};

type Machine = Pick<Environment, 'home'> & Partial<Pick<Environment, 'cwd' | 'env'>>;

/** Makes a reader of folders that the container is to see, each at its own path. */
function volumes(machine: Machine): Reader<readonly PathRule[]> {
  return (place) =>
    each((written) => {
      const filled = filledIn(written, (name) => (name === 'PWD' ? machine.cwd : machine.env?.[name]));
      if (filled === null)
        return problem(`${shown(written)}: a variable is not set`, 'Set it, or write the path itself.');
      const read = volume(place.findings.isLenient ? filled : written, machine, place.findings.isLenient);
      if (read.ok && read.value.moved !== null) {
        const { path, moved } = read.value;
        pass(place, `shows ${path} at its own path, and not as ${moved}`, `Give paths below ${path} to the tool.`);
      }
      return read.ok ? parsed(read.value.rule) : read;
    })(place);
}

function volume(
  written: string,
  home: Machine,
  isLenient: boolean,
): Parsed<{ readonly rule: PathRule; readonly path: string; readonly moved: string | null }> {
  const [source = '', target = source, mode = 'rw', ...rest] = written.split(':');
  if (rest.length > 0 || !/^[/~]/.test(source) || !/^(?:ro|rw)$/.test(mode)) {
    return problem(
      `${shown(written)} is not a folder of this machine`,
      'Write "/data:/data:ro", or filesystem = ["read:/data"].',
    );
  }
  if (source !== target && !isLenient) {
    return problem(
      `${shown(written)} would show a folder under another name`,
      `Folders keep their path: write "${source}:${source}".`,
    );
  }
  const rule = parsePath(`${mode === 'ro' ? 'read' : 'write'}:${source}`, home);
  return rule.ok ? parsed({ rule: rule.value, path: source, moved: source === target ? null : target }) : rule;
}

const folders: Readonly<Record<string, 'skill' | 'scratch'>> = { '/skill': 'skill', '/tmp': 'scratch' };
const knownFolder = choice('/skill', '/tmp');

/** The folder where tools run. Another product's may be any; those of the machine keep their paths here. */
const workingDir: Reader<'skill' | 'scratch'> = (place) => {
  const known = typeof place.value === 'string' ? folders[place.value] : undefined;
  if (known !== undefined) return known;
  if (!place.findings.isLenient) return folders[knownFolder(place) ?? ''];
  return pass(place, 'has no effect: tools run in the folder of the skill', 'Give the tool whole paths.');
};

/** Readers for the keys with which other products describe a container. */
export function dockerKeys(machine: Machine) {
  return {
    image,
    command: wordList,
    entrypoint: wordList,
    volumes: volumes(machine),
    working_dir: workingDir,
    environment: envList,
    env: envList,
    network,
    rm: note,
    user: withoutEffect('has no effect: containers run as a user without rights'),
    read_only: withoutEffect('has no effect: what the image holds is always read-only'),
    platform: withoutEffect('has no effect: the engine chooses the platform'),
    cap_drop: note,
    pull: note,
    gpus: refused,
    extra_args: refused,
    privileged: refused,
    cap_add: refused,
    security_opt: refused,
    devices: refused,
    ports: refused,
    pid: refused,
    ipc: refused,
    userns: refused,
    hostname: withoutEffect('has no effect'),
    description: text,
    ...limitKeys,
  };
}
