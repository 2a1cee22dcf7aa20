import { isObject, line, number, own, table, tables, text, time } from './values.mjs';

/** What the caller can put right. */
export class UserError extends Error {}

const HOW = 'Give the output of: kubectl get all,nodes,events,endpointslices,pvc,ingress -A -o json';
const MOST_OBJECTS = 200_000;
const MOST_DEPTH = 5;

/** The objects in what kubectl printed: a List, several of them in a list, or one object. */
export function parseSnapshot(source) {
  const written = source.replace(/^\ufeff/, '').trim();
  if (written === '') throw new UserError(`the snapshot is empty. ${HOW}`);
  let value;
  try {
    value = JSON.parse(written);
  } catch (error) {
    throw new UserError(`the snapshot is not JSON (${line(error.message, 160)}). ${guess(written)}${HOW}`);
  }
  const objects = [];
  const ignored = gather(value, objects, MOST_DEPTH);
  if (objects.length === 0) throw new UserError(`there are no Kubernetes objects in the snapshot. ${HOW}`);
  return { objects, ignored };
}

function guess(written) {
  const begin = written.slice(0, 10_000);
  if (/^(error|unable|the connection|the server)\b/i.test(begin)) return 'It is an error message of kubectl. ';
  if (/^(apiVersion|items|kind)\s*:/m.test(begin)) return 'It looks like YAML. ';
  if (/^NAME(SPACE)?\s/m.test(begin)) return 'It looks like a table for people: -o json is missing. ';
  if (/^\}\s*\{/m.test(written)) return 'It looks like several answers in a row: ask for all resources in one call. ';
  return written.endsWith('}') ? '' : 'It may be cut off. ';
}

/** Names end up in commands that people copy: what no API server would take as one is not shown at all. */
const isName = (value) => typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._:-]{0,252}$/.test(value);
export const safeName = (value) => (isName(value) ? value : '');

/** Counts what is left out. */
function gather(value, objects, depth) {
  if (depth < 0) return 1;
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + gather(one, objects, depth - 1), 0);
  if (!isObject(value)) return 1;
  const { kind, metadata, items } = value;
  if (Array.isArray(items) && text(table(metadata).name) === '') {
    const listed = text(kind).replace(/List$/, '');
    // A list of one kind may leave that kind out of its items.
    const typed = listed === '' ? items : items.map((item) => (isObject(item) && item.kind === undefined ? { ...item, kind: listed } : item));
    return gather(typed, objects, depth - 1);
  }
  const { name, namespace = '' } = table(metadata);
  const isNamed = isName(kind) && isName(name) && (namespace === '' || isName(namespace));
  if (!isNamed || objects.length >= MOST_OBJECTS) return 1;
  objects.push(value);
  return 0;
}

export const nameOf = (object) => text(table(object.metadata).name);
export const spaceOf = (object) => text(table(object.metadata).namespace);
export const labelsOf = (object) => table(table(object.metadata).labels);
export const keyOf = (kind, namespace, name) => `${kind}/${namespace}/${name}`;
export const keyFor = (object) => keyOf(text(object.kind), spaceOf(object), nameOf(object));
export const statusOf = (object) => table(object.status);
export const specOf = (object) => table(object.spec);

/** How people speak of it: `Pod shop/web-1`. */
export function shownAs(object) {
  const space = spaceOf(object);
  return line(`${text(object.kind)} ${space === '' ? '' : `${space}/`}${nameOf(object)}`, 200);
}

export function conditionOf(object, type) {
  return tables(statusOf(object).conditions).find((condition) => condition.type === type);
}

/** Everything that the tools ask of a snapshot. */
export class Cluster {
  constructor({ objects, ignored }, source) {
    this.source = source;
    this.ignored = ignored;
    this.objects = objects;
    this.byKind = grouped(objects, ({ kind }) => kind);
    this.byKey = new Map(objects.map((object) => [keyFor(object), object]));
    this.events = this.kind('Event').map(eventOf);
    this.eventsByKey = grouped(this.events, ({ about }) => about);
    this.podsBySpace = grouped(this.kind('Pod'), spaceOf);
    this.asOf = latest(objects, this.events);
  }

