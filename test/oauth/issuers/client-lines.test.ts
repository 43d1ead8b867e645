import { expect } from 'chai';
import { findNamedClients, replaceNameWithId } from '../../../src/oauth/issuers/client-lines.ts';

const CLIENTS = [
  { clientId: 'c1', name: 'App' },
  { clientId: 'c2', name: 'App of a=b' },
  { clientId: 'c3', name: 'Twin' },
  { clientId: 'c4', name: 'Twin' },
];
const clients = { find: (id: string) => CLIENTS.find(({ clientId }) => clientId === id), all: () => CLIENTS };

describe('A line with an application of a trusted issuer', () => {
  it('can have the client id or the name, and a claim', () => {
    for (const [line, expected] of [
      ['c1', 'c1'],
      ['c1 sub=job:7', 'c1 sub=job:7'],
      ['App', 'c1'],
      ['App environment=live and well', 'c1 environment=live and well'],
    ] as const)
      expect(replaceNameWithId(line, clients), line).to.equal(expected);
  });

  it('refers to the application with the longest name that it begins with', () => {
    expect(replaceNameWithId('App of a=b', clients)).to.equal('c2');
    expect(replaceNameWithId('App of a=b sub=x', clients)).to.equal('c2 sub=x');
  });

  it('refers to nothing if it begins with the name of no application, or of several', () => {
    for (const line of ['Nobody', 'Appendix', 'Twin sub=x'])
      expect(replaceNameWithId(line, clients), line).to.equal(undefined);
    expect(findNamedClients('Twin sub=x', clients).map(({ clientId }) => clientId)).to.deep.equal(['c3', 'c4']);
  });
});
