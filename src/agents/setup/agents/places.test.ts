import { describe, expect, it } from 'vitest';
import { type Environment, hostEnvironment } from '../../../core/environment.ts';
import { fileOf } from './places.ts';
import { agentsNamed, setupAgents } from './table.ts';

function on(platform: NodeJS.Platform, env: Environment['env'] = {}): Environment {
  return hostEnvironment({ cwd: '/work', home: '/home/ann', env, platform });
}

function globalFile(id: string, environment: Environment): string | null {
  const [agent] = agentsNamed(id);
  return agent === undefined ? null : fileOf(agent, 'global', environment);
}

describe('where agents keep their servers', () => {
  it.each([
    ['claude-desktop', '/home/ann/Library/Application Support/Claude/claude_desktop_config.json'],
    ['vscode', '/home/ann/Library/Application Support/Code/User/mcp.json'],
    ['zed', '/home/ann/.config/zed/settings.json'],
    ['goose', '/home/ann/.config/goose/config.yaml'],
    ['cursor', '/home/ann/.cursor/mcp.json'],
  ])('%s on macOS', (id, file) => {
    expect(globalFile(id, on('darwin'))).toBe(file);
  });

  it.each([
    ['claude-desktop', '/roaming/Claude/claude_desktop_config.json'],
    ['vscode', '/roaming/Code/User/mcp.json'],
    ['zed', '/roaming/Zed/settings.json'],
    ['goose', '/roaming/Block/goose/config/config.yaml'],
    ['codex', '/home/ann/.codex/config.toml'],
  ])('%s on Windows', (id, file) => {
    expect(globalFile(id, on('win32', { APPDATA: '/roaming' }))).toBe(file);
  });

  it('no two agents have one file for all projects, nor one name', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const) {
      const files = setupAgents.map((agent) => fileOf(agent, 'global', on(platform)));
      expect(new Set(files).size).toBe(setupAgents.length);
      expect(files).not.toContain(null);
    }
    const names = setupAgents.flatMap(({ id, aliases }) => [id, ...aliases]);
    // Cline is a program and an extension, with a file each.
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual(['cline']);
  });
});
