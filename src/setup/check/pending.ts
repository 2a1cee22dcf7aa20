import { dirname, join } from 'node:path';
import type { Environment } from '../../kernel/environment.ts';
import { fileOf, pathOf, projectFolder } from '../agents/places.ts';
import { home, moved } from '../agents/rows.ts';
import type { Place, Scope, SetupAgent } from '../agents/types.ts';
import { valueIn } from '../edit/edit.ts';
import type { Format, Json, Path } from '../edit/types.ts';
import { isMap } from '../edit/values.ts';
import { readSettings } from '../edit/write.ts';

interface Entered {
  readonly agent: SetupAgent;
  readonly scope: Scope;
  readonly server: string;
  readonly environment: Environment;
}

/** What a person must still confirm before the agent uses the entry; null where nothing is known to be missing. */
export function pendingFor(entered: Entered): string | null {
  return gates[entered.agent.id]?.(entered) ?? null;
}

/** Agents that wait for a confirmation, each with its own place for it. Seen in the agents in November 2026. */
const gates: Readonly<Record<string, (entered: Entered) => string | null>> = {
  'claude-code': ({ agent, scope, server, environment }) => {
    if (scope === 'global') return null;
    const folder = projectFolder(environment);
    const ofUser = moved('CLAUDE_CONFIG_DIR', '.claude', 'settings.json');
    if (enables(pathOf(ofUser, environment) ?? '', [], server)) return null;
    const state = fileOf(agent, 'global', environment) ?? '';
    const isTrusted = settingOf('json', state, ['projects', folder, 'hasTrustDialogAccepted']) === true;
    const files = ['.claude/settings.local.json', '.claude/settings.json'].map((path) => join(folder, path));
    const isEnabled = enables(state, ['projects', folder], server) || files.some((file) => enables(file, [], server));
    if (isEnabled && isTrusted) return null;
    if (isEnabled) return 'Start claude in this folder once and trust it: until then only claude -p uses the server.';
    return 'Start claude in this folder and approve the server, or set it up with --approve.';
  },
  codex: ({ scope, environment }) => {
    if (scope === 'global') return null;
    const file = pathOf(moved('CODEX_HOME', '.codex', 'config.toml'), environment) ?? '';
    const folder = projectFolder(environment);
    if (settingOf('toml', file, ['projects', folder, 'trust_level']) === 'trusted') return null;
    const line = `trust_level = "trusted" under [projects.${JSON.stringify(folder)}] in ${file}`;
    return `Start codex in this folder once and trust it, or put ${line}. It does not read the file before.`;
  },
  'gemini-cli': ({ environment }) => {
    const settings = pathOf(home('.gemini/settings.json'), environment) ?? '';
    if (settingOf('json', settings, ['security', 'folderTrust', 'enabled']) === false) return null;
    if (isTrusted(home('.gemini/trustedFolders.json'), environment)) return null;
    const file = pathOf(home('.gemini/trustedFolders.json'), environment) ?? '';
    const line = `${JSON.stringify(projectFolder(environment))}: "TRUST_FOLDER" into ${file}`;
    return `Start gemini in this folder once and trust it, or put ${line}. It starts no servers in other folders.`;
  },
  'qwen-code': ({ scope, server, environment }) => {
    if (scope === 'global') return null;
    const file = pathOf(moved('QWEN_HOME', '.qwen', 'mcpApprovals.json'), environment) ?? '';
    const status = settingOf('json', file, [projectFolder(environment), server, 'status']);
    return status === 'approved' ? null : 'Start qwen in this folder and approve the server.';
  },
};

function settingOf(format: Format, file: string, at: Path): Json | undefined {
  const read = readSettings(file);
  const found = read.ok && read.text !== null ? valueIn(format, read.text, at) : null;
  return found?.ok === true ? found.value : undefined;
}

function enables(file: string, at: Path, server: string): boolean {
  const settings = settingOf('json', file, at);
  if (!isMap(settings)) return false;
  const { enabledMcpjsonServers: some, enableAllProjectMcpServers: all } = settings;
  return all === true || (Array.isArray(some) && some.includes(server));
}

/** Trust in a folder counts for what is below it; that in the parent of one, for all beside it. */
function isTrusted(place: Place, environment: Environment): boolean {
  const trusted = settingOf('json', pathOf(place, environment) ?? '', []);
  if (!isMap(trusted)) return false;
  const folders = new Set(
    Object.entries(trusted).flatMap(([path, level]) =>
      level === 'TRUST_FOLDER' ? [path] : level === 'TRUST_PARENT' ? [dirname(path)] : [],
    ),
  );
  for (let folder = projectFolder(environment); ; folder = dirname(folder)) {
    if (folders.has(folder)) return true;
    if (folder === dirname(folder)) return false;
  }
}
