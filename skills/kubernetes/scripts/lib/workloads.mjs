import { isReady } from './pod-state.mjs';
import { conditionOf, keyFor, keyOf, nameOf, shownAs, spaceOf, specOf, statusOf } from './snapshot.mjs';
import { line, number, plural, table, tables, text } from './values.mjs';

/** Kinds that want a number of pods, and where they say how many there are. */
const counted = {
  Deployment: (object) => ({ wanted: wanted(object), there: number(statusOf(object).availableReplicas) }),
  StatefulSet: (object) => ({ wanted: wanted(object), there: number(statusOf(object).readyReplicas) }),
  DaemonSet: (object) => ({ wanted: number(statusOf(object).desiredNumberScheduled), there: number(statusOf(object).numberReady) }),
};

const wanted = (object) => number(specOf(object).replicas ?? 1);

function finding(object, rest) {
  return { group: `${rest.rule}|${keyFor(object)}`, object, pods: [], covers: [keyFor(object)], needs: [], ...rest };
}

export function workloadFindings(cluster) {
  return [
    ...Object.entries(counted).flatMap(([kind, count]) => cluster.kind(kind).flatMap((object) => missing(object, count(object), cluster))),
    ...cluster.kind('Job').flatMap((job) => jobs(job, cluster)),
    ...cluster.kind('HorizontalPodAutoscaler').flatMap(scalers),
  ];
}

function missing(object, { wanted: many, there }, cluster) {
  const stalled = conditionOf(object, 'Progressing');
  const isStalled = stalled?.status === 'False';
  if (there >= many && !isStalled) return [];
  const refused = refusals(object, cluster);
  const pods = cluster.podsOf(object);
  const old = cluster.since(table(object.metadata).creationTimestamp);
  return [
    finding(object, {
      rule: isStalled ? 'rollout-stalled' : 'replicas-missing',
      severity: there === 0 && many > 0 ? 'critical' : 'warning',
      what: isStalled && there >= many ? 'the rollout does not get on; the old pods still serve' : `${there} of ${many} replicas are available`,
      evidence: [
        ...(isStalled ? [line(stalled.message || stalled.reason)] : []),
        ...refused.map((event) => `${event.reason}: ${event.message} (${event.count}x)`).slice(0, 2),
        ...(pods.length === 0 && refused.length === 0 && many > 0 ? [`no pod of it is in the snapshot${old !== null && old < 60_000 ? '; it is less than a minute old' : ''}`] : []),
        ...(specOf(object).paused === true ? ['the rollout is paused'] : []),
      ],
      next: [
        refused.some(({ message }) => /quota/.test(message))
          ? `kubectl describe resourcequota -n ${spaceOf(object)}`
          : isStalled
            ? `kubectl rollout status ${text(object.kind).toLowerCase()}/${nameOf(object)} -n ${spaceOf(object)}; if it must serve now: kubectl rollout undo`
            : `kubectl describe ${text(object.kind).toLowerCase()} ${nameOf(object)} -n ${spaceOf(object)}`,
      ],
      // A refusal to create pods is a cause of its own: there is no pod to blame.
      needs: refused.length > 0 ? [] : pods.map(keyFor),
    }),
  ];
}

/** Pods that were never made, as the workload or its ReplicaSets say. */
function refusals(object, cluster) {
  const sets = object.kind === 'Deployment' ? cluster.setsOf(object) : [];
  return [object, ...sets].flatMap((one) => cluster.warningsOf(one, /^FailedCreate$/));
}

function jobs(job, cluster) {
  const failed = conditionOf(job, 'Failed');
  if (failed?.status !== 'True') return [];
  const pods = (cluster.podsBySpace.get(spaceOf(job)) ?? []).filter((pod) => keyFor(cluster.ownerOf(pod) ?? pod) === keyFor(job));
  const parent = cluster.workloadOf(job);
  return [
    finding(job, {
      rule: 'job-failed',
      severity: 'warning',
      what: `failed for good (${line(failed.reason, 60)})${keyFor(parent) === keyFor(job) ? '' : `, started by ${shownAs(parent)}`}`,
      evidence: [line(failed.message), `${plural(number(statusOf(job).failed), 'attempt')} failed`].filter((one) => one !== ''),
      next: [pods.length === 0 ? `kubectl describe job ${nameOf(job)} -n ${spaceOf(job)}` : `kubectl logs -n ${spaceOf(job)} job/${nameOf(job)} --all-containers`],
      // Its failed pods are what it is made of, and not worth findings of their own.
      covers: [keyFor(job), ...pods.map(keyFor)],
    }),
  ];
}

