import { expect } from 'chai';
import { createGroups, type Groups } from '../../src/projections/groups.ts';
import { groupId, userId } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';

const [ada, bob] = [userId('ada'), userId('bob')];

function setUpGroups(...names: readonly string[]) {
  const groups = createGroups();
  const { record } = createRecording(groups);
  const create = (name: string): void =>
    record(`group-${name}`, { type: 'GroupCreated', data: { groupId: groupId(name), name } });
  names.forEach(create);
  return {
    groups,
    create,
    remove: (name: string) => record(`group-${name}`, { type: 'GroupRemoved', data: { groupId: groupId(name) } }),
    changeTitle: (name: string, title: string) =>
      record(`group-${name}`, { type: 'GroupTitleChanged', data: { groupId: groupId(name), title } }),
    join: (user: typeof ada, name: string, at = 0) =>
      record(`user-${user}`, { type: 'GroupMemberAdded', data: { userId: user, groupId: groupId(name) } }, at),
    leave: (user: typeof ada, name: string) =>
      record(`user-${user}`, { type: 'GroupMemberRemoved', data: { userId: user, groupId: groupId(name) } }),
    erase: (user: typeof ada) => record(`user-${user}`, { type: 'UserErased', data: { userId: user } }),
  };
}

const numberedNames = (groups: readonly { readonly id: number; readonly name: string }[]): readonly string[] =>
  groups.map(({ id, name }) => `${id} ${name}`);
const membersOf = (groups: Groups, name: string): readonly string[] =>
  groups.membersOf(groupId(name)).map(({ userId: id, since }) => `${id === ada ? 'ada' : 'bob'} ${since}`);

describe('the groups', () => {
  it('are numbered in log order, and are returned in pages', () => {
    const { groups } = setUpGroups('Staff', 'Editors', 'Readers');
    expect(numberedNames(groups.all())).to.deep.equal(['1 Staff', '2 Editors', '3 Readers']);
    expect(numberedNames(groups.page(1, 1))).to.deep.equal(['2 Editors']);
    expect(numberedNames(groups.page(1, 9))).to.deep.equal(['2 Editors', '3 Readers']);
    expect(groups.page(3, 9)).to.deep.equal([]);
  });

  it('keep their numbers when one is removed; a new group with that name has a new number and no members', () => {
    const { groups, join, remove, create } = setUpGroups('Staff', 'Editors');
    join(ada, 'Staff');
    remove('Staff');
    expect(numberedNames(groups.page(0, 9))).to.deep.equal(['2 Editors']);
    expect([groups.find(1), groups.findByName('Staff')]).to.deep.equal([undefined, undefined]);
    expect(groups.namesOf(ada)).to.deep.equal([]);
    expect(groups.nameOf(groupId('Staff'))).to.equal('Staff');
    create('Staff');
    expect(groups.findByName('Staff')).to.include({ id: 3, name: 'Staff' });
    expect(groups.membersOf(groupId('Staff'))).to.deep.equal([]);
  });

  it('have their newest titles, even after a snapshot, and keep their members', () => {
    const { groups, join, changeTitle } = setUpGroups('Staff', 'Editors');
    join(ada, 'Staff', 5);
    expect(groups.findByName('Staff')).to.include({ title: null, revision: 1 });
    changeTitle('Staff', 'Our staff');
    const restoredGroups = createGroups();
    for (const piece of groups.freeze()) restoredGroups.restore(piece);
    for (const projection of [groups, restoredGroups]) {
      expect(projection.findByName('Staff')).to.include({ name: 'Staff', title: 'Our staff', revision: 2 });
      expect(membersOf(projection, 'Staff')).to.deep.equal(['ada 5']);
    }
  });

  it('have members until they leave or are erased', () => {
    const { groups, join, leave, erase } = setUpGroups('Staff', 'Editors');
    join(bob, 'Staff', 5);
    join(ada, 'Staff', 7);
    join(ada, 'Editors', 9);
    expect(membersOf(groups, 'Staff')).to.deep.equal(['bob 5', 'ada 7']);
    expect(groups.namesOf(ada)).to.deep.equal(['Editors', 'Staff']);
    leave(ada, 'Editors');
    expect(groups.namesOf(ada)).to.deep.equal(['Staff']);
    erase(ada);
    expect(groups.namesOf(ada)).to.deep.equal([]);
    expect(membersOf(groups, 'Staff')).to.deep.equal(['bob 5']);
  });

  it('are restored from a snapshot', () => {
    const { groups, join, remove } = setUpGroups('Staff', 'Editors', 'Readers');
    join(ada, 'Staff', 7);
    join(bob, 'Editors', 8);
    remove('Readers');
    const restoredGroups = createGroups();
    for (const piece of groups.freeze()) restoredGroups.restore(piece);
    expect([...restoredGroups.contents()]).to.deep.equal([...groups.contents()]);
    expect(restoredGroups.namesOf(ada)).to.deep.equal(['Staff']);
    expect(restoredGroups.nameOf(groupId('Readers'))).to.equal('Readers');
    createRecording(restoredGroups).record('group-New', {
      type: 'GroupCreated',
      data: { groupId: groupId('New'), name: 'New' },
    });
    expect(restoredGroups.findByName('New')?.id).to.equal(4);
  });
});
