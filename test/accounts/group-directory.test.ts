import { expect } from 'chai';
import { createGroupDirectory } from '../../src/accounts/group-directory.ts';
import type { Group } from '../../src/projections/groups.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The group directory', () => {
  it('refuses names and titles with invisible characters', async () => {
    const unusedPart = {} as never;
    const parts = {
      groupCommands: unusedPart,
      userCommands: unusedPart,
      groups: { listByUser: () => [], all: () => [] },
    };
    const directory = createGroupDirectory({ ...parts, mintGroupId: () => 'group' as never });
    for (const name of ['\u202eStaff', 'St\u200baff', 'Staff\0']) {
      expect(await directory.create(name, OPERATOR)).to.equal('invalid');
      expect(await directory.changeTitle({ name: 'staff' } as Group, name, OPERATOR)).to.equal('invalid');
    }
  });

  it('refuses names that differ only in case, and leaves groups from earlier versions unchanged', async () => {
    const streams: string[] = [];
    const groups: Group[] = [];
    const directory = createGroupDirectory({
      groupCommands: {
        execute: (stream: string, { name }: { readonly name: string }) => {
          streams.push(stream);
          groups.push({ name } as Group);
          return Promise.resolve({});
        },
      } as never,
      userCommands: {} as never,
      groups: { listByUser: () => [], all: () => groups },
      mintGroupId: () => 'group' as never,
    });
    expect(await directory.create('Staff', OPERATOR)).to.equal(undefined);
    expect(await directory.create('STAFF', OPERATOR)).to.deep.equal({ takenBy: 'Staff' });

    // Earlier versions named streams after the exact names.
    groups.push({ name: 'Sales' } as Group, { name: 'sales' } as Group);
    expect(await directory.create('SALES', OPERATOR)).to.deep.equal({ takenBy: 'Sales' });
    expect(streams).to.have.lengthOf(1);

    groups.length = 0; // The projection lags behind, so the stream decides.
    for (const name of ['staff', 'sTaff']) await directory.create(name, OPERATOR).then(() => (groups.length = 0));
    expect(new Set(streams).size).to.equal(1);
  });
});
