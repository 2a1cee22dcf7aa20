import { cluster, lock, remote, token } from './answers.ts';
import { config, manifest, plugins, skillMd, wasm } from './files.ts';
import { scan } from './scanner.ts';
import { http, jsonRpc } from './servers.ts';
import { settings } from './settings.ts';
import { marketplace, source, tar, zip } from './sources.ts';
import type { Target } from './target.ts';

/** Every reader of strangers' bytes, by the name of its corpus. */
export const targets: Readonly<Record<string, Target>> = {
  'skill-md': skillMd,
  manifest,
  config,
  plugins,
  settings,
  wasm,
  'json-rpc': jsonRpc,
  http,
  tar,
  zip,
  source,
  marketplace,
  scan,
  lock,
  cluster,
  remote,
  token,
};
