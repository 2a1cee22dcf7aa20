#!/usr/bin/env node
// Look at a Kubernetes cluster through a snapshot: list objects, describe one, and say what is wrong and why.
// Reads JSON that kubectl printed. Needs no network and no credentials, and changes nothing.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { selectorOf } from './lib/selector.mjs';
import { Cluster, keyFor, labelsOf, nameOf, parseSnapshot, shownAs, spaceOf, UserError } from './lib/snapshot.mjs';
import { brief, briefEvent, described, whole } from './lib/summary.mjs';
import { inWords, triage } from './lib/triage.mjs';
import { line, plural, span, tables } from './lib/values.mjs';

const HELP = `Usage: cluster.mjs get --resource pods [--name N] [--namespace NS] [--selector S] [--view brief|full] [--limit N]
       cluster.mjs describe --resource pod --name N [--namespace NS]
       cluster.mjs triage [--namespace NS] [--format text|json] [--fail-on critical|warning]

Reads a snapshot from standard input:
  kubectl get all,nodes,events,endpointslices,pvc,ingress -A -o json | cluster.mjs triage

Options:
  --snapshot FILE   read this file instead of standard input
  --sample          look at the sample cluster that comes with this skill
  --or-sample       the same, where standard input is empty
  --help            show this text

Exit status: 0 done, 1 with --fail-on where such a finding exists, 2 wrong usage or an unreadable snapshot.`;

const MOST_BYTES = 128 * 1024 * 1024;

const kinds = {
  Pod: 'pods pod po',
  Deployment: 'deployments deployment deploy',
  StatefulSet: 'statefulsets statefulset sts',
  DaemonSet: 'daemonsets daemonset ds',
  ReplicaSet: 'replicasets replicaset rs',
  Job: 'jobs job',
  CronJob: 'cronjobs cronjob cj',
  Service: 'services service svc',
  Ingress: 'ingresses ingress ing',
  EndpointSlice: 'endpointslices endpointslice',
  Endpoints: 'endpoints ep',
  PersistentVolumeClaim: 'persistentvolumeclaims persistentvolumeclaim pvc',
  PersistentVolume: 'persistentvolumes persistentvolume pv',
  HorizontalPodAutoscaler: 'horizontalpodautoscalers horizontalpodautoscaler hpa',
  Node: 'nodes node no',
  Namespace: 'namespaces namespace ns',
  ConfigMap: 'configmaps configmap cm',
  Event: 'events event ev',
};
const kindByName = new Map(Object.entries(kinds).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind])));

const options = {
  resource: { type: 'string' },
  name: { type: 'string' },
  namespace: { type: 'string', short: 'n' },
  selector: { type: 'string', short: 'l' },
  view: { type: 'string', default: 'brief' },
  limit: { type: 'string', default: '200' },
  format: { type: 'string', default: 'text' },
  'fail-on': { type: 'string' },
  snapshot: { type: 'string' },
  sample: { type: 'boolean', default: false },
  'or-sample': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

function parsed(argv) {
  try {
    return parseArgs({ args: argv, options, allowPositionals: true });
  } catch (error) {
    throw new UserError(`${line(error.message)} (see --help)`);
  }
}

function readSnapshot(values) {
  const sample = () => new Cluster(parseSnapshot(readFileSync(new URL('../assets/sample-cluster.json', import.meta.url), 'utf8')), 'sample');
  if (values.sample) return sample();
  let bytes;
  try {
    bytes = values.snapshot === undefined && process.stdin.isTTY ? Buffer.alloc(0) : readFileSync(values.snapshot ?? 0);
  } catch (error) {
    if (values.snapshot === undefined && /^(EAGAIN|EOF|EBADF)$/.test(error.code)) bytes = Buffer.alloc(0);
    else throw new UserError(`the snapshot cannot be read (${error.code ?? line(error.message)})`);
  }
  if (bytes.length === 0 && values['or-sample']) return sample();
  if (bytes.length > MOST_BYTES) throw new UserError('the snapshot is larger than 128 MB; take one of fewer namespaces');
  const isWide = bytes.length > 1 && ((bytes[0] === 0xff && bytes[1] === 0xfe) || bytes[1] === 0);
  return new Cluster(parseSnapshot(bytes.toString(isWide ? 'utf16le' : 'utf8')), 'given');
}

const sourceInWords = (cluster) =>
  cluster.source === 'sample' ? 'the sample cluster that comes with this skill, not a real one' : `the snapshot that was given (${plural(cluster.objects.length, 'object')})`;

function kindOf(resource) {
  if (resource === undefined) throw new UserError('--resource is missing, for example --resource pods');
  const wanted = resource.toLowerCase().split('.')[0];
  const kind = kindByName.get(wanted);
  if (kind === undefined) throw new UserError(`unknown resource "${line(resource, 60)}". Known: ${Object.values(kinds).map((names) => names.split(' ')[0]).join(', ')}`);
  return kind;
}

function chosen(cluster, kind, { name, namespace, selector }) {
  const isMeant = selectorOf(selector ?? '');
  return cluster.kind(kind).filter((object) => {
    const inSpace = namespace === undefined || spaceOf(object) === namespace || spaceOf(object) === '';
    return inSpace && (name === undefined || nameOf(object) === name) && isMeant(labelsOf(object));
  });
}

function get(cluster, values) {
  const kind = kindOf(values.resource);
  const limit = Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1) throw new UserError('--limit must be a whole number from 1 on');
  if (!/^(brief|full)$/.test(values.view)) throw new UserError('--view must be brief or full');
  const found = chosen(cluster, kind, values);
  if (found.length === 0 && values.name !== undefined) throw new UserError(notThere(cluster, kind, values));
  const events = new Map(cluster.events.map((event) => [event.event, event]));
  const form = values.view === 'full' ? whole : (object) => (kind === 'Event' ? briefEvent(events.get(object), cluster) : brief(object, cluster));
  const recent = kind === 'Event' ? found.toSorted((one, other) => (events.get(other).last ?? 0) - (events.get(one).last ?? 0)) : found;
  const items = recent.slice(0, limit).map(form);
  const note = cluster.kind(kind).length === 0 ? { note: `the snapshot holds no ${kind} at all; it may not have been asked for` } : {};
  return `${JSON.stringify({ items, total: found.length, source: sourceInWords(cluster), ...note }, null, 2)}\n`;
}

