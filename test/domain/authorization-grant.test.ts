import { expect } from 'chai';
import fc from 'fast-check';
import {
  authorizationGrant,
  REFRESHES_PER_SUMMARY,
  type Grant,
  type GrantCommand,
  type GrantEvent,
} from '../../src/domain/authorization-grant.ts';
import type { DomainEvent } from '../../src/domain/events.ts';
import { encodeEvent } from '../../src/domain/events.ts';
import { isWithin } from '../../src/domain/scope.ts';
import type { CredentialHash } from '../../src/domain/values.ts';
import { clientId, hashOf, loginOf, seconds, userId } from '../support/domain-values.ts';
import { given } from '../support/given-when-then.ts';
import {
  eventsOf,
  REDIRECT_URI,
  VERIFIER,
  grantByPassword,
  grantToClient,
  issueCode,
  redeemCode,
  refresh,
  revoke,
} from '../support/grant-commands.ts';
import { unchecked } from '../support/unchecked.ts';

describe('the login of an authorization grant', () => {
  const sessionLogin = loginOf('session');

  it('is recorded with the consent, the code and every token, even after many refreshes', () => {
    const rotations = Array.from({ length: 2 * REFRESHES_PER_SUMMARY }, (_, index) => refresh(index + 1));
    const typesWithoutLogin = ['AuthorizationCodeRedeemed', 'RefreshTokenRotated'];
    const issuingEvents = eventsOf([issueCode(), redeemCode(), ...rotations]).filter(
      ({ type }) => !typesWithoutLogin.includes(type),
    );
    expect(issuingEvents.filter(({ type }) => type === 'GrantSummarized')).to.have.length(2);
    for (const { type, data } of issuingEvents)
      expect(data, type).to.have.property('login').that.deep.equals(sessionLogin);
  });

  it('can be restored from a summary alone, without the earlier events', () => {
    const rotations = Array.from({ length: REFRESHES_PER_SUMMARY }, (_, index) => refresh(index + 1));
    const summary = eventsOf([issueCode(), redeemCode(), ...rotations]).slice(-1);
    expect(summary.map(({ type }) => type)).to.deep.equal(['GrantSummarized']);
    expect(summary.reduce(authorizationGrant.evolve, authorizationGrant.initial).login).to.deep.equal(sessionLogin);
  });

  it('has no session if the client sent the password', () => {
    const events = eventsOf([grantByPassword()]);
    expect(events).to.have.length(3);
    for (const { data } of events) expect(data).to.have.nested.property('login.sessionHash', null);
  });

  it('is absent from the events if it is unknown, or if the client acts on its own behalf', () => {
    const unknownLogin = { login: undefined, requested: undefined };
    const events = [...eventsOf([issueCode(unknownLogin), redeemCode(), refresh(1)]), ...eventsOf([grantToClient])];
    expect(events).to.have.length(8);
    for (const { type, data } of events) expect(data, type).to.not.have.any.keys('login', 'requested');
  });

  it('is recorded with the requested scope in addition to the granted scope', () => {
    expect(eventsOf([issueCode()])[0]?.data).to.deep.include({
      scope: ['read', 'write'],
      requested: { scope: ['read', 'write', 'audit'] },
    });
  });
});

