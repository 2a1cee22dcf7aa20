import { rmSync } from 'node:fs';
import { expect } from 'vitest';
import { connectStdio, startHttp } from '../support/mcp.ts';
import { startNats } from '../support/nats.ts';
import { createWorld, program } from '../support/world.ts';
import type { Scene } from './scene.ts';

type Act = (scene: Scene) => void | Promise<void>;

/** What is done about one command of a page. */
export interface Step {
  readonly before?: Act;
  /** Done while the command goes on. */
  readonly meanwhile?: Act;
  /** The exit code, where the page tells of a failure. */
  readonly code?: number;
}

/** What has to be there before the commands of a page are typed, and what is done about some of them. */
export interface Page {
  readonly before?: Act;
  readonly steps?: Readonly<Record<string, Step>>;
}

/** Commands that no test types, and why. */
export const notTyped: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  {
    pattern: /^npm (ci|run)\b/,
    why: 'CI runs them: they build and test this very checkout',
  },
  { pattern: /^(claude|code|codex|gemini) /, why: 'a program that is not ours' },
];

/** Commands that go on until they are ended. */
export const goesOn = /\brepertoire (serve|web|worker)\b|--follow\b|^tail .*-F|^curl -N/;

const token = 'a-token-that-is-long-enough-to-be-one';

