import { agentFolders } from '../agents/folders.ts';
import { list } from './list.ts';

/**
 * Files and folders that programs of the host look for by themselves, wherever somebody works, and run or obey what they find. A run
 * that may write to a folder may not write these: it would get out of its sandbox by way of the next `git status`, agent or editor.
 */
const table: Readonly<Record<string, readonly string[]>> = {
  'hooks and settings of Git': list(`
    .git, .gitconfig, .gitmodules, .husky, .githooks, .lefthook, lefthook.yml, .lefthook.yml, .pre-commit-config.yaml, .overcommit.yml
  `),
  'settings and skills of agents': [
    ...agentFolders.flatMap(({ project }) => project.flatMap((path) => /^\.[^/]+/.exec(path) ?? [])),
    ...list(`
      .claude.json, .claude-plugin, .codex-plugin, .cursorrules, .windsurfrules, opencode.json, opencode.jsonc, .copilot, .goosehints,
      .roomodes, .aider.conf.yml, .amp, crush.json, .crush.json, .kimi, .codeium, .warp
    `),
  ],
  'instructions for agents': list(`
    AGENTS.md, AGENTS.override.md, CLAUDE.md, CLAUDE.local.md, GEMINI.md, QWEN.md
  `),
  'MCP servers': list(`
    .mcp.json, mcp.json, .mcp
  `),
  'tasks and settings of editors': list(`
    .vscode, .idea, .zed, .fleet, .vs, .devcontainer, .devcontainer.json, .nvim.lua, .nvimrc, .exrc, .vimrc, .gvimrc, .vim, .emacs,
    .emacs.d, .dir-locals.el, .dir-locals-2.el
  `),
  'commands that shells run when they start': list(`
    .bashrc, .bash_profile, .bash_login, .bash_logout, .bash_aliases, .profile, .zshrc, .zshenv, .zprofile, .zlogin, .zlogout, .kshrc,
    .mkshrc, .cshrc, .tcshrc, .login, .logout, .inputrc, .envrc, .autoenv, .pam_environment, .xprofile, .xinitrc, .xsession,
    .xsessionrc, .mise.toml, mise.toml, .mise, .tmux.conf, .screenrc
  `),
  'settings of package managers': list(`
    .npmrc, .yarnrc, .yarnrc.yml, .pnpmfile.cjs, .pnpmfile.mjs, .cargo, .bunfig.toml, bunfig.toml
  `),
  'files of this program': list(`
    repertoire.toml, .skill-engine.toml
  `),
};

/** Projects of editors have any name before these. */
const endings = ['.code-workspace', '.sublime-project'];

const known = new Map(
  Object.entries(table).flatMap(([holds, names]) => names.map((name) => [folded(name), holds] as const)),
);

/** As file systems that ignore case, invisible characters and dots at the end take it. */
function folded(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cf}/gu, '')
    .replace(/[. ]+$/, '');
}

/** What a file or folder of this name holds, where no run may write it; goes after "which holds". */
export function guardedAs(name: string): string | null {
  const plain = folded(name);
  return known.get(plain) ?? (endings.some((end) => plain.endsWith(end)) ? 'tasks and settings of editors' : null);
}

export function isSkillFile(name: string): boolean {
  return folded(name) === 'skill.md';
}

/** Files and folders by which Git takes a folder for a repository, whatever it is called. */
const repositoryParts = ['HEAD', 'objects', 'refs'];

/** Why nothing may be written to a folder, judging by the names in it; null where it may. */
export function guardedByContent(names: readonly string[]): string | null {
  if (names.some(isSkillFile)) return 'a skill';
  return repositoryParts.every((part) => names.includes(part)) ? 'a Git repository' : null;
}