  kind(...kinds) {
    if (kinds.length === 1) return this.byKind.get(kinds[0]) ?? [];
    return kinds.flatMap((kind) => this.byKind.get(kind) ?? []);
  }

  get(kind, namespace, name) {
    return this.byKey.get(keyOf(kind, namespace, name));
  }

  /** What was noticed about an object, the latest first. */
  eventsOf(object) {
    const events = this.eventsByKey.get(keyFor(object)) ?? [];
    return events.toSorted((one, other) => (other.last ?? 0) - (one.last ?? 0));
  }

  warningsOf(object, pattern = /./) {
    return this.eventsOf(object).filter(({ type, reason }) => type === 'Warning' && pattern.test(reason));
  }

  ownerOf(object) {
    const reference = tables(table(object.metadata).ownerReferences).find(({ controller }) => controller === true);
    if (reference === undefined || reference.kind === 'Node') return null;
    const [kind, name, namespace] = [safeName(reference.kind), safeName(reference.name), spaceOf(object)];
    if (kind === '' || name === '') return null;
    return this.get(kind, namespace, name) ?? { kind, metadata: { name, namespace } };
  }

  /** The workload that a person would name: the Deployment of the ReplicaSet of a pod. */
  workloadOf(object) {
    let current = object;
    for (let depth = 0; depth < 6; depth++) {
      const owner = this.ownerOf(current);
      if (owner === null) break;
      current = owner;
    }
    return current;
  }

  setsOf(workload) {
    this.setsByWorkload ??= grouped(this.kind('ReplicaSet'), (set) => keyFor(this.workloadOf(set)));
    return this.setsByWorkload.get(keyFor(workload)) ?? [];
  }

  podsOf(workload) {
    this.podsByWorkload ??= grouped(this.kind('Pod'), (pod) => keyFor(this.workloadOf(pod)));
    return this.podsByWorkload.get(keyFor(workload)) ?? [];
  }

  /** The pods that a selector means. */
  podsFor(namespace, selector) {
    const wanted = Object.entries(table(selector));
    if (wanted.length === 0) return [];
    return (this.podsBySpace.get(namespace) ?? []).filter((pod) => wanted.every(([key, value]) => own(labelsOf(pod), key) === value));
  }

  /** How long before the snapshot something was, in milliseconds; null where nobody knows. */
  since(when) {
    const at = typeof when === 'number' ? when : time(when);
    return at === null || this.asOf === null ? null : Math.max(0, this.asOf - at);
  }
}

function grouped(values, keyFrom) {
  const groups = new Map();
  for (const value of values) {
    const key = keyFrom(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return groups;
}

/** Both kinds of events there are, core and events.k8s.io, as one. */
function eventOf(event) {
  const about = table(event.involvedObject ?? event.regarding);
  const series = table(event.series);
  const times = [series.lastObservedTime, event.lastTimestamp, event.deprecatedLastTimestamp, event.eventTime];
  return {
    event,
    about: keyOf(safeName(about.kind), safeName(about.namespace), safeName(about.name)),
    kind: safeName(about.kind),
    namespace: safeName(about.namespace),
    name: safeName(about.name),
    type: line(event.type, 20),
    reason: line(event.reason, 80),
    message: line(event.message ?? event.note),
    count: number(series.count) || number(event.count) || number(event.deprecatedCount) || 1,
    last: times.map(time).find((at) => at !== null) ?? time(table(event.metadata).creationTimestamp),
  };
}

/** A snapshot does not say when it was taken; the latest time in it is near enough. */
function latest(objects, events) {
  let most = null;
  const see = (at) => {
    if (at !== null && (most === null || at > most)) most = at;
  };
  for (const { last } of events) see(last);
  for (const object of objects) {
    see(time(table(object.metadata).creationTimestamp));
    for (const condition of tables(statusOf(object).conditions)) {
      see(time(condition.lastHeartbeatTime));
      see(time(condition.lastTransitionTime));
    }
    for (const { state } of tables(statusOf(object).containerStatuses)) {
      see(time(table(table(state).running).startedAt));
      see(time(table(table(state).terminated).finishedAt));
    }
  }
  return most;
}
