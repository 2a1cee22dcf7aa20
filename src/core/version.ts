import manifest from '../../package.json' with { type: 'json' };

export function version(): string {
  return manifest.version;
}

/** The versions of Node that the program runs on. */
export function nodeVersions(): string {
  return manifest.engines.node;
}
