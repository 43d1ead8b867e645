import { expect } from 'chai';
import { createGrants } from '../../src/projections/grants.ts';
import { clientId, grantId, hashOf, seconds, userId } from '../support/domain-values.ts';
import { createRecording } from '../support/recording.ts';

const HOUR = 3_600;

function setUp() {
  const grants = createGrants({ findStarted: () => undefined }, { listByIssuer: () => [] });
  const { record } = createRecording(grants);
  return {
    grants,
    record,
    consent: (label: string, fields = grantFields(), at = 0): void =>
      record(
        streamOf(label),
        { type: 'ConsentGiven', data: { ...fields, grantId: grantId(label), basis: 'asked' } },
        at,
      ),
    code: (label: string, expiresAt: number, fields = grantFields(), at = 0): void =>
      record(
        streamOf(label),
        {
          type: 'AuthorizationCodeIssued',
          data: {
            ...fields,
            codeHash: hashOf(label),
            redirectUri: '',
            redirectUriRequired: true,
            codeChallenge: null,
            expiresAt: seconds(expiresAt),
          },
        },
        at,
      ),
    accessToken: (label: string, expiresAt: number, fields = grantFields(), at = 0): void =>
      record(
        streamOf(label),
        {
          type: 'AccessTokenIssued',
          data: { ...fields, grantId: grantId(label), tokenHash: hashOf(label), expiresAt: seconds(expiresAt) },
        },
        at,
      ),
    refreshToken: (label: string, expiresAt: number | null, fields = grantFields(), at = 0): void =>
      record(
        streamOf(label),
        {
          type: 'RefreshTokenIssued',
          data: { ...fields, tokenHash: hashOf(label), expiresAt: expiresAt === null ? null : seconds(expiresAt) },
        },
        at,
      ),
    user: (type: 'UserDisabled' | 'UserEnabled' | 'UserErased', user = 'ada', at = 0): void =>
      record(`user-${user}`, { type, data: { userId: userId(user) } }, at),
  };
}

function grantFields(client = 'A', user = 'ada', scope: readonly string[] = ['read', 'write']) {
  return { clientId: clientId(client), userId: userId(user), scope };
}

function streamOf(label: string): string {
  return `grant-${grantId(label)}`;
}

