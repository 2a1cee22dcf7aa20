import { count, oneLine } from '../../../../core/text/text.ts';
import { allow as operation } from '../../../../engine/operations/running/allow.ts';
import { defineCommand } from '../../command.ts';

export const allow = defineCommand({
  operation,
  spelling: {
    skill: { positional: true, value: 'SKILL', completes: 'skill' },
    digest: { value: 'DIGEST' },
    reason: { value: 'TEXT' },
  },
  about:
    'Lets one version of a skill out of quarantine, after you have read what the scan found. The digest names the version: ' +
    'when any file changes, the skill is judged again. Who allowed it, when and why is recorded in the audit log.',
  examples: [
    { run: 'repertoire scan release-notes', what: 'read what was found, and the digest' },
    {
      run: "repertoire allow release-notes --digest sha256:… --reason 'our own installer, read by Ada'",
      what: 'let that version out',
    },
    { run: 'repertoire audit --result allowed', what: 'what was allowed, by whom, and why' },
  ],
  print({ skill, report }, { terminal }) {
    return [
      `${terminal.style('green', 'allowed')} ${oneLine(skill)}, with ${count(report.findings.length, 'finding')}.`,
    ];
  },
});
