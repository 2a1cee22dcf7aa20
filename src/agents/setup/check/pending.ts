import { join } from 'node:path';
import type { Environment } from '../../../core/environment.ts';
import { home, moved } from '../../rows.ts';
import { fileOf, pathOf, projectFolder } from '../agents/places.ts';
import type { Scope, SetupAgent } from '../agents/types.ts';
import { valueIn } from '../edit/edit.ts';
import { type Format, isMap, type Json, type Path, valueAt } from '../edit/values.ts';
import { readSettings } from '../edit/write.ts';

interface Entered {
  readonly agent: SetupAgent;
  readonly scope: Scope;
  readonly server: string;
  readonly environment: Environment;
}

/**
 * The confirmation that a person must still give before the agent uses the entry; null where none is known to be
 * missing.
 */
export function pendingFor(entered: Entered): string | null {
  return gates[entered.agent.id]?.(entered) ?? null;
}

/** Agents that wait for a confirmation, each with its own place for it. Seen in the agents in November 2026. */
const gates: Readonly<Record<string, (entered: Entered) => string | null>> = {
  'claude-code': (entered) => {
    const { agent, scope, server, environment } = entered;
    if (scope === 'global') return null;
    const folder = projectFolder(environment);
    const ofUser = moved('CLAUDE_CONFIG_DIR', '.claude', 'settings.json');
    if (enables(pathOf(ofUser, environment) ?? '', [], server)) return null;
    const state = fileOf(agent, 'global', environment) ?? '';
    const files = ['.claude/settings.local.json', '.claude/settings.json'].map((path) => join(folder, path));
    const isEnabled = enables(state, ['projects', folder], server) || files.some((file) => enables(file, [], server));
    if (isEnabled && isTrusted(entered)) return null;
    if (isEnabled) return `${trustBy('claude')}: until then only claude -p uses the server.`;
    return 'Start claude in this folder and approve the server, or set it up with --approve.';
  },
  codex: (entered) => {
    if (entered.scope === 'global' || isTrusted(entered)) return null;
    return `${trustBy('codex')}, or put ${trustLine(entered)}. It does not read the file before.`;
  },
  'gemini-cli': (entered) => {
    const settings = pathOf(home('.gemini/settings.json'), entered.environment) ?? '';
    if (settingOf('json', settings, ['security', 'folderTrust', 'enabled']) === false) return null;
    if (isTrusted(entered)) return null;
    return `${trustBy('gemini')}, or put ${trustLine(entered)}. It starts no servers in other folders.`;
  },
  'qwen-code': ({ scope, server, environment }) => {
    if (scope === 'global') return null;
    const file = pathOf(moved('QWEN_HOME', '.qwen', 'mcpApprovals.json'), environment) ?? '';
    const status = settingOf('json', file, [projectFolder(environment), server, 'status']);
    if (status === 'approved') return null;
    return `Start qwen in this folder and approve the server, or run there: qwen mcp approve ${server}`;
  },
};

function trustBy(program: string): string {
  return `Start ${program} in this folder once and trust it, or set it up with --trust`;
}

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

function isTrusted({ agent: { trust }, environment }: Entered): boolean {
  if (trust === undefined) return true;
  const file = pathOf(trust.file, environment) ?? '';
  const [settings, folder] = [settingOf(trust.format, file, []), projectFolder(environment)];
  return valueAt(settings, trust.at(folder)) === trust.value || trust.isInherited?.(settings, folder) === true;
}

/** The line that trusts this folder, and the file it belongs in. */
function trustLine({ agent: { trust }, environment }: Entered): string {
  if (trust === undefined) return '';
  const file = pathOf(trust.file, environment) ?? '';
  const [key = '', ...around] = trust.at(projectFolder(environment)).toReversed();
  const value = JSON.stringify(trust.value);
  if (trust.format === 'json') return `${JSON.stringify(key)}: ${value} into ${file}`;
  const table = around.toReversed().map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part)));
  return `${key} = ${value} under [${table.join('.')}] in ${file}`;
}