describe('the code of an authorization grant', () => {
  const afterIssue = given(authorizationGrant, issueCode());

  it('is issued together with the consent', () => {
    given(authorizationGrant).when(issueCode()).accepted('ConsentGiven', 'AuthorizationCodeIssued');
  });

  it('is redeemed for an access token and a refresh token with the consented scope', () => {
    const { decision } = afterIssue
      .when(redeemCode())
      .accepted('AuthorizationCodeRedeemed', 'AccessTokenIssued', 'RefreshTokenIssued');
    const [, accessTokenEvent, refreshTokenEvent] = decision.events;
    expect(accessTokenEvent?.data).to.include({
      tokenHash: hashOf('access 1'),
      userId: userId('ada'),
      expiresAt: 36_000,
    });
    expect(accessTokenEvent?.data).to.have.property('scope').that.deep.equals(['read', 'write']);
    expect(refreshTokenEvent?.data).to.have.property('scope').that.deep.equals(['read', 'write']);
  });

  it('can be redeemed once, and a second attempt revokes the grant', () => {
    given(authorizationGrant, issueCode(), redeemCode()).when(redeemCode()).refused('code-replayed', 'GrantRevoked');
  });

  it('expires at the exact second', () => {
    afterIssue
      .when(redeemCode({ now: seconds(59) }))
      .accepted('AuthorizationCodeRedeemed', 'AccessTokenIssued', 'RefreshTokenIssued');
    afterIssue.when(redeemCode({ now: seconds(60) })).refused('code-expired');
  });

  it('remains valid after a failed attempt', () => {
    afterIssue.when(redeemCode({ codeHash: hashOf('another') })).refused('code-unknown');
    afterIssue.when(redeemCode({ clientId: clientId('B') })).refused('client-mismatch');
    afterIssue.when(redeemCode({ redirectUri: `${REDIRECT_URI}/` })).refused('redirect-uri-mismatch');
    afterIssue.when(redeemCode({ redirectUri: null })).refused('redirect-uri-mismatch');
  });

  it('is refused if it was never issued', () => {
    given(authorizationGrant).when(redeemCode()).refused('code-unknown');
    given(authorizationGrant, grantByPassword()).when(redeemCode()).refused('code-unknown');
  });

  it('does not end the grant when another client presents it, or when the client presents another code', () => {
    given(authorizationGrant, issueCode(), redeemCode())
      .when(redeemCode({ clientId: clientId('B') }))
      .refused('client-mismatch');
    given(authorizationGrant, issueCode(), redeemCode())
      .when(redeemCode({ codeHash: hashOf('guess') }))
      .refused('code-unknown');
  });

  it('needs the redirect URI if and only if the authorization request had one', () => {
    const withoutRedirectUri = given(authorizationGrant, issueCode({ redirectUriRequired: false }));
    withoutRedirectUri
      .when(redeemCode({ redirectUri: null }))
      .accepted('AuthorizationCodeRedeemed', 'AccessTokenIssued', 'RefreshTokenIssued');
    withoutRedirectUri.when(redeemCode({ redirectUri: 'https://elsewhere.example/' })).refused('redirect-uri-mismatch');
  });

  it('needs the verifier that matches its challenge under the requested method', () => {
    const withChallenge = given(
      authorizationGrant,
      issueCode({ codeChallenge: { method: 'S256', challenge: VERIFIER.S256 } }),
    );
    withChallenge
      .when(redeemCode({ verifier: VERIFIER }))
      .accepted('AuthorizationCodeRedeemed', 'AccessTokenIssued', 'RefreshTokenIssued');
    withChallenge.when(redeemCode()).refused('code-verifier-missing');
    withChallenge
      .when(redeemCode({ verifier: { S256: 'other', plain: VERIFIER.S256 } }))
      .refused('code-verifier-mismatch');
    const withPlainChallenge = given(
      authorizationGrant,
      issueCode({ codeChallenge: { method: 'plain', challenge: VERIFIER.plain } }),
    );
    withPlainChallenge
      .when(redeemCode({ verifier: { S256: VERIFIER.plain, plain: 'other' } }))
      .refused('code-verifier-mismatch');
  });

  it('refuses a verifier if the request had no challenge', () => {
    afterIssue.when(redeemCode({ verifier: VERIFIER })).refused('code-verifier-unexpected');
  });
});

describe('the access tokens of an authorization grant', () => {
  it('record the use of the previous client secret, but not of the current one', () => {
    const withPreviousSecret = { previousSecretUsed: true };
    for (const [history, command] of [
      [[issueCode()], redeemCode()],
      [[], grantByPassword()],
      [[], grantToClient],
      [[grantByPassword()], refresh(1)],
    ] as const) {
      const issueToken = (issuingCommand: GrantCommand) =>
        given(authorizationGrant, ...history)
          .when(issuingCommand)
          .decision.events.find(({ type }) => type === 'AccessTokenIssued')?.data;
      expect(issueToken({ ...command, ...withPreviousSecret }), command.type).to.include(withPreviousSecret);
      expect(issueToken(command), command.type).to.not.have.property('previousSecretUsed');
    }
  });

  it('identify no user if the client acts on its own behalf', () => {
    const { decision } = given(authorizationGrant).when(grantToClient).accepted('AccessTokenIssued');
    expect(decision.events[0]?.data).to.include({ userId: null });
  });
});