function notThere(cluster, kind, { name, namespace }) {
  const where = namespace === undefined ? '' : ` in namespace ${line(namespace, 80)}`;
  const begin = name.slice(0, 4).toLowerCase();
  const near = cluster.kind(kind).filter((object) => nameOf(object).toLowerCase().includes(begin)).slice(0, 5).map((object) => shownAs(object));
  return `no ${kind} "${line(name, 100)}"${where} in ${sourceInWords(cluster)}.${near.length > 0 ? ` Near: ${near.join(', ')}.` : ''}`;
}

function describe(cluster, values) {
  const kind = kindOf(values.resource);
  if (values.name === undefined) throw new UserError('--name is missing: which one?');
  const found = chosen(cluster, kind, values);
  if (found.length === 0) throw new UserError(notThere(cluster, kind, values));
  if (found.length > 1) throw new UserError(`several are called so: ${found.map(shownAs).join(', ')}. Add --namespace`);
  const [object] = found;
  const owner = cluster.workloadOf(object);
  const pods = kind === 'Service' ? cluster.podsFor(spaceOf(object), object.spec?.selector) : kind === 'Node' ? cluster.kind('Pod').filter((pod) => pod.spec?.nodeName === nameOf(object)) : kind === 'Pod' ? [] : cluster.podsOf(object);
  const names = new Set([shownAs(object), shownAs(owner)]);
  const concerned = triage(cluster).findings.filter((one) => names.has(one.object) || one.pods?.includes(nameOf(object)));
  const lines = [
    `${shownAs(object)}, in ${sourceInWords(cluster)}`,
    ...described(brief(object, cluster)).map((one) => `  ${one}`),
    ...(keyFor(owner) === keyFor(object) ? [] : [`  belongs to: ${shownAs(owner)}`]),
    ...(pods.length === 0 ? [] : ['', `Pods (${pods.length}):`, ...pods.slice(0, 30).map((pod) => `  ${nameOf(pod)}: ${described(brief(pod, cluster)).join('; ')}`)]),
    ...conditions(object),
    ...happened(cluster, object),
    ...(concerned.length === 0 ? [] : ['', 'What triage says of it:', ...concerned.map((one) => `  [${one.severity}] ${one.object}: ${one.problem}${one.next.length > 0 ? ` -> ${one.next[0]}` : ''}`)]),
  ];
  return `${lines.join('\n')}\n`;
}

function conditions(object) {
  const all = tables(object.status?.conditions).slice(0, 20);
  return all.length === 0 ? [] : ['', 'Conditions:', ...all.map(({ type, status, reason, message }) => line(`  ${type}=${status}${reason ? ` (${reason})` : ''}${message ? `: ${message}` : ''}`).replace(/^/, '  '))];
}

function happened(cluster, object) {
  const events = cluster.eventsOf(object).slice(0, 15);
  if (events.length === 0) return ['', 'Events: none in the snapshot'];
  return ['', 'Events, the latest first:', ...events.map(({ type, reason, message, count, last }) => `  ${type} ${reason} (${count}x${cluster.since(last) === null ? '' : `, ${span(cluster.since(last))} before the snapshot`}): ${message}`)];
}

function triaged(cluster, values) {
  if (!/^(text|json)$/.test(values.format)) throw new UserError('--format must be text or json');
  const failOn = values['fail-on'];
  if (failOn !== undefined && !/^(critical|warning)$/.test(failOn)) throw new UserError('--fail-on must be critical or warning');
  const { namespace } = values;
  const result = triage(cluster, { namespace });
  if (namespace !== undefined && !cluster.objects.some((object) => spaceOf(object) === namespace)) {
    throw new UserError(`nothing in ${sourceInWords(cluster)} is in a namespace "${line(namespace, 80)}"`);
  }
  if (result.findings.some(({ severity }) => severity === 'critical' || severity === failOn) && failOn !== undefined) process.exitCode = 1;
  const asOf = cluster.asOf === null ? null : new Date(cluster.asOf).toISOString();
  if (values.format === 'json') return `${JSON.stringify({ source: sourceInWords(cluster), asOf, ...result }, null, 2)}\n`;
  const ignored = cluster.ignored > 0 ? [`${plural(cluster.ignored, 'entry', 'entries')} that are no Kubernetes objects were left out.`] : [];
  return inWords(result, cluster, [`Triage of ${sourceInWords(cluster)}${asOf === null ? '' : `, as of about ${asOf}`}.`, ...ignored]);
}

const commands = { get, describe, triage: triaged };

function main(argv) {
  const { values, positionals } = parsed(argv);
  if (values.help) return `${HELP}\n`;
  const [command, ...rest] = positionals;
  if (rest.length > 0 || !Object.hasOwn(commands, command ?? '')) throw new UserError('the first argument must be get, describe or triage, and nothing may follow but options (see --help)');
  return commands[command](readSnapshot(values), values);
}

try {
  process.stdout.write(main(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`cluster: ${error.message}\n`);
  process.exitCode = 2;
}