function scalers(scaler) {
  const found = [];
  const blind = ['ScalingActive', 'AbleToScale'].map((type) => conditionOf(scaler, type)).find((condition) => condition?.status === 'False');
  if (blind !== undefined && blind.reason !== 'ScalingDisabled') {
    found.push(
      finding(scaler, {
        rule: 'autoscaler-blind',
        severity: 'warning',
        what: `cannot scale (${line(blind.reason, 60)})`,
        evidence: [line(blind.message)],
        next: [/metric/i.test(text(blind.message)) ? 'kubectl top pods: is a metrics server running, and do all containers have requests?' : `kubectl describe hpa ${nameOf(scaler)} -n ${spaceOf(scaler)}`],
      }),
    );
  }
  const limited = conditionOf(scaler, 'ScalingLimited');
  if (limited?.status === 'True' && limited.reason === 'TooManyReplicas') {
    found.push(
      finding(scaler, {
        rule: 'autoscaler-at-limit',
        severity: 'info',
        what: `wants more than its ${number(specOf(scaler).maxReplicas)} replicas`,
        evidence: [line(limited.message)],
        next: ['raise maxReplicas if the nodes have room, or find out where the load comes from'],
      }),
    );
  }
  return found;
}

/** Services, and what leads to them. */
export function serviceFindings(cluster) {
  return [...cluster.kind('Service').flatMap((service) => servicesWithout(service, cluster)), ...cluster.kind('Ingress').flatMap((ingress) => ingresses(ingress, cluster))];
}

function servicesWithout(service, cluster) {
  const { selector, type } = specOf(service);
  if (type === 'ExternalName' || Object.keys(table(selector)).length === 0 || !cluster.byKind.has('Pod')) return [];
  const pods = cluster.podsFor(spaceOf(service), selector);
  const found = pods.length === 0 ? [nothingSelected(service, cluster)] : pods.some(isReady) ? wrongPorts(service, pods) : [nothingReady(service, pods)];
  const waits = type === 'LoadBalancer' && tables(table(statusOf(service).loadBalancer).ingress).length === 0;
  return waits ? [...found, withoutAddress(service, cluster)] : found;
}

function nothingReady(service, pods) {
  return finding(service, {
    rule: 'no-endpoints',
    severity: 'critical',
    what: `has no endpoints: none of its ${plural(pods.length, 'pod')} is ready`,
    evidence: [`selector ${labels(specOf(service).selector)}`],
    next: ['put the pods right; the service itself is in order'],
    needs: pods.map(keyFor),
  });
}

function nothingSelected(service, cluster) {
  const { selector } = specOf(service);
  const near = nearest(service, cluster);
  const idle = cluster.kind('Deployment', 'StatefulSet').find((one) => spaceOf(one) === spaceOf(service) && wanted(one) === 0 && matches(table(table(specOf(one).template).metadata).labels, selector));
  return finding(service, {
    rule: 'no-endpoints',
    severity: idle === undefined ? 'critical' : 'info',
    what: 'has no endpoints: its selector matches no pod',
    evidence: [
      `selector ${labels(selector)}`,
      ...(idle === undefined ? [] : [`${shownAs(idle)} would match and is scaled to 0`]),
      ...(near === null ? [] : [`${shownAs(near.workload)} comes near: its pods have ${near.differs}`]),
    ],
    next: [idle !== undefined ? `kubectl scale -n ${spaceOf(service)} ${idle.kind.toLowerCase()}/${nameOf(idle)} --replicas=1, if it should serve` : near !== null ? 'make the selector and the labels agree; a change of the selector takes effect at once' : `kubectl get pods -n ${spaceOf(service)} --show-labels`],
    // With a workload that could make no pods, that is the reason.
    needs: cluster.kind('Deployment', 'StatefulSet', 'DaemonSet').filter((one) => spaceOf(one) === spaceOf(service) && matches(table(table(specOf(one).template).metadata).labels, selector)).map(keyFor),
  });
}

