import type { OwnCommand, Scope } from './types.ts';

const ofUser = (scope: Scope, words: readonly string[]): readonly string[] | null =>
  scope === 'global' ? words : null;
const userOr = (scope: Scope): string => (scope === 'project' ? 'project' : 'user');

export const claudeCommand: OwnCommand = {
  stdio: (name, scope, { command, args }) => [
    ...['claude', 'mcp', 'add', '--scope', userOr(scope), name],
    ...['--', command, ...args],
  ],
  http: (name, scope, url) => ['claude', 'mcp', 'add', '--scope', userOr(scope), '--transport', 'http', name, url],
  remove: (name, scope) => ['claude', 'mcp', 'remove', '--scope', userOr(scope), name],
};

/** Codex's own command knows the file of the user alone. */
export const codexCommand: OwnCommand = {
  stdio: (name, scope, { command, args }) => ofUser(scope, ['codex', 'mcp', 'add', name, '--', command, ...args]),
  http: (name, scope, url) => ofUser(scope, ['codex', 'mcp', 'add', name, '--url', url]),
  remove: (name, scope) => ofUser(scope, ['codex', 'mcp', 'remove', name]),
};

/** Gemini CLI, and what was made from it. */
export const geminiStyle = (program: string): OwnCommand => ({
  stdio: (name, scope, { command, args }) => [
    ...[program, 'mcp', 'add', '--scope', userOr(scope), name],
    ...[command, ...args],
  ],
  http: (name, scope, url) => [program, 'mcp', 'add', '--scope', userOr(scope), '--transport', 'http', name, url],
  remove: (name, scope) => [program, 'mcp', 'remove', '--scope', userOr(scope), name],
});

/** VS Code takes the entry as one argument, with its name in it. */
export const codeCommand: OwnCommand = {
  stdio: (name, scope, { command, args }) =>
    ofUser(scope, ['code', '--add-mcp', JSON.stringify({ name, command, args })]),
  http: (name, scope, url) => ofUser(scope, ['code', '--add-mcp', JSON.stringify({ name, type: 'http', url })]),
  remove: () => null,
};
