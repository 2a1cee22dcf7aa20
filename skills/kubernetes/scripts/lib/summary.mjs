import { podColumns } from './pod-state.mjs';
import { conditionOf, labelsOf, nameOf, spaceOf, specOf, statusOf } from './snapshot.mjs';
import { line, list, number, span, table, tables, text } from './values.mjs';

/** The columns that people know from kubectl, for each kind. */
const columns = {
  Pod: podColumns,
  Deployment: replicas,
  StatefulSet: replicas,
  ReplicaSet: replicas,
  DaemonSet: ({ status }) => ({
    desired: number(table(status).desiredNumberScheduled),
    ready: number(table(status).numberReady),
    upToDate: number(table(status).updatedNumberScheduled),
  }),
  Job: (job) => ({
    succeeded: number(statusOf(job).succeeded),
    failed: number(statusOf(job).failed),
    active: number(statusOf(job).active),
    wanted: number(specOf(job).completions) || 1,
  }),
  CronJob: (job) => ({
    schedule: text(specOf(job).schedule),
    suspended: specOf(job).suspend === true,
    lastScheduled: text(statusOf(job).lastScheduleTime) || null,
  }),
  Service: (service) => ({
    type: text(specOf(service).type) || 'ClusterIP',
    clusterIP: text(specOf(service).clusterIP) || null,
    ports: tables(specOf(service).ports).map(({ port, targetPort, protocol }) => `${port}→${targetPort ?? port}/${text(protocol) || 'TCP'}`),
    selector: table(specOf(service).selector),
  }),
  Node: (node) => ({
    ready: conditionOf(node, 'Ready')?.status ?? 'Unknown',
    cordoned: specOf(node).unschedulable === true,
    pressure: ['MemoryPressure', 'DiskPressure', 'PIDPressure'].filter((type) => conditionOf(node, type)?.status === 'True'),
    version: text(table(statusOf(node).nodeInfo).kubeletVersion),
    allocatable: { cpu: table(statusOf(node).allocatable).cpu ?? null, memory: table(statusOf(node).allocatable).memory ?? null },
  }),
  PersistentVolumeClaim: (claim) => ({
    phase: text(statusOf(claim).phase),
    storageClass: text(specOf(claim).storageClassName) || null,
    requested: table(table(specOf(claim).resources).requests).storage ?? null,
    volume: text(specOf(claim).volumeName) || null,
  }),
  Ingress: (ingress) => ({
    class: text(specOf(ingress).ingressClassName) || null,
    rules: tables(specOf(ingress).rules).flatMap((rule) =>
      tables(table(rule.http).paths).map(({ path, backend }) => `${text(rule.host) || '*'}${text(path)} → ${text(table(table(backend).service).name)}`),
    ),
  }),
  HorizontalPodAutoscaler: (scaler) => ({
    target: `${text(table(specOf(scaler).scaleTargetRef).kind)}/${text(table(specOf(scaler).scaleTargetRef).name)}`,
    current: number(statusOf(scaler).currentReplicas),
    least: number(specOf(scaler).minReplicas) || 1,
    most: number(specOf(scaler).maxReplicas),
  }),
};

function replicas(workload) {
  const { replicas: wanted = 1 } = specOf(workload);
  const { readyReplicas, updatedReplicas, availableReplicas } = statusOf(workload);
  return { desired: number(wanted), ready: number(readyReplicas), upToDate: number(updatedReplicas), available: number(availableReplicas) };
}

/** What is worth an agent's attention: names, labels and the columns; events as they read. */
export function brief(object, cluster) {
  const kind = text(object.kind);
  const { creationTimestamp } = table(object.metadata);
  const age = cluster.since(creationTimestamp);
  const metadata = {
    name: nameOf(object),
    ...(spaceOf(object) !== '' && { namespace: spaceOf(object) }),
    ...(Object.keys(labelsOf(object)).length > 0 && { labels: labelsOf(object) }),
  };
  const form = Object.hasOwn(columns, kind) ? columns[kind] : undefined;
  return { kind, metadata, summary: { ...form?.(object), ...(age !== null && { age: span(age) }) } };
}

export function briefEvent({ kind, namespace, name, type, reason, message, count, last, event }, cluster) {
  const age = cluster.since(last);
  return {
    kind: 'Event',
    metadata: { name: nameOf(event), namespace: spaceOf(event) },
    summary: { type, reason, about: `${kind} ${namespace === '' ? '' : `${namespace}/`}${name}`, count, ...(age !== null && { lastSeen: span(age) }), message },
  };
}

const noisy = ['managedFields', 'selfLink', 'uid', 'resourceVersion', 'generation', 'generateName'];
const applied = 'kubectl.kubernetes.io/last-applied-configuration';

/** The whole object, without what only machines read, and without values that may be secrets. */
export function whole(object) {
  const { metadata, ...rest } = structuredClone(object);
  const kept = Object.fromEntries(Object.entries(table(metadata)).filter(([key]) => !noisy.includes(key)));
  if (typeof kept.annotations === 'object' && kept.annotations !== null) delete kept.annotations[applied];
  if (/^(Secret|ConfigMap)$/.test(object.kind)) {
    for (const key of ['data', 'stringData', 'binaryData']) if (rest[key] !== undefined) rest[key] = hiddenIn(rest[key]);
  }
  for (const spec of podSpecs(rest)) {
    for (const container of ['containers', 'initContainers', 'ephemeralContainers'].flatMap((key) => tables(spec[key]))) {
      for (const variable of tables(container.env)) if (variable.value !== undefined) variable.value = '(hidden)';
    }
  }
  return { kind: rest.kind, apiVersion: rest.apiVersion, metadata: kept, ...rest };
}

const hiddenIn = (data) => Object.fromEntries(Object.keys(table(data)).map((key) => [key, '(hidden)']));

/** A pod's own, and those in the templates of workloads. */
function podSpecs(object) {
  const spec = table(object.spec);
  const template = table(table(spec.template).spec);
  const job = table(table(table(table(spec.jobTemplate).spec).template).spec);
  return [spec, template, job];
}

/** One object in lines, as a person would have it described. */
export function described(object) {
  const { summary } = object;
  return Object.entries(summary).map(([key, value]) => `${key}: ${line(shown(value), 500)}`);
}

function shown(value) {
  if (Array.isArray(value)) return list(value).map(shown).join(', ') || 'none';
  if (value === null || value === undefined || value === '') return 'none';
  return typeof value === 'object' ? Object.entries(value).map(([key, one]) => `${key}=${shown(one)}`).join(', ') || 'none' : String(value);
}
