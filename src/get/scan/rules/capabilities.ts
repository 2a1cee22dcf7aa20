import { permitsHost, union } from '../../../run/policy/capabilities.ts';
import { hostText, isLoopback } from '../../../run/policy/hosts.ts';
import { pathText } from '../../../run/policy/names.ts';
import { readManifest } from '../../../run/tools/manifest/manifest.ts';
import { addressKind, hostOf } from '../code/addresses.ts';
import { credentialAt } from '../code/places.ts';
import type { Act } from '../code/unit.ts';
import { hole } from '../code/value.ts';
import type { Hit } from './table.ts';

/** Compares what a manifest asks for with what is reasonable, and with what the scripts evidently do. */
export async function judgeCapabilities(
  folder: string,
  acts: readonly Act[],
  home: string,
): Promise<[file: string, Hit[]][]> {
  const manifest = await readManifest(folder, { home });
  if (manifest === null) return [];
  const file = manifest.file.slice(folder.length + 1);
  const { network, filesystem } = union(manifest.declared.capabilities);
  const hits: Hit[] = [
    ...filesystem
      .filter(({ path }) => path === '/' || path === home || /^\/(?:home|Users|etc|root|var)\/?$/.test(path))
      .map(
        (rule): Hit => ({
          rule: 'broad-capabilities',
          line: null,
          found: `filesystem: ${pathText(rule)}`,
          ...(rule.path === '/' && { severity: 'high' }),
        }),
      ),
    // A tool for keys is rare; one that asks for them and for something else is not what it says.
    ...filesystem
      .filter(({ path }) => /^(?:treasure|keys)$/.test(credentialAt(path)?.worth ?? ''))
      .map(
        (rule): Hit => ({
          rule: 'broad-capabilities',
          line: null,
          found: `filesystem: ${pathText(rule)}`,
          severity: 'high',
        }),
      ),
    ...network
      .filter(({ host, below }) => below && !host.includes('.'))
      .map((rule): Hit => ({ rule: 'broad-capabilities', line: null, found: `network: ${hostText(rule)}` })),
  ];
  const hosts = new Set<string>();
  for (const { kind, target, isScript, by } of acts) {
    const host = hostOf(target.text);
    if (!isScript || (kind !== 'fetch' && kind !== 'send') || host === '' || host.includes(hole) || hosts.has(host))
      continue;
    hosts.add(host);
    if (addressKind(target.text) === 'local' || isLoopback(host)) continue;
    if (![443, 80].some((port) => permitsHost(network, host, port)))
      hits.push({
        rule: 'undeclared',
        line: null,
        found: `${by} talks to ${host}, which the manifest does not ask for`,
      });
  }
  return [[file, hits]];
}