describe('a grant', () => {
  it('is live from consent to revocation', () => {
    const { grants, consent, record } = setUp();
    expect(grants.isLive(grantId('one'))).to.equal(false);
    consent('one');
    expect(grants.isLive(grantId('one'))).to.equal(true);
    record(streamOf('one'), { type: 'GrantRevoked', data: { reason: 'revoked-by-client' } });
    expect(grants.isLive(grantId('one'))).to.equal(false);
  });

  it('is listed for its user as long as one of its tokens is valid', () => {
    const { grants, consent, code, accessToken } = setUp();
    consent('one');
    code('one', 60);
    expect(grants.listByUser(userId('ada'), 1)).to.deep.equal([]);
    accessToken('one', 100);
    expect(grants.listByUser(userId('ada'), 99)).to.have.length(1);
    expect(grants.listByUser(userId('ada'), 100)).to.deep.equal([]);
    expect(grants.listByUser(userId('bob'), 1)).to.deep.equal([]);
  });

  it('has the time of its newest tokens', () => {
    const { grants, consent, code, accessToken, refreshToken } = setUp();
    consent('one');
    code('one', 60);
    expect(grants.find(grantId('one'))?.lastTokensAt).to.equal(null);
    accessToken('one', 500, grantFields(), 10);
    refreshToken('one', null, grantFields(), 10);
    expect(grants.find(grantId('one'))?.lastTokensAt).to.equal(10);
    accessToken('one', 900, grantFields(), 400);
    expect(grants.find(grantId('one'))?.lastTokensAt).to.equal(400);
  });

  it('is counted for its client, along with its distinct users, up to a maximum', () => {
    const { grants, consent, accessToken, record } = setUp();
    for (const [label, user] of [
      ['one', 'ada'],
      ['two', 'ada'],
      ['three', 'bob'],
      ['ended', 'eve'],
      ['unused', 'eve'],
    ] as const) {
      consent(label, grantFields('A', user));
      if (label !== 'unused') accessToken(label, 100, grantFields('A', user));
    }
    record(streamOf('ended'), { type: 'GrantRevoked', data: { reason: 'revoked-by-client' } });
    expect(grants.countByClient(clientId('A'), 1, 10)).to.deep.equal({ grants: 3, users: 2, isExact: true });
    expect(grants.countByClient(clientId('A'), 1, 2)).to.deep.equal({ grants: 2, users: 1, isExact: false });
    expect(grants.countByClient(clientId('A'), 100, 10)).to.deep.equal({ grants: 0, users: 0, isExact: true });
    expect(grants.listByClient(clientId('A'), 1, 2).grants).to.have.length(2);
    expect(grants.countByClient(clientId('B'), 1, 10)).to.deep.equal({ grants: 0, users: 0, isExact: true });
  });

  it('lasts as long as its longest-lived credential', () => {
    const { grants, consent, accessToken, refreshToken } = setUp();
    consent('one');
    accessToken('one', 500);
    accessToken('one', 100);
    expect(grants.find(grantId('one'))?.expiresAt).to.equal(500);
    refreshToken('one', 900);
    expect(grants.find(grantId('one'))?.expiresAt).to.equal(900);
    refreshToken('one', null);
    accessToken('one', 950);
    expect(grants.find(grantId('one'))?.expiresAt).to.equal(null);
    expect(grants.listByUser(userId('ada'), 10 ** 9)).to.have.length(1);
  });

  it('is dropped once all its credentials have expired, unless it has been prolonged', () => {
    const { grants, consent, accessToken, refreshToken } = setUp();
    consent('short');
    accessToken('short', 100);
    consent('prolonged');
    accessToken('prolonged', 100);
    accessToken('prolonged', 10 * HOUR, grantFields(), 50);
    consent('endless');
    accessToken('endless', 100);
    refreshToken('endless', null);
    consent('later', grantFields(), 3 * HOUR);
    expect(grants.isLive(grantId('later'))).to.equal(true);
    expect([
      grants.isLive(grantId('short')),
      grants.isLive(grantId('prolonged')),
      grants.isLive(grantId('endless')),
    ]).to.deep.equal([false, true, true]);
  });

  it('accepts tokens that were granted in its last second and recorded a moment later', () => {
    const { grants, consent, code, accessToken } = setUp();
    consent('one');
    code('one', HOUR - 1);
    accessToken('one', 9 * HOUR, grantFields(), HOUR + 2);
    expect(grants.listByUser(userId('ada'), HOUR + 2)).to.have.length(1);
  });

  it("ends when its client is removed, as do the client's other grants, even those recorded later", () => {
    const { grants, consent, record } = setUp();
    consent('one');
    consent('two', grantFields('A', 'bob'));
    consent('other', grantFields('B'));
    record(`client-${clientId('A')}`, { type: 'ClientRemoved', data: {} });
    consent('late');
    expect(['one', 'two', 'late', 'other'].map((label) => grants.isLive(grantId(label)))).to.deep.equal([
      false,
      false,
      false,
      true,
    ]);
  });

  for (const type of ['UserDisabled', 'UserErased'] as const) {
    it(`ends when ${type} is recorded for its user, as do the user's grants recorded later`, () => {
      const { grants, consent, accessToken, user } = setUp();
      consent('one');
      consent('other', grantFields('A', 'bob'));
      user(type);
      accessToken('one', 100);
      consent('late');
      accessToken('late', 100);
      expect(['one', 'late', 'other'].map((label) => grants.isLive(grantId(label)))).to.deep.equal([
        false,
        false,
        true,
      ]);
      expect(grants.listByUser(userId('ada'), 1)).to.deep.equal([]);
    });
  }

  it('does not resume when its user is enabled again, but a new grant is live', () => {
    const { grants, consent, accessToken, user } = setUp();
    consent('one');
    user('UserDisabled');
    user('UserEnabled');
    accessToken('one', 100);
    consent('two');
    expect([grants.isLive(grantId('one')), grants.isLive(grantId('two'))]).to.deep.equal([false, true]);
  });

  it('covers its own client, user and scopes while it is valid', () => {
    const { grants, consent, accessToken } = setUp();
    consent('one');
    const covers = (user: string, client: string, scope: readonly string[], now = 1): boolean =>
      grants.covers(userId(user), clientId(client), scope, [], now);
    expect(covers('ada', 'A', ['read'])).to.equal(false); // it has no token yet
    accessToken('one', 100);
    expect(covers('ada', 'A', ['read'])).to.equal(true);
    expect(covers('ada', 'A', ['write', 'read'])).to.equal(true);
    expect(covers('ada', 'A', ['read', 'groups'])).to.equal(false);
    expect(covers('ada', 'B', ['read'])).to.equal(false);
    expect(covers('bob', 'A', ['read'])).to.equal(false);
    expect(covers('ada', 'A', ['read'], 100)).to.equal(false);
  });
});
