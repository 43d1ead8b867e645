import { expect } from 'chai';
import { createGroupDirectory } from '../../src/accounts/group-directory.ts';
import type { Group } from '../../src/projections/groups.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

describe('The directory of groups', () => {
  it('refuses names and titles with invisible characters', async () => {
    const unused = {} as never;
    const parts = { groupCommands: unused, userCommands: unused, groups: { listByUser: () => [], all: () => [] } };
    const directory = createGroupDirectory({ ...parts, mintGroupId: () => 'group' as never });
    for (const name of ['\u202eStaff', 'St\u200baff', 'Staff\0']) {
      expect(await directory.create(name, OPERATOR)).to.equal('invalid');
      expect(await directory.changeTitle({ name: 'staff' } as Group, name, OPERATOR)).to.equal('invalid');
    }
  });

  it('refuses names that differ only in case, and leaves existing groups of earlier versions unchanged', async () => {
    const streams: string[] = [];
    const all: Group[] = [];
    const directory = createGroupDirectory({
      groupCommands: {
        execute: (stream: string, { name }: { readonly name: string }) => {
          streams.push(stream);
          all.push({ name } as Group);
          return Promise.resolve({});
        },
      } as never,
      userCommands: {} as never,
      groups: { listByUser: () => [], all: () => all },
      mintGroupId: () => 'group' as never,
    });
    expect(await directory.create('Staff', OPERATOR)).to.equal(undefined);
    expect(await directory.create('STAFF', OPERATOR)).to.deep.equal({ taken: 'Staff' });

    // Earlier versions named streams after the exact names.
    all.push({ name: 'Sales' } as Group, { name: 'sales' } as Group);
    expect(await directory.create('SALES', OPERATOR)).to.deep.equal({ taken: 'Sales' });
    expect(streams).to.have.lengthOf(1);

    all.length = 0; // the projection lags behind, and the stream decides
    for (const name of ['staff', 'sTaff']) await directory.create(name, OPERATOR).then(() => (all.length = 0));
    expect(new Set(streams).size).to.equal(1);
  });
});