export const scenes: Readonly<Record<string, Page>> = {
  'README.md': {
    before: (scene) => {
      const { world } = scene;
      for (const agent of ['.claude', '.codex', '.cursor']) world.folder(`home/${agent}`);
      twoAgents(scene);
    },
    steps: {
      'repertoire why draft': { code: 1 },
      'repertoire search "is this data delivery clean" --limit 1': { before: (scene) => scene.shipped() },
    },
  },
  'docs/getting.md': {
    before: ({ world }) => {
      world.skill('team-skills/pdf', { body: '# PDF\n\nUse the forms tool.\n\nThen check.\n' });
      world.write('team-skills/pdf/skill.toml', '[capabilities]\nnetwork = ["api.example.com"]\n');
      world.skill('team-skills/release-notes');
    },
    steps: {
      'repertoire outdated': {
        before: ({ world }) => {
          const text = (line: string): string => `# PDF\n\n${line}\n\nThen check.\n`;
          world.skill('team-skills/pdf', { body: text('Use the forms tool, version 2.') });
          const body = `${text('Use the forms tool.')}Ask me before you send anything.\n`;
          world.skill('project/.agents/skills/pdf', { body });
        },
        code: 1,
      },
      'repertoire install --frozen': { code: 1 },
    },
  },
  'docs/agents.md': {
    before: ({ world }) => {
      for (const folder of ['.agents/skills/notes', '.codex/skills/pdf', '.claude/skills/xls']) {
        world.skill(`home/${folder}`, { description: 'Work with files of this kind the way this team does.' });
      }
    },
  },
  'docs/api.md': {
    before: async (scene) => {
      const { port, world, words } = scene;
      world.skill('home/.claude/skills/pdf', { description: 'Fill in PDF forms.' });
      world.write('home/.claude/skills/pdf/references/FORMS.md', '# Forms\n');
      world.write('home/.claude/skills/pdf/scripts/extract.sh', '#!/bin/sh\necho "text of $1"\n');
      world.write(
        'home/.claude/skills/pdf/skill.toml',
        '[tools.extract]\ncommand = ["sh", "scripts/extract.sh", "{file}"]\n[tools.extract.parameters.file]\ntype = "string"\n',
      );
      world.skill('home/.claude/skills/weather');
      world.write(
        'home/.claude/skills/weather/skill.toml',
        '[capabilities]\nnetwork = ["api.example.com"]\n[tools.now]\ncommand = ["true"]\n',
      );
      words.set('$TOKEN', token);
      // The page leaves out what is the same in each of them.
      words.set('curl …', `curl --fail-with-body -s -H 'Authorization: Bearer ${token}'`);
      words.set('curl -N …', `curl --fail-with-body -s -N -H 'Authorization: Bearer ${token}'`);
      words.set("'/api/", `'http://127.0.0.1:${port}/api/`);
      words.set(' /api/', ` http://127.0.0.1:${port}/api/`);
      const server = scene.start(`REPERTOIRE_TOKEN=${token} repertoire serve --http`);
      await expect.poll(server.text).toContain('listening');
    },
    steps: {
      'curl -N … /api/events': { meanwhile: (scene) => scene.run('repertoire run pdf:extract --param file=a.pdf') },
    },
  },
  'docs/audit.md': {
    before: async (scene) => {
      scene.shipped();
      scene.words.set('your-log-shipper', 'cat');
      await scene.run('repertoire run kubernetes:get --param resource=pods');
    },
  },
  'docs/coming-from-ccski.md': {
    before: ({ world }) => void world.skill('home/.claude/skills/pdf', { description: 'Fill in PDF forms.' }),
  },
  'docs/coming-from-sk.md': {
    before: ({ world }) => {
      world.skill('project/skills/notes');
      world.folder('project/our-skills');
    },
  },
  'docs/coming-from-skill-engine.md': {
    before: ({ world, words }) => {
      words.set('/usr/bin/git', '…');
      world.write(
        'project/.skill-engine.toml',
        '[skills.git]\nsource = "./skills/git"\ndescription = "Git version control"\nruntime = "native"\n',
      );
      world.write(
        'project/skills/git/SKILL.md',
        '# Git\n\n## Tools\n\n### log\nShows commits.\n\n**Parameters:**\n- `count` (number, optional): How many\n',
      );
    },
  },
  'docs/coming-from-universal-skills.md': { before: (scene) => twoAgents(scene) },
  'docs/console.md': {
    before: ({ words }) => void words.set('REPERTOIRE_TOKEN=…', `REPERTOIRE_TOKEN=${token}`),
  },
  'docs/names-and-filters.md': {
    before: (scene) => twoAgents(scene),
  },
  'docs/permissions.md': {
    before: ({ world }) => {
      world.skill('home/.claude/skills/release-notes');
      world.folder('home/projects');
      world.write('home/.config/repertoire/secrets.toml', 'GITHUB_TOKEN = "a-secret"\n');
      world.mode('home/.config/repertoire/secrets.toml', 0o600);
      world.write(
        'home/.claude/skills/release-notes/skill.toml',
        'memory = "512MB"\n[capabilities]\nnetwork = ["api.github.com:443"]\nfilesystem = ["read:~/projects"]\nsecrets = ["GITHUB_TOKEN"]\n[tools.draft]\ncommand = ["true"]\n',
      );
    },
  },
  'docs/remotes.md': {
    before: async (scene) => {
      scene.words.set('TEAM_TOKEN=…', `TEAM_TOKEN=${token}`);
      const team = createWorld('/var/tmp');
      team.skill('home/.claude/skills/house-style', { description: 'How we write.' });
      team.skill('home/.claude/skills/release-notes', { description: 'How we write release notes.' });
      const server = await startHttp(team, ['serve', '--http'], { env: { REPERTOIRE_TOKEN: token } });
      scene.words.set('3000', new URL(server.url).port);
    },
  },
  'docs/running.md': {
    before: (scene) => {
      scene.shipped();
      scene.world.write('project/notes.txt', 'one two\n');
      scene.world.write('project/app.log', '2026-11-16 10:00:00 ERROR no route to host\n'.repeat(3));
    },
    steps: {
      'repertoire jobs status ID': {
        before: async (scene) => {
          scene.world.skill('project/skills/sleeper');
          scene.world.write('project/skills/sleeper/scripts/nap.sh', 'sleep 60\n');
          const server = await connectStdio(scene.world, ['serve', '--detach-after', '1000']);
          const job = { skill_name: 'sleeper', tool_name: 'nap', parameters: {} };
          const { content } = await server.call('skill-engine/execute', job);
          scene.words.set('ID', /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(content[0]?.text ?? '')?.[0] ?? 'no job');
        },
      },
    },
  },
  'docs/search.md': { before: (scene) => scene.shipped() },
  'docs/setup.md': {
    before: (scene) => {
      const { world } = scene;
      for (const agent of ['.claude', '.cursor']) world.folder(`home/${agent}`);
      world.write('home/.codex/config.toml', 'model = "gpt-5"\n\n[mcp_servers.docs]\ncommand = "docs-server" # ours\n');
      twoAgents(scene);
    },
    steps: {
      'repertoire setup': {
        before: ({ world }) => {
          world.folder('home/.config/goose');
          world.write('home/.cursor/mcp.json', '{\n');
        },
      },
      'REPERTOIRE_TOKEN=YOUR_TOKEN repertoire setup --all --http http://127.0.0.1:3000': {
        before: ({ world }) => void world.writeJson('home/.cursor/mcp.json', {}),
      },
      'repertoire setup --check': {
        before: async (scene) => {
          rmSync(scene.world.path('home/.config/goose'), { recursive: true });
          await scene.run('repertoire setup --all');
          const old = { command: '/opt/old/bin/node', args: [program, 'serve'] };
          scene.world.writeJson('home/.cursor/mcp.json', { mcpServers: { repertoire: old } });
        },
        code: 1,
      },
    },
  },
  'docs/teams.md': {
    before: async (scene) => {
      const { url } = await startNats();
      scene.words.set('4222', new URL(url).port);
      scene.world.skill('project/skills/pdf', { extra: 'metadata:\n  version: "2.0"' });
    },
  },
  'docs/workers.md': {
    before: async (scene) => {
      const { url } = await startNats();
      scene.words.set('4222', new URL(url).port);
      scene.world.skill('project/skills/word-count');
      scene.world.write(
        'project/skills/word-count/skill.toml',
        '[tools.count]\ncommand = ["wc", "-w"]\nstdin = "{text}"\nparameters.text = { type = "string" }\n',
      );
    },
    steps: {
      'repertoire cluster status --cluster nats://127.0.0.1:4222': {
        before: async (scene) => {
          const words = 'repertoire worker --cluster nats://127.0.0.1:4222 --name one --labels gpu,eu';
          const worker = scene.start(scene.typed(words));
          await expect.poll(worker.text).toContain('takes executions');
        },
      },
    },
  },
  'docs/validating.md': {
    before: ({ world }) => {
      world.skill('project/skills/pdf');
      world.write('project/docs/SKILL.md', '---\nname: docs\ndescription: Write documents.\n---\n');
    },
  },
};

/** A project and a home of somebody with two agents, where not all is as it should be. */
function twoAgents({ world }: Scene): void {
  world.skill('project/.claude/skills/notes', { description: 'Take meeting notes the way this team does.' });
  world.skill('home/.claude/skills/notes', { description: 'Take meeting notes.' });
  world.skill('home/.claude/skills/pdf', { description: 'Fill PDF forms. Use when: a form must be filled in' });
  world.write('home/.claude/skills/draft/SKILL.md', '# Draft\n');
  world.skill('home/.codex/skills/pdf', { description: 'Extract tables and text from PDF files.' });
}
