import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, variable } from '../../kernel/environment.ts';
import { reasonOf } from '../../kernel/errors.ts';
import { sessionDir } from '../../kernel/paths.ts';

/** Where the engine listens, or why it is not spoken to. */
export type Place =
  | { readonly socket: string }
  | { readonly socket: null; readonly reason: string; readonly remedy: string };

const install =
  'Install Docker or Podman and start it (`systemctl enable --now docker`, or `systemctl --user enable --now podman.socket`).';

/** The variables that name an engine, the one that counts first. */
const variables = ['DOCKER_HOST', 'CONTAINER_HOST'] as const;

/** Finds the socket of the engine: the one that is named, else the first that is there. */
export function findSocket(environment: Environment): Place {
  for (const name of variables) {
    const value = variable(environment, name);
    if (value !== undefined) return namedBy(name, value);
  }
  const found = usualPlaces(environment).find((path) => problemWith(path) === null);
  if (found !== undefined) return { socket: found };
  return { socket: null, reason: 'no container engine was found on this machine', remedy: install };
}

function namedBy(name: string, value: string): Place {
  // Folders of this machine are mounted into the container: an engine elsewhere has others at the same paths.
  if (!/^unix:\/\/\/./.test(value)) {
    return {
      socket: null,
      reason: `${name} is \`${value}\`, but only an engine on this machine can be used`,
      remedy: `Set ${name} to the engine's socket, such as \`unix:///var/run/docker.sock\`, or unset it.`,
    };
  }
  const socket = value.slice('unix://'.length);
  const problem = problemWith(socket);
  if (problem === null) return { socket };
  return {
    socket: null,
    reason: `${name} names \`${socket}\`, which ${problem}`,
    remedy: `Start the engine, or unset ${name}.`,
  };
}

function usualPlaces(environment: Environment): string[] {
  const session = sessionDir(environment);
  return [
    '/var/run/docker.sock',
    ...(session === undefined ? [] : [join(session, 'docker.sock'), join(session, 'podman', 'podman.sock')]),
    '/run/podman/podman.sock',
  ];
}

function problemWith(path: string): string | null {
  try {
    return statSync(path).isSocket() ? null : 'is not a socket';
  } catch (error) {
    return `cannot be reached (${reasonOf(error)})`;
  }
}