const matches = (have, selector) => Object.entries(table(selector)).every(([key, value]) => table(have)[key] === value);
const labels = (set) => line(Object.entries(table(set)).map(([key, value]) => `${key}=${value}`).join(','), 200);

/** The pods that miss the selector by one label: a slip of the pen, most likely. */
function nearest(service, cluster) {
  const wantedLabels = Object.entries(table(specOf(service).selector));
  for (const pod of cluster.podsBySpace.get(spaceOf(service)) ?? []) {
    const have = table(table(pod.metadata).labels);
    const wrong = wantedLabels.filter(([key, value]) => have[key] !== value);
    const [[key, value] = []] = wrong;
    const isSlip = wantedLabels.length > 1 || alike(String(have[key] ?? ''), String(value));
    if (wrong.length === 1 && isSlip) return { workload: cluster.workloadOf(pod), differs: have[key] === undefined ? `no label ${line(key, 80)}` : line(`${key}=${have[key]}`, 120) };
  }
  return null;
}

/** The same but for an ending or a sign between words. */
function alike(one, other) {
  const [a, b] = [one, other].map((word) => word.toLowerCase().replace(/[^a-z0-9]/g, ''));
  return a !== '' && b !== '' && (a.startsWith(b) || b.startsWith(a)) && Math.abs(a.length - b.length) <= 4;
}

/** A port by name that no container has. */
function wrongPorts(service, pods) {
  const names = new Set(pods.flatMap((pod) => tables(specOf(pod).containers)).flatMap(({ ports }) => tables(ports)).map(({ name }) => name));
  const wrong = tables(specOf(service).ports).filter(({ targetPort }) => typeof targetPort === 'string' && !/^\d+$/.test(targetPort) && !names.has(targetPort));
  return wrong.map(({ port, targetPort }) =>
    finding(service, {
      rule: 'wrong-port',
      severity: 'critical',
      what: `port ${line(port, 10)} leads to "${line(targetPort, 40)}", and no container has a port of that name`,
      evidence: [`ports of its pods: ${[...names].filter((name) => typeof name === 'string').join(', ') || 'none with a name'}`],
      next: ['name the port in the container, or give targetPort as a number'],
    }),
  );
}

function withoutAddress(service, cluster) {
  const [event] = cluster.warningsOf(service);
  return finding(service, {
    rule: 'no-address',
    severity: 'warning',
    what: 'is of type LoadBalancer and has no address from outside yet',
    evidence: [event === undefined ? 'no event says why' : `${event.reason}: ${event.message}`],
    next: ['is there a controller that gives out addresses? If not, use NodePort or an Ingress'],
  });
}

function ingresses(ingress, cluster) {
  const paths = tables(specOf(ingress).rules).flatMap((rule) => tables(table(rule.http).paths).map((path) => ({ host: text(rule.host) || '*', ...path })));
  const backends = [...paths.map(({ host, path, backend }) => ({ from: `${host}${text(path)}`, service: text(table(table(backend).service).name) })), ...fallback(ingress)];
  return backends
    .filter(({ service }) => service !== '')
    .flatMap(({ from, service }) => {
      const target = cluster.get('Service', spaceOf(ingress), service);
      const base = { severity: 'critical', evidence: [`${line(from, 120)} → Service ${line(service, 80)}`], needs: [keyOf('Service', spaceOf(ingress), service)] };
      if (target === undefined && !cluster.byKind.has('Service')) return [];
      if (target === undefined) return [finding(ingress, { ...base, rule: 'no-service', group: `no-service|${keyFor(ingress)}|${service}`, what: `leads to the service ${line(service, 80)}, which does not exist`, next: [`kubectl get services -n ${spaceOf(ingress)}`], needs: [] })];
      // Kept only where the service itself turns out to be in trouble.
      return [finding(ingress, { ...base, rule: 'ingress-without-backend', group: `ingress|${keyFor(ingress)}|${from}`, onlyIfCaused: true, what: `answers with an error for ${line(from, 120)}`, next: ['put the service right; the ingress itself is in order'] })];
    });
}

function fallback(ingress) {
  const service = text(table(table(specOf(ingress).defaultBackend).service).name);
  return service === '' ? [] : [{ from: '(default)', service }];
}