describe('the refresh tokens of an authorization grant', () => {
  const afterGrant = given(authorizationGrant, grantByPassword());
  const afterRotation = given(authorizationGrant, grantByPassword(), refresh(1));

  it('are rotated at each use', () => {
    afterGrant.when(refresh(1)).accepted('RefreshTokenRotated', 'AccessTokenIssued');
    afterRotation.when(refresh(2)).accepted('RefreshTokenRotated', 'AccessTokenIssued');
  });

  it('can be used again within the retry window, without a new event', () => {
    afterRotation.when(refresh(1, { now: seconds(129) })).changesNothing();
    afterRotation.when(refresh(1, { now: seconds(129), scope: ['write', 'read'] })).changesNothing();
  });

  it('end the grant when reused after the window, without a window or after the use of a successor', () => {
    afterRotation.when(refresh(1, { now: seconds(130) })).refused('refresh-token-reused', 'GrantRevoked');
    afterRotation.when(refresh(1, { reuseWindowSeconds: 0 })).refused('refresh-token-reused', 'GrantRevoked');
    given(authorizationGrant, grantByPassword(), refresh(1), refresh(2))
      .when(refresh(1))
      .refused('refresh-token-reused', 'GrantRevoked');
  });

  it('are refused in a retry with a different scope', () => {
    afterRotation.when(refresh(1, { scope: ['read'] })).refused('retry-scope-differs');
    given(authorizationGrant, grantByPassword(), refresh(1, { scope: ['read'] }))
      .when(refresh(1))
      .refused('retry-scope-differs');
  });

  it('narrow the scope of the access token, but not of the grant', () => {
    const afterNarrowing = given(authorizationGrant, grantByPassword(), refresh(1, { scope: ['read'] }));
    const { decision } = afterNarrowing.when(refresh(2)).accepted('RefreshTokenRotated', 'AccessTokenIssued');
    expect(decision.events[1]?.data).to.have.property('scope').that.deep.equals(['read', 'write']);
  });

  it('never widen the scope', () => {
    afterGrant.when(refresh(1, { scope: ['read', 'groups'] })).refused('scope-exceeds-grant');
  });

  it('can be used only by their own client; use by another client does not end the grant', () => {
    afterGrant.when(refresh(1, { clientId: clientId('B') })).refused('client-mismatch');
    afterRotation.when(refresh(1, { clientId: clientId('B'), now: seconds(999) })).refused('client-mismatch');
  });

  it('end the grant whenever they are reused, because they are known to be genuine', () => {
    const afterRefreshes = given(authorizationGrant, grantByPassword(), ...refreshes(100));
    for (const nth of [1, 2, 50, 99]) afterRefreshes.when(refresh(nth)).refused('refresh-token-reused', 'GrantRevoked');
    afterRefreshes.when(refresh(1, { clientId: clientId('B') })).refused('client-mismatch');
  });

  it('are refused without ending the grant if they are neither genuine nor among the newest two', () => {
    const afterRefreshes = given(authorizationGrant, grantByPassword(), ...refreshes(30));
    const notGenuine = { isPresentedTokenGenuine: false };
    for (const nth of [1, 29, 99]) afterRefreshes.when(refresh(nth, notGenuine)).refused('refresh-token-unknown');
    afterRefreshes.when(refresh(30, notGenuine)).changesNothing();
    afterRefreshes.when(refresh(31, notGenuine)).accepted('RefreshTokenRotated', 'AccessTokenIssued');
    given(authorizationGrant).when(refresh(1)).refused('refresh-token-unknown');
    given(authorizationGrant, grantToClient).when(refresh(1)).refused('refresh-token-unknown');
    given(authorizationGrant, issueCode()).when(refresh(1)).refused('refresh-token-unknown');
  });

  it('expire at the exact second', () => {
    const withExpiry = given(authorizationGrant, grantByPassword({ refreshExpiresAt: seconds(200) }));
    withExpiry.when(refresh(1, { now: seconds(199) })).accepted('RefreshTokenRotated', 'AccessTokenIssued');
    withExpiry.when(refresh(1, { now: seconds(200) })).refused('refresh-token-expired');
  });
});

