import { expect } from 'chai';
import { namesActor, type ActingParty } from '../../../src/oauth/exchange/may-act.ts';
import { clientId } from '../../support/domain-values.ts';

const OURS = 'https://auth.example';
const THEIRS = 'https://idp.example';

describe('may_act of a subject token', () => {
  const client: ActingParty = { clientId: clientId('Api'), issuer: OURS, subject: clientId('Api') };
  const workload = { clientId: clientId('Api'), issuer: THEIRS, subject: 'pod 1' };
  const namesParty = (mayAct: unknown, actor = client): boolean => namesActor(mayAct, THEIRS, actor, OURS);

  it('names a client by its id, and a subject at its issuer, which defaults to the issuer of the subject token', () => {
    expect(namesParty({ client_id: client.clientId })).to.equal(true);
    expect(namesParty({ client_id: client.clientId, iss: OURS })).to.equal(true);
    expect(namesParty({ iss: OURS, sub: client.subject })).to.equal(true);
    expect(namesParty({ sub: 'pod 1' }, workload)).to.equal(true);
    expect(namesParty({ iss: THEIRS, sub: 'pod 1', client_id: workload.clientId }, workload)).to.equal(true);
  });

  it('does not name another party', () => {
    expect(namesParty({ sub: client.subject }), 'a subject of the other issuer').to.equal(false);
    expect(namesParty({ iss: OURS, sub: 'pod 1' }, workload)).to.equal(false);
    expect(namesParty({ iss: THEIRS, client_id: client.clientId }), 'a client of the other issuer').to.equal(false);
    expect(namesParty({ iss: OURS, sub: client.subject, client_id: clientId('Web') })).to.equal(false);
  });

  it('does not name any party if one of its members cannot be compared', () => {
    for (const mayAct of [undefined, null, true, 'Api', [], {}, { iss: OURS }, { client_id: [client.clientId] }])
      expect(namesParty(mayAct), JSON.stringify(mayAct)).to.equal(false);
    expect(namesParty({ client_id: client.clientId, email: 'api@example.com' })).to.equal(false);
  });
});
