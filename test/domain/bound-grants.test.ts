import { expect } from 'chai';
import fc from 'fast-check';
import {
  authorizationGrant,
  REFRESHES_PER_SUMMARY,
  type GrantByPassword,
  type GrantCommand,
  type GrantEvent,
  type IssueCode,
  type RedeemCode,
  type RefreshGrant,
} from '../../src/domain/authorization-grant.ts';
import { CONFIRMATION_METHODS, isSameConfirmation, type Confirmation } from '../../src/domain/confirmation.ts';
import { encodeEvent } from '../../src/domain/events.ts';
import { clientId, grantId, hashOf, loginOf, seconds, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';

const GRANT = grantId('grant');
const KEY: Confirmation = { method: 'jkt', thumbprint: hashOf('key') };
const OTHER_KEY: Confirmation = { method: 'jkt', thumbprint: hashOf('other') };
const CERTIFICATE: Confirmation = { method: 'x5t#S256', thumbprint: hashOf('key') };

const grantFields = {
  grantId: GRANT,
  clientId: clientId('A'),
  userId: userId('ada'),
  scope: ['read'],
  resource: [],
} as const;
const issueCode = (changes: Partial<IssueCode> = {}): IssueCode => ({
  type: 'IssueCode',
  ...grantFields,
  consent: 'asked',
  codeHash: hashOf('code'),
  redirectUri: 'https://app.example/',
  redirectUriRequired: false,
  codeChallenge: null,
  login: loginOf('session'),
  requested: undefined,
  now: seconds(0),
  expiresAt: seconds(60),
  ...changes,
});
const tokenFields = {
  accessHash: hashOf('access 1'),
  accessExpiresAt: seconds(36_000),
  previousSecretUsed: false,
  refreshHash: hashOf('refresh 1'),
  refreshExpiresAt: null,
  now: seconds(10),
};
const redeemCode = (changes: Partial<RedeemCode> = {}): RedeemCode => ({
  type: 'RedeemCode',
  grantId: GRANT,
  clientId: clientId('A'),
  codeHash: hashOf('code'),
  redirectUri: null,
  verifier: null,
  resource: [],
  ...tokenFields,
  ...changes,
});
const grantByPassword = (changes: Partial<GrantByPassword> = {}): GrantByPassword => ({
  type: 'GrantByPassword',
  ...grantFields,
  login: undefined,
  requested: undefined,
  ...tokenFields,
  ...changes,
});
const refresh = (nth: number, changes: Partial<RefreshGrant> = {}): RefreshGrant => ({
  type: 'RefreshGrant',
  grantId: GRANT,
  clientId: clientId('A'),
  presentedHash: hashOf(`refresh ${nth}`),
  isPresentedTokenGenuine: true,
  scope: null,
  resource: [],
  reuseWindowSeconds: 30,
  ...tokenFields,
  now: seconds(100),
  accessHash: hashOf(`access ${nth + 1}`),
  refreshHash: hashOf(`refresh ${nth + 1}`),
  ...changes,
});
const grantToClient = (confirmation: Confirmation | undefined): GrantCommand => ({
  type: 'GrantToClient',
  grantId: GRANT,
  clientId: clientId('A'),
  scope: ['read'],
  resource: [],
  ...tokenFields,
  confirmation,
});
const REDEMPTION_EVENTS = ['AuthorizationCodeRedeemed', 'AccessTokenIssued', 'RefreshTokenIssued'] as const;
const ROTATION_EVENTS = ['RefreshTokenRotated', 'AccessTokenIssued'] as const;

const aConfirmation: fc.Arbitrary<Confirmation | undefined> = fc.option(
  fc.record({
    method: fc.constantFrom(...CONFIRMATION_METHODS),
    thumbprint: fc.constantFrom('key', 'other').map((name) => hashOf(name)),
  }),
  { nil: undefined },
);

describe('a token that is bound to a key or certificate', () => {
  it('has its binding in its event, for each grant type', () => {
    fc.assert(
      fc.property(aConfirmation, (confirmation) => {
        for (const [history, command] of [
          [[issueCode()], redeemCode({ confirmation })],
          [[], grantByPassword({ confirmation })],
          [[], grantToClient(confirmation)],
          [[grantByPassword()], refresh(1, { confirmation })],
        ] as const) {
          const { events } = given(authorizationGrant, ...history).when(command).decision;
          events.forEach(encodeEvent);
          const access = events.find(({ type }) => type === 'AccessTokenIssued')?.data;
          if (confirmation === undefined) expect(access, command.type).to.not.have.property('confirmation');
          else expect(access, command.type).to.have.property('confirmation').that.deep.equals(confirmation);
        }
      }),
    );
  });

  it('is not needed for a refresh token to be issued, even to a public client', () => {
    const { events } = given(authorizationGrant).when(grantByPassword({ bindRefreshToken: true })).decision;
    for (const { data } of events) expect(data).not.to.have.property('confirmation');
  });

  it('comes with a bound refresh token only for a public client', () => {
    for (const [bindRefreshToken, expected] of [
      [true, KEY],
      [false, undefined],
    ] as const) {
      for (const [history, command] of [
        [[issueCode()], redeemCode({ confirmation: KEY, bindRefreshToken })],
        [[], grantByPassword({ confirmation: KEY, bindRefreshToken })],
      ] as const) {
        const { events } = given(authorizationGrant, ...history).when(command).decision;
        const confirmations = events.flatMap((event) =>
          event.type === 'RefreshTokenIssued' ? [event.data.confirmation] : [],
        );
        expect(confirmations).to.deep.equal([expected]);
      }
    }
  });
});

describe('an authorization code', () => {
  const afterBinding = given(authorizationGrant, issueCode({ dpopJkt: KEY.thumbprint }));

  it('can be redeemed only with the key that it was requested for', () => {
    fc.assert(
      fc.property(aConfirmation, (confirmation) => {
        const attempt = afterBinding.when(redeemCode({ confirmation }));
        if (isSameConfirmation(confirmation, KEY)) attempt.accepted(...REDEMPTION_EVENTS);
        else attempt.refused('code-bound-to-key');
      }),
    );
  });

  it('remains valid after an attempt with another key', () => {
    const decision = afterBinding.when(redeemCode({ confirmation: OTHER_KEY })).decision;
    expect(decision.events).to.deep.equal([]);
  });

  it('can be redeemed with any key, or without one, if it was not requested for a key', () => {
    for (const confirmation of [undefined, KEY, CERTIFICATE])
      given(authorizationGrant, issueCode())
        .when(redeemCode({ confirmation }))
        .accepted(...REDEMPTION_EVENTS);
  });
});

describe('a refresh token that is bound to a key', () => {
  const beginning = grantByPassword({ confirmation: KEY, bindRefreshToken: true });
  const afterBinding = given(authorizationGrant, beginning);
  const withKey = { confirmation: KEY };

  it('can be used only with that key, even after many rotations and a summary', () => {
    for (const count of [0, 1, REFRESHES_PER_SUMMARY, REFRESHES_PER_SUMMARY + 1]) {
      const afterRefreshes = given(
        authorizationGrant,
        beginning,
        ...Array.from({ length: count }, (_, index) => refresh(index + 1, withKey)),
      );
      afterRefreshes.when(refresh(count + 1, withKey)).accepted(...ROTATION_EVENTS);
      for (const confirmation of [undefined, OTHER_KEY, CERTIFICATE])
        afterRefreshes.when(refresh(count + 1, { confirmation })).refused('refresh-token-bound-to-key');
    }
  });

  it('does not end the grant when it is stolen and reused without the key', () => {
    const afterRotation = given(authorizationGrant, beginning, refresh(1, withKey));
    afterRotation
      .when(refresh(1, { now: seconds(999), confirmation: OTHER_KEY }))
      .refused('refresh-token-bound-to-key');
    afterRotation.when(refresh(1, { now: seconds(999), ...withKey })).refused('refresh-token-reused', 'GrantRevoked');
  });

  it('gets the same response again only with the key of the first request', () => {
    given(authorizationGrant, beginning, refresh(1, withKey)).when(refresh(1, withKey)).changesNothing();
    const confidentialGrant = given(authorizationGrant, grantByPassword(withKey), refresh(1, withKey));
    for (const confirmation of [undefined, OTHER_KEY, CERTIFICATE])
      confidentialGrant.when(refresh(1, { confirmation })).refused('retry-key-differs');
  });

  it('keeps its binding in a summary alone', () => {
    const refreshes = Array.from({ length: REFRESHES_PER_SUMMARY }, (_, index) => refresh(index + 1, withKey));
    const { evolve, initial, decide } = authorizationGrant;
    let state = initial;
    let lastEvent: GrantEvent | undefined;
    for (const command of [beginning, ...refreshes]) {
      const { events } = decide(command, state);
      state = events.reduce(evolve, state);
      lastEvent = events.at(-1);
    }
    if (lastEvent?.type !== 'GrantSummarized') return expect.fail('the last event is not a summary');
    encodeEvent(lastEvent);
    const { access, refresh: family } = evolve(initial, lastEvent);
    expect([access?.confirmation, family?.confirmation]).to.deep.equal([KEY, KEY]);
  });

  it('unlike an unbound one, cannot be used without its key', () => {
    given(authorizationGrant, grantByPassword(withKey))
      .when(refresh(1, { confirmation: OTHER_KEY }))
      .accepted(...ROTATION_EVENTS);
    expect(afterBinding.when(refresh(1)).decision.refusal).to.equal('refresh-token-bound-to-key');
  });
});
