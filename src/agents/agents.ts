import { antigravity } from './known/antigravity.ts';
import { claudeCode } from './known/claude-code.ts';
import { claudeDesktop } from './known/claude-desktop.ts';
import { clineCli, clineInVscode } from './known/cline.ts';
import { codex } from './known/codex.ts';
import { copilotCli } from './known/copilot-cli.ts';
import { cursor } from './known/cursor.ts';
import { geminiCli } from './known/gemini-cli.ts';
import { goose } from './known/goose.ts';
import { grok } from './known/grok.ts';
import { kilo } from './known/kilo.ts';
import { kimi } from './known/kimi.ts';
import { kiro } from './known/kiro.ts';
import { opencode } from './known/opencode.ts';
import { pi } from './known/pi.ts';
import { qwenCode } from './known/qwen-code.ts';
import { vscode } from './known/vscode.ts';
import { windsurf } from './known/windsurf.ts';
import { zed } from './known/zed.ts';
import { sharedProvider } from './places.ts';
import { atHome, config, home, inProject, installed, moved, read, shared, sharedAtHome } from './rows.ts';
import type { Agent, Place } from './types.ts';

/** An agent of which only the folders are known. */
function folders(id: string, project = [`.${id}/skills`], global?: readonly Place[]): Agent {
  return { id, name: id, folders: { provider: id, project, ...(global && { global }) } };
}

/** The cross-client folders. They outrank every agent's own. */
const crossClient: Agent = {
  id: sharedProvider,
  name: 'shared folders',
  folders: {
    provider: sharedProvider,
    aliases: ['agent', 'universal', 'amp', 'replit'],
    project: ['.agent/skills', '.agents/skills'],
    global: [home('.agent/skills'), home('.agents/skills'), config('agents/skills')],
  },
};

const droid: Agent = {
  id: 'droid',
  name: 'Factory Droid',
  aliases: ['factory'],
  folders: { provider: 'factory', aliases: ['droid'], project: ['.factory/skills'] },
  native: {
    source: read('documentation', '2026-11-15'),
    places: [inProject('factory', '.factory/skills'), shared, atHome('factory', '~/.factory/skills')],
  },
};

/** Every agent, in order of rank: of skills that share a name, the one in the first agent's folder is meant. */
export const agents: readonly Agent[] = [
  crossClient,
  claudeCode,
  claudeDesktop,
  codex,
  cursor,
  geminiCli,
  vscode,
  copilotCli,
  opencode,
  goose,
  {
    id: 'openclaw',
    name: 'openclaw',
    folders: { provider: 'openclaw', aliases: ['clawdbot'], project: ['.openclaw/skills'] },
  },
  {
    id: 'roo',
    name: 'roo',
    folders: { provider: 'roo', aliases: ['roo-code'], project: ['.roo/skills-*', '.roo/skills'] },
  },
  kilo,
  pi,
  droid,
  windsurf,
  antigravity,
  folders('trae', ['.trae/skills'], [home('.trae/skills'), home('.trae-cn/skills')]),
  folders('qoder', ['.qoder/skills'], [home('.qoder/skills'), home('.qoder-cn/skills')]),
  folders('cortex', ['.cortex/skills'], [home('.snowflake/cortex/skills')]),
  folders('crush', ['.crush/skills'], [config('crush/skills')]),
  folders('devin', ['.devin/skills'], [config('devin/skills')]),
  folders('kimchi', ['.kimchi/skills'], [config('kimchi/harness/skills')]),
  folders('vibe', ['.vibe/skills'], [moved('VIBE_HOME', '.vibe', 'skills')]),
  folders('hermes', ['.hermes/skills'], [moved('HERMES_HOME', '.hermes', 'skills')]),
  grok,
  folders('autohand', ['.autohand/skills'], [moved('AUTOHAND_HOME', '.autohand', 'skills')]),
  folders('astrbot', ['data/skills'], [home('.astrbot/data/skills')]),
  folders('eve', ['agent/skills'], []),
  folders('deepagents', [], [home('.deepagents/agent/skills')]),
  folders('firebender', [], [home('.firebender/skills')]),
  clineCli,
  clineInVscode,
  kimi,
  qwenCode,
  folders('posit', ['.posit/assistant/skills']),
  folders('tabnine', ['.tabnine/agent/skills']),
  folders('adal'),
  folders('aider-desk'),
  folders('augment'),
  folders('bob'),
  folders('codeartsdoer'),
  folders('codebuddy'),
  folders('codemaker'),
  folders('codestudio'),
  folders('commandcode'),
  folders('continue'),
  folders('forge'),
  folders('iflow'),
  folders('inferencesh'),
  folders('jazz'),
  folders('junie'),
  kiro,
  folders('kode'),
  folders('lingma'),
  folders('mcpjam'),
  folders('minimax'),
  folders('moxby'),
  folders('mux'),
  folders('neovate'),
  folders('ona'),
  folders('openhands'),
  folders('pochi'),
  folders('reasonix'),
  folders('rovodev'),
  folders('terramind'),
  folders('tinycloud'),
  folders('zcode'),
  folders('zencoder'),
  zed,
  { id: 'amp', name: 'Amp', native: installed(shared, atHome('agents', '~/.config/agents/skills')) },
  { id: 'warp', name: 'Warp', native: installed(shared, sharedAtHome) },
];
