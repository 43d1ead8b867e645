import { expect } from 'chai';
import { identifiesActor, type ActingParty } from '../../../src/oauth/exchange/may-act.ts';
import { clientId } from '../../support/domain-values.ts';

const OUR_ISSUER = 'https://auth.example';
const THEIR_ISSUER = 'https://idp.example';

describe('may_act of a subject token', () => {
  const client: ActingParty = { clientId: clientId('Api'), issuer: OUR_ISSUER, subject: clientId('Api') };
  const workload = { clientId: clientId('Api'), issuer: THEIR_ISSUER, subject: 'pod 1' };
  const identifies = (mayAct: unknown, actor = client): boolean =>
    identifiesActor(mayAct, THEIR_ISSUER, actor, OUR_ISSUER);

  it('identifies a client by its id, and a subject by its issuer, by default that of the subject token', () => {
    expect(identifies({ client_id: client.clientId })).to.equal(true);
    expect(identifies({ client_id: client.clientId, iss: OUR_ISSUER })).to.equal(true);
    expect(identifies({ iss: OUR_ISSUER, sub: client.subject })).to.equal(true);
    expect(identifies({ sub: 'pod 1' }, workload)).to.equal(true);
    expect(identifies({ iss: THEIR_ISSUER, sub: 'pod 1', client_id: workload.clientId }, workload)).to.equal(true);
  });

  it('does not identify a different party', () => {
    expect(identifies({ sub: client.subject }), 'a subject of the other issuer').to.equal(false);
    expect(identifies({ iss: OUR_ISSUER, sub: 'pod 1' }, workload)).to.equal(false);
    expect(identifies({ iss: THEIR_ISSUER, client_id: client.clientId }), 'a client of the other issuer').to.equal(
      false,
    );
    expect(identifies({ iss: OUR_ISSUER, sub: client.subject, client_id: clientId('Web') })).to.equal(false);
  });

  it('identifies no party if one of its members cannot be compared', () => {
    for (const mayAct of [undefined, null, true, 'Api', [], {}, { iss: OUR_ISSUER }, { client_id: [client.clientId] }])
      expect(identifies(mayAct), JSON.stringify(mayAct)).to.equal(false);
    expect(identifies({ client_id: client.clientId, email: 'api@example.com' })).to.equal(false);
  });
});
