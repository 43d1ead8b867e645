import { expect } from 'chai';
import { group, normalGroupName, type CreateGroup } from '../../src/domain/group.ts';
import { groupId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';

const create = (label: string): CreateGroup => ({ type: 'CreateGroup', groupId: groupId(label), name: 'Staff' });

describe('a group name', () => {
  it('can be used once', () => {
    given(group).when(create('first')).accepted('GroupCreated');
    given(group, create('first')).when(create('second')).refused('group-name-taken');
  });

  it('is stored in its compatibility form, without blanks around it', () => {
    expect(normalGroupName('  Ｓｔａｆｆ of ① ')).to.equal('Staff of 1');
  });
});
