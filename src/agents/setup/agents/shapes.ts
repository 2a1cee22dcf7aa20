import type { EntryStyle } from '../../types.ts';
import type { Entry, Remote, Shape, Values, Variables } from './types.ts';

/** The syntaxes by which files name environment variables. In a key of its own the name stands alone. */
const styles: Readonly<Record<NonNullable<EntryStyle['variables']>, Variables>> = {
  braces: { write: (name) => `\${${name}}`, pattern: /\$\{(\w+)\}/g },
  'env braces': { write: (name) => `\${env:${name}}`, pattern: /\$\{env:(\w+)\}/g },
  'bare braces': { write: (name) => `{env:${name}}`, pattern: /\{env:(\w+)\}/g },
  'own key': { write: (name) => name, pattern: /(?!)/g },
};

/** Keys that make an entry one of a process, and keys that make it one of an address, in any of the files. */
const processKeys = ['command', 'args', 'env', 'cmd', 'envs', 'environment', 'cwd'];
const addressKeys = ['url', 'httpUrl', 'serverUrl', 'uri', 'headers', 'http_headers', 'env_http_headers'];
const tokenKeys = ['bearer_token_env_var', 'env_keys'];

function processEntry(set: Values, defaults: Values): Entry {
  return { kind: 'process', set, defaults, drop: [...addressKeys, ...tokenKeys].filter((key) => !(key in set)) };
}

function addressEntry(set: Values, defaults: Values): Entry {
  return { kind: 'address', set, defaults, drop: processKeys.filter((key) => !(key in set)) };
}

/** The shape of servers in files of that style. */
export function shapeOf({ layout = 'apart', process, address, defaults = {}, urlKey, variables }: EntryStyle): Shape {
  const style = variables === null ? null : styles[variables];
  const defaultsOf = (name: string): Values => (layout === 'extension' ? { name, ...defaults } : defaults);
  return {
    stdio: ({ command, args }, name) => {
      const words = {
        apart: { command, args },
        'one list': { command: [command, ...args] },
        extension: { cmd: command, args },
      }[layout];
      return processEntry({ ...process, ...words }, defaultsOf(name));
    },
    http:
      urlKey === null
        ? null
        : (remote, name) =>
            addressEntry({ ...address, [urlKey]: remote.url, ...tokenFor(remote, style, layout) }, defaultsOf(name)),
    variables: style,
  };
}

/** The fields that carry the token, where the file can take it from a variable. */
function tokenFor({ tokenVariable }: Remote, style: Variables | null, layout: EntryStyle['layout']): Values {
  if (tokenVariable === null || style === null) return {};
  if (style === styles['own key']) return { bearer_token_env_var: tokenVariable };
  const headers = { Authorization: `Bearer ${style.write(tokenVariable)}` };
  // Goose requires variables in headers to be listed.
  return layout === 'extension' ? { headers, env_keys: [tokenVariable] } : { headers };
}
