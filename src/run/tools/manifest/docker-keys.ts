import type { Environment } from '../../../core/environment.ts';
import { type Parsed, problem, shown } from '../../../core/schema/parsed.ts';
import { parseHost } from '../../policy/hosts.ts';
import { parseImage } from '../../policy/names.ts';
import { parsePath } from '../../policy/paths.ts';
import type { HostRule, PathRule } from '../../policy/types.ts';
import { splitWords } from '../words.ts';
import { envList } from './env.ts';
import { refuse, taken } from './findings.ts';
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

const network: Reader<readonly HostRule[]> = (place) => {
  if (place.value === 'none' || place.value === false) return [];
  if (Array.isArray(place.value)) return each(parseHost)(place);
  const message = `${shown(place.value)} would open more than the hosts that are needed`;
  return refuse(place, { message, remedy: 'Name the hosts: [capabilities] network = ["api.example.com"].' });
};

function volume(written: string, home: Pick<Environment, 'home'>): Parsed<PathRule> {
  const [source = '', target = source, mode = 'rw', ...rest] = written.split(':');
  if (rest.length > 0 || !/^[/~]/.test(source) || !/^(?:ro|rw)$/.test(mode)) {
    return problem(
      `${shown(written)} is not a folder of this machine`,
      'Write "/data:/data:ro", or filesystem = ["read:/data"].',
    );
  }
  if (source !== target) {
    return problem(
      `${shown(written)} would show a folder under another name`,
      `Folders keep their path: write "${source}:${source}".`,
    );
  }
  return parsePath(`${mode === 'ro' ? 'read' : 'write'}:${source}`, home);
}

/** Readers for the keys with which other products describe a container. */
export function dockerKeys(home: Pick<Environment, 'home'>) {
  return {
    image,
    command: wordList,
    entrypoint: forbidden(
      'the first word of the command is the program that is started',
      'Put the entry point before the words of the command.',
    ),
    volumes: each((written) => volume(written, home)),
    working_dir: choice('/skill', '/tmp'),
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
