import { describe, expect, it } from 'vitest';
import { cannotMeet, type FolderUse, folderUseOf } from './folder-use.ts';

/** The use of folders such as `write:/data`, by a container or by another kind of run. */
function use(by: 'container' | 'command', ...rules: readonly string[]): FolderUse {
  const folders = rules.map((rule) => {
    const [access = '', source = ''] = rule.split(':');
    return { source, access: access as 'read' | 'write' };
  });
  return { byName: by === 'container', folders };
}

describe('runs that are given folders of this machine', () => {
  const inner = 'read:/data/inner';
  it.each([
    [use('container', 'write:/data'), use('container', 'write:/data')],
    [use('container', 'write:/data'), use('command', 'write:/data/inner')],
    [use('container', 'write:/data/inner'), use('command', 'read:/other', 'write:/data')],
    [use('container', inner), use('command', 'write:/data')],
    [use('container', inner), use('container', 'write:/data', 'read:/other')],
  ])('take turns where one could turn what the other is given by name into a link (%#)', (one, other) => {
    expect([cannotMeet(one, other), cannotMeet(other, one)]).toEqual([true, true]);
  });

  it.each([
    [use('command', 'write:/data'), use('command', 'write:/data')],
    [use('container', inner), use('command', 'read:/data')],
    [use('container', 'read:/data'), use('command', 'write:/data')],
    [use('container', 'read:/data'), use('container', 'write:/data/inner')],
    [use('container', 'write:/data'), use('container', 'write:/database')],
  ])('run beside each other elsewhere (%#)', (one, other) => {
    expect([cannotMeet(one, other), cannotMeet(other, one)]).toEqual([false, false]);
  });

  it('are told from those that concern nobody', () => {
    const read = [{ source: '/data', target: '/data', access: 'read' }] as const;
    const command = { kind: 'command', program: 'x', args: [] } as const;
    const container = { kind: 'container', image: 'x', args: [] } as const;
    expect(folderUseOf({ task: command, mounts: read })).toBeNull();
    expect(folderUseOf({ task: container, mounts: [] })).toBeNull();
    expect(folderUseOf({ task: container, mounts: read })).toEqual(use('container', 'read:/data'));
  });
});
