import { expect } from 'chai';
import { createGroups } from '../../src/projections/groups.ts';
import { groupId } from '../support/domain-values.ts';
import { recording } from '../support/recording.ts';

describe('the groups', () => {
  it('are numbered in the order of the log, and paged', () => {
    const groups = createGroups();
    const { record } = recording(groups);
    const names = ['Staff', 'Editors', 'Readers'];
    names.forEach((name) => record(`group-${name}`, { type: 'GroupCreated', data: { groupId: groupId(name), name } }));
    expect(groups.all()).to.deep.equal([
      { id: 1, name: 'Staff' },
      { id: 2, name: 'Editors' },
      { id: 3, name: 'Readers' },
    ]);
    expect(groups.page(1, 1)).to.deep.equal([{ id: 2, name: 'Editors' }]);
    expect(groups.page(1, 9)).to.deep.equal([
      { id: 2, name: 'Editors' },
      { id: 3, name: 'Readers' },
    ]);
    expect(groups.page(3, 9)).to.deep.equal([]);
  });
});
