import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../../src/core/config/settings.ts';
import { program } from '../support/world.ts';

const folder = fileURLToPath(new URL('../../deploy', import.meta.url));
const read = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8');
const variables = new Set(Object.values(settings).map(({ variable }) => variable));

interface Help {
  readonly options: readonly { readonly name: string }[];
}

/** Expects a command that there is, with options that it takes. */
function expectCommand([name = '', ...words]: readonly string[]): void {
  const { options } = JSON.parse(execFileSync(program, ['help', name, '--json'], { encoding: 'utf8' })) as Help;
  const known = options.map((option) => `--${option.name}`);
  for (const word of words.filter((one) => one.startsWith('--'))) expect([...known, '--http']).toContain(word);
}

/** Expects that every variable of ours in a text is a setting. */
function expectVariables(text: string): void {
  const named = [...new Set(text.match(/REPERTOIRE_[A-Z_]+/g))];
  expect(named.filter((name) => !variables.has(name))).toEqual([]);
  expect(named.length).toBeGreaterThan(0);
}

describe('the compose file', () => {
  interface Service {
    readonly command?: readonly string[];
    readonly image: string;
    readonly depends_on?: readonly string[];
    readonly volumes?: readonly string[];
    readonly secrets?: readonly string[];
    readonly configs?: readonly { readonly source: string }[];
  }
  const text = read('compose.yaml');
  const compose = parse(text, { merge: true }) as Record<string, Record<string, unknown>>;
  const services = Object.entries(compose['services'] as unknown as Record<string, Service>);

  it('has three nodes of NATS, two servers, three workers and a balancer', () => {
    const kinds = services.map(([name]) => name.replace(/-\d$/, ''));
    const count = (kind: string) => kinds.filter((one) => one === kind).length;
    expect(['nats', 'server', 'worker', 'balancer'].map(count)).toEqual([3, 2, 3, 1]);
  });

  it('has the servers hand executions to the workers', () => {
    const servers = services.filter(([name]) => name.startsWith('server-'));
    for (const [, { command }] of servers) expect(command?.join(' ')).toContain('--executions cluster');
  });

  it('has the servers know clients by what the balancer says of them', () => {
    const servers = services.filter(([name]) => name.startsWith('server-'));
    for (const [, { command }] of servers) expect(command?.join(' ')).toContain('--trusted-proxy 172.16.0.0/12');
  });

  it('names only what it defines itself', () => {
    const names = services.map(([name]) => name);
    for (const [, { depends_on: needs = [], volumes = [], secrets = [], configs = [] }] of services) {
      expect(names).toEqual(expect.arrayContaining([...needs]));
      expect(Object.keys(compose['volumes'] ?? {})).toEqual(
        expect.arrayContaining(volumes.map((volume) => volume.split(':')[0])),
      );
      expect(Object.keys(compose['secrets'] ?? {})).toEqual(expect.arrayContaining([...secrets]));
      expect(Object.keys(compose['configs'] ?? {})).toEqual(
        expect.arrayContaining(configs.map(({ source }) => source)),
      );
    }
  });

  it('starts commands that there are, with settings that there are', () => {
    for (const [, { image, command = [] }] of services) if (image === 'repertoire') expectCommand(command);
    expectVariables(text);
  });
});

describe.each(readdirSync(`${folder}/systemd`))('the systemd unit %s', (name) => {
  it('starts a command that there is, with settings that there are', () => {
    const text = read(`systemd/${name}`);
    const [, command = ''] = /^ExecStart=\/usr\/bin\/env repertoire (.+)$/m.exec(text) ?? [];
    expectCommand(command.split(' '));
    expectVariables(text);
  });
});

describe('the node of NATS', () => {
  it('accepts its configuration', () => {
    execFileSync('nats-server', ['-t', '-c', `${folder}/nats.conf`], { stdio: 'ignore' });
  });
});

describe('the balancer', () => {
  it('accepts its configuration', () => {
    execFileSync('haproxy', ['-c', '-q', '-f', `${folder}/haproxy.cfg`], { stdio: 'ignore' });
  });
});

describe('the Helm chart', () => {
  const chart = 'helm/repertoire';
  const templates = readdirSync(`${folder}/${chart}/templates`).map((name) => [
    name,
    read(`${chart}/templates/${name}`),
  ]);
  const values = parse(read(`${chart}/values.yaml`)) as Record<string, unknown>;

  it('has values that keep to their own schema, which refuses others', () => {
    const schema = JSON.parse(read(`${chart}/values.schema.json`)) as object;
    const isValid = (value: unknown) => new Validator(schema, '2020-12').validate(value).valid;
    expect(isValid(values)).toBe(true);
    expect(isValid({ ...values, replicas: 3 })).toBe(false);
    expect(isValid({ ...values, server: { replicas: 'two' } })).toBe(false);
  });

  it('has the servers hand executions to the workers', () => {
    expect(read(`${chart}/templates/server.yaml`)).toMatch(/- --executions\n\s+- cluster\n/);
  });

  it('uses only values that it has, and includes only what it defines', () => {
    const text = templates.map(([, template]) => template).join('\n');
    for (const [, path = ''] of text.matchAll(/\.Values\.([\w.]+)/g)) {
      const value = path
        .split('.')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values);
      expect([path, value]).not.toEqual([path, undefined]);
    }
    const defined = [...text.matchAll(/define "([^"]+)"/g)].map(([, name]) => name);
    for (const [, name] of text.matchAll(/include "([^"]+)"/g)) expect(defined).toContain(name);
    expectVariables(text);
  });

  it.each(templates.filter(([name]) => name?.endsWith('.yaml')))(
    'has blocks that end, and YAML around them: %s',
    (_, template = '') => {
      const words = [...template.matchAll(/\{\{-?\s*(if|range|with|define|end)\b/g)].map(([, word]) => word);
      const depth = words.reduce((sum, word) => (word === 'end' ? sum - 1 : sum + 1), 0);
      expect(depth).toBe(0);
      expect(template.split('{{').length).toBe(template.split('}}').length);
      // Lines that are a template alone become nothing, and values in lines a word.
      const plain = template.replace(/^\s*\{\{.*\}\}\s*$/gm, '').replace(/\{\{.*?\}\}/g, 'x');
      for (const document of parseAllDocuments(plain)) {
        expect(document.errors).toEqual([]);
        expect(document.toJS()).toMatchObject({ apiVersion: expect.any(String), kind: expect.any(String) });
      }
    },
  );
});