describe('the access token of an authorization grant before a refresh', () => {
  const retirementOf = ({ decision }: ReturnType<ReturnType<typeof given>['when']>) =>
    decision.events.find((event) => event.type === 'RefreshTokenRotated')?.data.retired;

  it('expires at the end of the retry window, for any grant type', () => {
    const retirement = { tokenHash: hashOf('access 1'), endsAt: 130 };
    expect(retirementOf(given(authorizationGrant, grantByPassword()).when(refresh(1)))).to.deep.equal(retirement);
    expect(retirementOf(given(authorizationGrant, issueCode(), redeemCode()).when(refresh(1)))).to.deep.equal(
      retirement,
    );
    const secondRefresh = given(authorizationGrant, grantByPassword(), refresh(1)).when(refresh(2));
    expect(retirementOf(secondRefresh)).to.deep.equal({ ...retirement, tokenHash: hashOf('access 2') });
  });

  it('expires immediately if there is no retry window', () => {
    const outcome = given(authorizationGrant, grantByPassword()).when(refresh(1, { reuseWindowSeconds: 0 }));
    expect(retirementOf(outcome)).to.include({ endsAt: 100 });
  });

  it('keeps its expiry if that is earlier', () => {
    for (const [accessExpiresAt, endsAt] of [
      [99, undefined],
      [130, undefined],
      [131, 130],
    ] as const) {
      const grant = given(authorizationGrant, grantByPassword({ accessExpiresAt: seconds(accessExpiresAt) }));
      const outcome = grant.when(refresh(1));
      expect(retirementOf(outcome)?.endsAt).to.equal(endsAt);
      if (endsAt === undefined) expect(outcome.decision.events[0]?.data).to.not.have.property('retired');
    }
  });

  it('is not retired if its event is missing from the log', () => {
    const stateWithoutToken = foldEvents(
      eventsOf([grantByPassword()]).filter(({ type }) => type !== 'AccessTokenIssued'),
    );
    const { events } = authorizationGrant.decide(refresh(1), stateWithoutToken);
    expect(events.map(({ type }) => type)).to.deep.equal(['RefreshTokenRotated', 'AccessTokenIssued']);
    expect(events[0]?.data).to.not.have.property('retired');
  });

  it('is retired only by the next refresh', () => {
    const commands = [grantByPassword(), ...refreshes(60)];
    const retiredHashes = eventsOf(commands).flatMap((event) =>
      event.type === 'RefreshTokenRotated' ? [event.data.retired?.tokenHash] : [],
    );
    expect(retiredHashes).to.deep.equal(Array.from({ length: 60 }, (_, index) => hashOf(`access ${index + 1}`)));
  });
});

