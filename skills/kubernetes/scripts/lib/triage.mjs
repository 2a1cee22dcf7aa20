import { claimFindings, nodeFindings, warningFindings } from './nodes.mjs';
import { podFindings } from './pods.mjs';
import { keyFor, nameOf, shownAs, spaceOf } from './snapshot.mjs';
import { plural, some } from './values.mjs';
import { serviceFindings, workloadFindings } from './workloads.mjs';

const ranks = { critical: 0, warning: 1, info: 2 };
const MOST_EVENTS = 10;
const MOST_FINDINGS = 200;

/**
 * What is wrong, causes before consequences. A finding whose object depends on objects of other findings (a service
 * on its pods, a pod on its node) is a consequence of those.
 */
export function triage(cluster, { namespace = '' } = {}) {
  const jobs = workloadFindings(cluster);
  const covered = new Set(jobs.filter(({ rule }) => rule === 'job-failed').flatMap(({ covers }) => covers));
  const pods = cluster.kind('Pod').filter((pod) => !covered.has(keyFor(pod))).flatMap((pod) => podFindings(pod, cluster));
  const all = merged([...nodeFindings(cluster), ...claimFindings(cluster), ...pods, ...jobs, ...serviceFindings(cluster)]);
  const linked = link(folded(link(all))).filter(({ onlyIfCaused, causes }) => !onlyIfCaused || causes.length > 0);
  const known = new Set(linked.filter(({ object }) => !/^(Service|Ingress)$/.test(object.kind)).flatMap(({ covers }) => covers));
  const events = warningFindings(cluster, (key) => known.has(key)).map((one) => ({ ...one, causes: [] }));
  const mine = (list) => list.filter(({ object }) => namespace === '' || spaceOf(object) === namespace || spaceOf(object) === '');
  const [shown, more] = [mine(linked), mine(events)];
  const findings = ordered([...shown, ...more.slice(0, MOST_EVENTS)]);
  const counts = Object.fromEntries(Object.keys(ranks).map((severity) => [severity, findings.filter((one) => one.severity === severity).length]));
  return { counts, findings: numbered(findings).slice(0, MOST_FINDINGS), total: findings.length, moreEvents: Math.max(0, more.length - MOST_EVENTS) };
}

/** The same thing in several pods of a workload is one finding. */
function merged(findings) {
  const groups = new Map();
  for (const finding of findings) {
    const before = groups.get(finding.group);
    if (before === undefined) groups.set(finding.group, { ...finding });
    else {
      before.pods = [...before.pods, ...finding.pods];
      before.covers = [...before.covers, ...finding.covers];
      before.needs = [...before.needs, ...finding.needs];
      if (ranks[finding.severity] < ranks[before.severity]) before.severity = finding.severity;
    }
  }
  return [...groups.values()];
}

function link(findings) {
  const byKey = new Map();
  for (const finding of findings) {
    for (const key of finding.covers) byKey.set(key, [...(byKey.get(key) ?? []), finding]);
  }
  return findings.map((finding) => {
    const causes = new Set(finding.needs.flatMap((key) => byKey.get(key) ?? []));
    causes.delete(finding);
    const { blames = /./ } = finding;
    return Object.assign(finding, { causes: [...causes].filter(({ rule }) => blames.test(rule)) });
  });
}

/** That a workload lacks the replicas which another finding is about is a part of that one. */
function folded(findings) {
  return findings.filter((finding) => {
    const [cause] = finding.causes;
    const isSame = finding.rule === 'replicas-missing' && finding.causes.length === 1 && keyFor(cause.object) === keyFor(finding.object);
    if (!isSame) return true;
    cause.evidence = [finding.what, ...cause.evidence];
    cause.covers = [...cause.covers, ...finding.covers];
    return false;
  });
}

function ordered(findings) {
  const isConsequence = ({ causes }) => (causes.some(({ severity }) => severity !== 'info') ? 1 : 0);
  const place = (finding) => [ranks[finding.severity] === 2 ? 2 : isConsequence(finding), ranks[finding.severity], -finding.pods.length];
  return findings
    .map((finding) => ({ finding, at: place(finding), name: shownAs(finding.object) }))
    .sort((one, other) => {
      const differs = one.at.findIndex((value, index) => value !== other.at[index]);
      return differs === -1 ? one.name.localeCompare(other.name, 'en') : one.at[differs] - other.at[differs];
    })
    .map(({ finding, at: [part] }) => Object.assign(finding, { part: ['cause', 'consequence', 'note'][part] }));
}

function numbered(findings) {
  const ids = new Map(findings.map((finding, index) => [finding, index + 1]));
  return findings.map((finding) => ({
    id: ids.get(finding),
    part: finding.part,
    severity: finding.severity,
    rule: finding.rule,
    object: shownAs(finding.object),
    problem: finding.what,
    ...(finding.pods.length > 0 && nameOf(finding.object) !== finding.pods[0] && { pods: finding.pods }),
    evidence: finding.evidence,
    next: finding.next,
    because: finding.causes.map((cause) => ids.get(cause)).filter((id) => id !== undefined),
  }));
}

const titles = { cause: 'Causes, the worst first', consequence: 'What follows from them', note: 'Worth knowing' };
const dot = { critical: 'CRITICAL', warning: 'warning', info: 'info' };

export function inWords({ counts, findings, total, moreEvents }, cluster, heading) {
  const lines = [...heading, ''];
  lines.push(
    findings.length === 0
      ? 'Nothing wrong was found in this snapshot. That is not proof of health: it holds no logs and no metrics.'
      : `${counts.critical} critical, ${plural(counts.warning, 'warning')}, ${plural(counts.info, 'note')}.`,
  );
  for (const [part, title] of Object.entries(titles)) {
    const mine = findings.filter((one) => one.part === part);
    if (mine.length > 0) lines.push('', `## ${title}`, ...mine.flatMap(oneInWords));
  }
  if (total > findings.length) lines.push('', `… and ${plural(total - findings.length, 'more finding')}. Look at one namespace at a time.`);
  if (moreEvents > 0) lines.push('', `… and ${plural(moreEvents, 'more warning event')} that nothing above explains.`);
  const missing = ['Event', 'Node', 'PersistentVolumeClaim', 'Ingress'].filter((kind) => !cluster.byKind.has(kind));
  if (missing.length > 0) lines.push('', `Not in the snapshot, and so not checked: ${missing.join(', ')}.`);
  return `${lines.join('\n')}\n`;
}

function oneInWords({ id, severity, object, problem, pods = [], evidence, next, because }) {
  return [
    '',
    `${id}. [${dot[severity]}] ${object}: ${problem}${pods.length > 1 ? ` (${pods.length} pods)` : ''}`,
    ...(pods.length > 0 ? [`   pods: ${some(pods, 4)}`] : []),
    ...evidence.map((one) => `   - ${one}`),
    ...(because.length > 0 ? [`   because of: ${because.map((one) => `#${one}`).join(', ')}`] : []),
    ...next.map((one) => `   next: ${one}`),
  ];
}
