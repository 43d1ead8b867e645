import { expect } from 'chai';
import fc from 'fast-check';
import { fitInTokens, foldedGroupName, group, normalizeGroupName, type GroupCommand } from '../../src/domain/group.ts';
import { groupId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import { unchecked } from '../support/unchecked.ts';

const create = (label: string): GroupCommand => ({ type: 'CreateGroup', groupId: groupId(label), name: 'Staff' });
const remove = (label: string): GroupCommand => ({ type: 'RemoveGroup', groupId: groupId(label) });

describe('a group name', () => {
  it('belongs to one group at a time', () => {
    given(group).when(create('first')).accepted('GroupCreated');
    given(group, create('first')).when(create('second')).refused('group-name-taken');
    given(group, create('first'), remove('first')).when(create('second')).accepted('GroupCreated');
  });

  it('is stored in its compatibility form, without surrounding whitespace', () => {
    expect(normalizeGroupName('  Ｓｔａｆｆ of ① ')).to.equal('Staff of 1');
  });

  it('is the same group in every case, with letters whose cases differ in number or composition', () => {
    for (const [name, variant] of [
      ['staff', 'STAFF'],
      ['Straße', 'STRASSE'],
      ['σίσυφος', 'ΣΊΣΥΦΟΣ'],
      ['\u0390', '\u03aa\u0301'],
    ] as const)
      expect(foldedGroupName(name), variant).to.equal(foldedGroupName(variant));
    expect(foldedGroupName('Staff'), 'as in the stream names of existing logs').to.equal('staff');
    expect(foldedGroupName('staff')).not.to.equal(foldedGroupName('stáff'));
  });
});

const changeTitle = (label: string, title: string | null): GroupCommand => ({
  type: 'ChangeGroupTitle',
  groupId: groupId(label),
  title,
});

describe('the title of a group', () => {
  it('changes while the group exists, and belongs to no later group of the same name', () => {
    const historyWithTitle = [create('first'), changeTitle('first', 'Our staff')] as const;
    given(group, create('first')).when(changeTitle('first', 'Our staff')).accepted('GroupTitleChanged');
    given(group, ...historyWithTitle)
      .when(changeTitle('first', 'Our staff'))
      .accepted();
    given(group, ...historyWithTitle)
      .when(changeTitle('first', null))
      .accepted('GroupTitleChanged');
    given(group, ...historyWithTitle, remove('first'))
      .when(changeTitle('first', null))
      .refused('group-unknown');
    given(group, ...historyWithTitle, remove('first'), create('second'))
      .when(changeTitle('second', null))
      .accepted();
  });
});

describe('a group', () => {
  it('is removed once, and its removal never affects a later group of the same name', () => {
    given(group).when(remove('first')).refused('group-unknown');
    given(group, create('first')).when(remove('first')).accepted('GroupRemoved');
    given(group, create('first'), remove('first')).when(remove('first')).refused('group-unknown');
    given(group, create('first'), remove('first'), create('second')).when(remove('first')).refused('group-unknown');
  });

  it('refuses an unknown command', () => {
    expect(() => given(group).when(unchecked({ type: 'Other' }))).to.throw('unhandled case');
  });
});

describe('the group names of a user', () => {
  it('fit in tokens if and only if their JSON has at most 4,096 bytes', () => {
    const names = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 150 }), { maxLength: 40 });
    fc.assert(
      fc.property(
        names,
        (groupNames) => fitInTokens(groupNames) === Buffer.byteLength(JSON.stringify(groupNames)) <= 4_096,
      ),
    );
  });

  it('fit in tokens up to the last byte, not character', () => {
    expect(fitInTokens(['x'.repeat(4_092)])).to.equal(true);
    expect(fitInTokens(['x'.repeat(4_093)])).to.equal(false);
    expect(fitInTokens(['é'.repeat(2_046)])).to.equal(true);
    expect(fitInTokens(['é'.repeat(2_047)])).to.equal(false);
  });
});