describe('the summary of an authorization grant', () => {
  const beginnings: readonly (readonly GrantCommand[])[] = [
    [grantByPassword()],
    [issueCode(), redeemCode()],
    [grantByPassword({ resource: ['https://a.example'] })],
  ];
  const aRefresh = fc.record({
    scope: fc.option(fc.constantFrom(['read'], ['write', 'read']), { nil: null }),
    refreshExpiresAt: fc.option(fc.constant(seconds(9_000)), { nil: null }),
  });
  const aFamily = fc
    .tuple(
      fc.constantFrom(...beginnings),
      fc.array(aRefresh, { minLength: REFRESHES_PER_SUMMARY, maxLength: 3 * REFRESHES_PER_SUMMARY, size: 'max' }),
    )
    .map(([beginning, changes]) => [...beginning, ...changes.map((change, index) => refresh(index + 1, change))]);

  it('is written after a fixed number of rotations', () => {
    const types = eventsOf([grantByPassword(), ...refreshes(3 * REFRESHES_PER_SUMMARY + 1)]).map(({ type }) => type);
    const summaryIndexes = types.flatMap((type, index) => (type === 'GrantSummarized' ? [index] : []));
    expect(summaryIndexes).to.have.length(3);
    for (const index of summaryIndexes) {
      expect(types.slice(index - 2, index)).to.deep.equal(['RefreshTokenRotated', 'AccessTokenIssued']);
    }
  });

  it('contains the whole state, so that no earlier event is needed', () => {
    fc.assert(
      fc.property(aFamily, (commands) => {
        const events = eventsOf(commands);
        for (const [index, event] of events.entries()) {
          const isSummary = event.type === 'GrantSummarized';
          expect(authorizationGrant.isSummary?.(event)).to.equal(isSummary);
          if (!isSummary) continue;
          expect(foldEvents(events.slice(index))).to.deep.equal(foldEvents(events));
          const [before, after] = [foldEvents(events.slice(0, index)), foldEvents([event])];
          expect(after.refresh).to.deep.equal({ ...before.refresh, refreshesSinceSummary: 0 });
          expect(before.access).to.deep.include(after.access);
          expect(after.access?.resource).to.deep.equal(before.access?.resource);
          for (const member of ['status', 'clientId', 'code', 'redeemedCodeHash'] as const)
            expect(after[member], member).to.equal(before[member]);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('is written at the next refresh of a grant from an earlier release that wrote no summaries', () => {
    const rotations = eventsOf([grantByPassword(), ...refreshes(200)]).filter(({ type }) => type !== 'GrantSummarized');
    const types = authorizationGrant.decide(refresh(201), foldEvents(rotations)).events.map(({ type }) => type);
    expect(types).to.deep.equal(['RefreshTokenRotated', 'AccessTokenIssued', 'GrantSummarized']);
  });

  it('keeps the state of a grant at a constant size', () => {
    const sizeAfter = (rotations: number): number =>
      JSON.stringify(foldEvents(eventsOf([grantByPassword(), ...refreshes(rotations)]))).length;
    expect(sizeAfter(24 * 100)).to.equal(sizeAfter(24));
  });

  it('records whether untagged refresh tokens may exist', () => {
    const hasUntagged = (events: readonly DomainEvent[]): readonly boolean[] =>
      events.flatMap((event) => (event.type === 'GrantSummarized' ? [event.data.refreshToken.hasUntagged] : []));
    const firstEvents = eventsOf([grantByPassword()]).map((event) => {
      if (event.type !== 'RefreshTokenIssued') return event;
      const { tagged: _, ...data } = event.data;
      return { ...event, data };
    });
    const allEvents = refreshes(REFRESHES_PER_SUMMARY).reduce(
      (events, command) => [...events, ...authorizationGrant.decide(command, foldEvents(events)).events],
      firstEvents,
    );
    expect(hasUntagged(allEvents)).to.deep.equal([true]);
    expect(hasUntagged(eventsOf([grantByPassword(), ...refreshes(REFRESHES_PER_SUMMARY)]))).to.deep.equal([false]);
  });
});

/** The first `count` refreshes of a grant. */
function refreshes(count: number): readonly GrantCommand[] {
  return Array.from({ length: count }, (_, index) => refresh(index + 1));
}

function foldEvents(events: readonly DomainEvent[]): Grant {
  const { evolve, initial } = authorizationGrant;
  return events.reduce((state, event) => evolve(state, event as GrantEvent), initial);
}

/** All events of the commands, in order. */
describe('the end of an authorization grant', () => {
  it('is recorded once', () => {
    given(authorizationGrant, grantByPassword()).when(revoke()).accepted('GrantRevoked');
    given(authorizationGrant, grantByPassword(), revoke()).when(revoke('revoked-by-operator')).changesNothing();
    given(authorizationGrant).when(revoke()).changesNothing();
  });

  it('prevents the redemption of its code', () => {
    given(authorizationGrant, issueCode(), revoke()).when(redeemCode()).refused('grant-revoked');
  });

  it('prevents every refresh', () => {
    given(authorizationGrant, grantByPassword(), revoke()).when(refresh(1)).refused('grant-revoked');
    given(authorizationGrant, grantByPassword(), refresh(1), revoke()).when(refresh(1)).refused('grant-revoked');
  });

  it('prevents another grant in the same stream', () => {
    for (const command of [issueCode(), grantByPassword(), grantToClient]) {
      given(authorizationGrant, grantByPassword(), revoke()).when(command).refused('grant-exists');
      given(authorizationGrant, grantToClient).when(command).refused('grant-exists');
    }
  });
});

describe('the resource servers of an authorization grant', () => {
  const [A, B] = ['https://a.example', 'https://b.example'];
  const redemptionEvents = ['AuthorizationCodeRedeemed', 'AccessTokenIssued', 'RefreshTokenIssued'] as const;
  const refreshEvents = ['RefreshTokenRotated', 'AccessTokenIssued'] as const;
  const resourcesOf = ({ decision }: ReturnType<ReturnType<typeof given>['when']>) =>
    decision.events.flatMap(({ type, data }) =>
      type === 'AccessTokenIssued' || type === 'RefreshTokenIssued' || type === 'AuthorizationCodeIssued'
        ? [data.resource]
        : [],
    );

  it('are the requested ones, and are absent from the events if none are requested', () => {
    expect(resourcesOf(given(authorizationGrant).when(issueCode({ resource: [A, B] })))).to.deep.equal([[A, B]]);
    expect(resourcesOf(given(authorizationGrant).when(grantByPassword({ resource: [A] })))).to.deep.equal([[A], [A]]);
    expect(resourcesOf(given(authorizationGrant).when({ ...grantToClient, resource: [A] }))).to.deep.equal([[A]]);
    const { decision } = given(authorizationGrant).when(grantByPassword());
    const afterRefresh = given(authorizationGrant, grantByPassword()).when(refresh(1));
    for (const { data } of [...decision.events, ...afterRefresh.decision.events])
      expect(data).not.to.have.property('resource');
  });

  it('may be narrowed for the access token of a code, while the refresh token keeps all of them', () => {
    const afterIssue = given(authorizationGrant, issueCode({ resource: [A, B] }));
    expect(resourcesOf(afterIssue.when(redeemCode()).accepted(...redemptionEvents))).to.deep.equal([
      [A, B],
      [A, B],
    ]);
    expect(resourcesOf(afterIssue.when(redeemCode({ resource: [B] })).accepted(...redemptionEvents))).to.deep.equal([
      [B],
      [A, B],
    ]);
    expect(
      resourcesOf(
        given(authorizationGrant, issueCode())
          .when(redeemCode({ resource: [B] }))
          .accepted(...redemptionEvents),
      ),
    ).to.deep.equal([[B], undefined]);
  });

  it('are refused if they exceed the resource servers of the grant', () => {
    given(authorizationGrant, issueCode({ resource: [A] }))
      .when(redeemCode({ resource: [A, B] }))
      .refused('resource-exceeds-grant');
    given(authorizationGrant, grantByPassword({ resource: [A] }))
      .when(refresh(1, { resource: [B] }))
      .refused('resource-exceeds-grant');
  });

  it('narrow the access token, but not the grant', () => {
    const afterNarrowing = given(
      authorizationGrant,
      grantByPassword({ resource: [A, B] }),
      refresh(1, { resource: [A] }),
    );
    expect(resourcesOf(afterNarrowing.when(refresh(2)).accepted(...refreshEvents))).to.deep.equal([[A, B]]);
  });

  it('must be the same in a retry of a refresh', () => {
    const afterRotation = given(
      authorizationGrant,
      grantByPassword({ resource: [A, B] }),
      refresh(1, { resource: [A] }),
    );
    afterRotation.when(refresh(1, { resource: [A] })).changesNothing();
    for (const resource of [[], [B], [A, B], ['https://c.example']])
      afterRotation.when(refresh(1, { resource })).refused('retry-resource-differs');
    given(authorizationGrant, grantByPassword({ resource: [A, B] }), refresh(1))
      .when(refresh(1, { resource: [B, A] }))
      .changesNothing();
    given(authorizationGrant, grantByPassword(), refresh(1))
      .when(refresh(1, { resource: [A] }))
      .refused('retry-resource-differs');
  });
});

/** The hash of the `back`th newest credential, or an unknown hash if there are fewer credentials. */
function recentHash(issuedHashes: readonly string[], back: number): CredentialHash {
  return (issuedHashes.at(-back) ?? hashOf('none')) as CredentialHash;
}

describe('the status of an authorization grant', () => {
  const statusAfter = (...commands: readonly GrantCommand[]): string => foldEvents(eventsOf(commands)).status;
  const manyRefreshes = refreshes(REFRESHES_PER_SUMMARY);

  it('is open after its first event, and redeemed after the redemption of its code', () => {
    expect(statusAfter()).to.equal('absent');
    for (const command of [issueCode(), grantByPassword(), grantToClient])
      expect(statusAfter(command), command.type).to.equal('open');
    expect(statusAfter(issueCode(), redeemCode())).to.equal('redeemed');
  });

  it('stays the same through refreshes and summaries', () => {
    expect(statusAfter(grantByPassword(), ...manyRefreshes)).to.equal('open');
    expect(statusAfter(issueCode(), redeemCode(), ...manyRefreshes)).to.equal('redeemed');
  });

  it('is revoked after its end, for every earlier status', () => {
    for (const history of [
      [issueCode()],
      [issueCode(), redeemCode()],
      [grantByPassword(), ...manyRefreshes],
      [grantToClient],
    ])
      expect(statusAfter(...history, revoke())).to.equal('revoked');
  });
});

describe('a command to an authorization grant', () => {
  it('begins a new stream if it issues tokens immediately, and a stream that may exist if it issues a code', () => {
    const initialRevisionOf = (command: GrantCommand) => authorizationGrant.initialRevision?.(command);
    expect([grantByPassword(), grantToClient].map(initialRevisionOf)).to.deep.equal(['new-stream', 'new-stream']);
    expect(initialRevisionOf(issueCode())).to.equal('no-stream');
    for (const command of [redeemCode(), refresh(1), revoke()]) expect(initialRevisionOf(command)).to.equal(undefined);
  });

  it('has a decision time unless it revokes a grant', () => {
    for (const command of [issueCode(), redeemCode(), grantByPassword(), refresh(1)])
      expect(authorizationGrant.decidedAt?.({ ...command, now: seconds(7) })).to.equal(7);
    expect(authorizationGrant.decidedAt?.(revoke())).to.equal(undefined);
  });

  it('must have a known type, and so must an event', () => {
    const unknownMessage = unchecked({ type: 'Other' });
    expect(() => authorizationGrant.decide(unknownMessage, authorizationGrant.initial)).to.throw('unhandled case');
    expect(() => authorizationGrant.evolve(authorizationGrant.initial, unknownMessage)).to.throw('unhandled case');
  });
});

describe('an authorization grant in a damaged log', () => {
  it('has no refresh token after a rotation without an earlier token', () => {
    const rotations = eventsOf([grantByPassword(), refresh(1)]).filter(({ type }) => type === 'RefreshTokenRotated');
    expect(foldEvents(rotations).refresh).to.equal(null);
  });

  it('does not repeat a response if its access token is missing', () => {
    const events = eventsOf([grantByPassword(), refresh(1)]).filter(({ type }) => type !== 'AccessTokenIssued');
    expect(authorizationGrant.decide(refresh(1), foldEvents(events))).to.deep.equal({
      refusal: 'retry-scope-differs',
      events: [],
    });
  });
});

describe('over any sequence of commands, an authorization grant', () => {
  const backPosition = fc.constantFrom(1, 2, 3);
  const time = fc.integer({ min: 0, max: 300 }).map(seconds);
  const aClientId = fc.constantFrom('A', 'A', 'A', 'B').map(clientId);
  const names = fc.subarray(['read', 'write', 'groups'], { minLength: 1 });
  const someResources = fc.subarray(['https://a.example', 'https://b.example']);
  const expiry = fc.option(time, { nil: null });
  let serial = 0;
  const newHashes = (): { accessHash: CredentialHash; refreshHash: CredentialHash } => {
    serial += 1;
    return { accessHash: hashOf(`access ${serial}`), refreshHash: hashOf(`refresh ${serial}`) };
  };

  /** Creates a command, which may present one of the refresh tokens that have been issued so far. */
  type Move = (issuedHashes: readonly string[]) => GrantCommand;
  const aMove: fc.Arbitrary<Move> = fc.oneof(
    {
      weight: 2,
      arbitrary: fc
        .record({
          clientId: aClientId,
          scope: names,
          resource: someResources,
          redirectUriRequired: fc.boolean(),
          expiresAt: time,
        })
        .map((fields) => (): GrantCommand => issueCode(fields)),
    },
    {
      weight: 3,
      arbitrary: fc
        .record({
          clientId: aClientId,
          now: time,
          resource: someResources,
          redirectUri: fc.constantFrom(REDIRECT_URI, REDIRECT_URI, null),
        })
        .map((fields) => (): GrantCommand => redeemCode({ ...fields, ...newHashes() })),
    },
    {
      weight: 1,
      arbitrary: fc
        .record({ clientId: aClientId, scope: names, resource: someResources, refreshExpiresAt: expiry })
        .map((fields) => (): GrantCommand => grantByPassword({ ...fields, ...newHashes() })),
    },
    { weight: 1, arbitrary: fc.constant((): GrantCommand => ({ ...grantToClient, ...newHashes() })) },
    {
      weight: 6,
      arbitrary: fc
        .tuple(
          backPosition,
          fc.record({
            clientId: aClientId,
            now: time,
            scope: fc.option(names, { nil: null }),
            resource: someResources,
            refreshExpiresAt: expiry,
          }),
        )
        .map(
          ([back, fields]): Move =>
            (issuedHashes) =>
              refresh(1, { ...fields, ...newHashes(), presentedHash: recentHash(issuedHashes, back) }),
        ),
    },
    { weight: 1, arbitrary: fc.constant((): GrantCommand => revoke()) },
  );

  /** Every decision of a run, with the state before and after it. */
  function decideAll(moves: readonly Move[]) {
    const issuedHashes: string[] = [];
    let state = authorizationGrant.initial;
    return moves.map((move) => {
      const command = move(issuedHashes);
      const stateBefore = state;
      const { events, refusal } = authorizationGrant.decide(command, state);
      for (const event of events)
        if (event.type === 'RefreshTokenIssued' || event.type === 'RefreshTokenRotated')
          issuedHashes.push(event.data.tokenHash);
      state = events.reduce(authorizationGrant.evolve, state);
      return { command, stateBefore, events, refusal, stateAfter: state };
    });
  }
  const eventsIn = (moves: readonly Move[]): readonly DomainEvent[] => decideAll(moves).flatMap(({ events }) => events);
  const forAllMoves = (property: (moves: readonly Move[]) => unknown): void =>
    fc.assert(
      fc.property(fc.array(aMove, { maxLength: 20 }), (moves) => void property(moves)),
      { numRuns: 500 },
    );

  it('redeems its code at most once', () => {
    forAllMoves((moves) => {
      const redemptions = eventsIn(moves).filter(({ type }) => type === 'AuthorizationCodeRedeemed');
      expect(redemptions).to.have.length.at.most(1);
    });
  });

  it('records nothing after its end', () => {
    forAllMoves((moves) => {
      const events = eventsIn(moves);
      const endIndex = events.findIndex(({ type }) => type === 'GrantRevoked');
      if (endIndex >= 0) expect(events.slice(endIndex + 1)).to.deep.equal([]);
    });
  });

  it('never issues a wider scope than the consent', () => {
    forAllMoves((moves) => {
      const events = eventsIn(moves);
      const consent = events.find((event) => event.type === 'ConsentGiven');
      for (const event of events)
        if (consent !== undefined && 'scope' in event.data)
          expect(isWithin(event.data.scope, consent.data.scope)).to.equal(true);
    });
  });

  it('never issues a token for more resource servers than its code or its first refresh token', () => {
    forAllMoves((moves) => {
      let grantedResources: readonly string[] = [];
      for (const { type, data } of eventsIn(moves)) {
        if (type === 'AuthorizationCodeIssued' || type === 'RefreshTokenIssued') grantedResources = data.resource ?? [];
        if (type !== 'AccessTokenIssued' || grantedResources.length === 0) continue;
        expect(data.resource ?? []).not.to.deep.equal([]);
        expect(isWithin(data.resource ?? [], grantedResources)).to.equal(true);
      }
    });
  });

  it('has a single chain of refresh tokens, each used at most once', () => {
    forAllMoves((moves) => {
      let currentHash: string | undefined;
      for (const event of eventsIn(moves)) {
        if (event.type === 'RefreshTokenIssued') {
          expect(currentHash).to.equal(undefined);
          currentHash = event.data.tokenHash;
        }
        if (event.type !== 'RefreshTokenRotated') continue;
        expect(event.data.spentHash).to.equal(currentHash);
        currentHash = event.data.tokenHash;
      }
    });
  });

  it('is never ended by a refresh token that is not known to be genuine', () => {
    forAllMoves((moves) => {
      for (const { stateBefore } of decideAll(moves)) {
        const forgedToken = { presentedHash: hashOf('junk'), isPresentedTokenGenuine: false };
        const decision = authorizationGrant.decide(refresh(1, forgedToken), stateBefore);
        expect(decision).to.deep.equal({ refusal: 'refresh-token-unknown', events: [] });
      }
    });
  });

  it('belongs to one client and one user', () => {
    forAllMoves((moves) => {
      const owners = eventsIn(moves).flatMap(({ data }) =>
        'clientId' in data && 'userId' in data ? [`${data.clientId} ${data.userId}`] : [],
      );
      expect(new Set(owners).size).to.be.at.most(1);
    });
  });

  it('records only events that match their schemas, and at most a revocation with a refusal', () => {
    forAllMoves((moves) => {
      for (const { events, refusal } of decideAll(moves)) {
        for (const event of events) encodeEvent(event);
        if (refusal !== undefined) expect(events.every(({ type }) => type === 'GrantRevoked')).to.equal(true);
      }
    });
  });

  it('has a state that follows from its events', () => {
    forAllMoves((moves) => {
      for (const { stateAfter } of decideAll(moves)) {
        if (stateAfter.status === 'absent') expect(stateAfter).to.deep.equal(authorizationGrant.initial);
        const { status, code, redeemedCodeHash } = stateAfter;
        if (status === 'redeemed') expect([code, redeemedCodeHash]).to.deep.equal([null, hashOf('code')]);
        if (stateAfter.status === 'redeemed') expect(stateAfter.refresh).to.not.equal(null);
        if (stateAfter.refresh !== null) expect(stateAfter.refresh.clientId).to.equal(stateAfter.clientId);
        if (stateAfter.status !== 'absent') expect(stateAfter.clientId).to.not.equal(null);
      }
    });
  });

  it('does not change without an event', () => {
    forAllMoves((moves) => {
      for (const { events, stateBefore, stateAfter } of decideAll(moves))
        if (events.length === 0) expect(stateAfter).to.equal(stateBefore);
    });
  });
});
