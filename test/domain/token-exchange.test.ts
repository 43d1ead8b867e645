import { expect } from 'chai';
import fc from 'fast-check';
import { authorizationGrant } from '../../src/domain/authorization-grant.ts';
import type { EventOf } from '../../src/domain/events.ts';
import {
  decideExchange,
  grantIdOfToken,
  issuersOf,
  type AllowedExchange,
  type ExchangeProblem,
  type ExchangeRequest,
  type ForeignOrigin,
  type Party,
  type SubjectToken,
} from '../../src/domain/token-exchange.ts';
import { EXCHANGE_MODES, MAX_EXCHANGE_DEPTH } from '../../src/domain/values.ts';
import { clientId, grantId, hashOf, loginOf, seconds, userId } from '../support/domain-values.ts';
import { ACTOR, exchangeToken, REQUEST, SUBJECT } from '../support/exchanges.ts';
import { given } from '../support/given-when-then.ts';

const POLICY = { modes: EXCHANGE_MODES, scope: null, resources: null } as const;
const [ONE, TWO] = ['https://one.example', 'https://two.example'] as const;

const clientParty = (client: string): Party => ({ clientId: clientId(client), userId: null });
const decide = (changes: Partial<ExchangeRequest>): AllowedExchange | ExchangeProblem =>
  decideExchange({ ...REQUEST, ...changes });
const withSubject = (changes: Partial<SubjectToken>): Pick<ExchangeRequest, 'subject'> => ({
  subject: { ...SUBJECT, ...changes },
});
const actor = (changes: Partial<NonNullable<ExchangeRequest['actor']>> = {}): Pick<ExchangeRequest, 'actor'> => ({
  actor: { ...ACTOR, ...changes },
});
const earlierExchange = (
  depth: number,
  clients: readonly string[],
  chain: readonly Party[] = [],
): SubjectToken['exchange'] => ({
  depth,
  chain,
  root: { grantId: grantId('first'), clientId: clientId('Web') },
  clients: clients.map(clientId),
});

describe('the exchange of a token', () => {
  it('is impersonation without an actor, and otherwise delegation, which names the actor', () => {
    expect(decide({})).to.include({ mode: 'impersonation', depth: 1 }).and.to.deep.include({ chain: [] });
    expect(decide(actor()))
      .to.include({ mode: 'delegation' })
      .and.to.deep.include({ chain: [clientParty('Api')] });
  });

  it('needs a policy that allows its mode', () => {
    expect(decide({ policy: undefined })).to.deep.equal({ problem: 'policy-missing' });
    const [impersonation, delegation] = EXCHANGE_MODES;
    for (const [mode, otherMode, request] of [
      [impersonation, delegation, {}],
      [delegation, impersonation, actor()],
    ] as const) {
      expect(decide({ ...request, policy: { ...POLICY, modes: [otherMode] } })).to.deep.equal({
        problem: 'mode-not-allowed',
        mode,
        allowed: [otherMode],
      });
      expect(decide({ ...request, policy: { ...POLICY, modes: [mode] } })).to.include({ mode });
    }
  });

  it('keeps the root and the actors of its chain, with or without another actor', () => {
    const exchange = earlierExchange(1, ['Mid'], [clientParty('Mid')]);
    const root = { grantId: grantId('first'), clientId: clientId('Web') };
    const subject = { ...SUBJECT, clientId: clientId('Mid'), exchange };
    expect(decide({ subject })).to.deep.include({ depth: 2, root, chain: [clientParty('Mid')] });
    expect(decide({ subject, ...actor() })).to.deep.include({
      depth: 2,
      root,
      chain: [clientParty('Api'), clientParty('Mid')],
    });
  });

  it('ends with the subject token or the actor token, whichever ends first', () => {
    expect(decide({})).to.include({ latestExpiry: 1_000 });
    expect(decide(actor())).to.include({ latestExpiry: 800 });
    expect(decide(actor({ expiresAt: seconds(2_000) }))).to.include({ latestExpiry: 1_000 });
  });

  it('is refused if it is the fifth in a chain, or the second by the same client', () => {
    const clients = ['C4', 'C3', 'C2', 'C1'];
    expect(decide(withSubject({ exchange: earlierExchange(MAX_EXCHANGE_DEPTH - 1, clients.slice(1)) }))).to.include({
      depth: 4,
    });
    expect(decide(withSubject({ exchange: earlierExchange(MAX_EXCHANGE_DEPTH, clients) }))).to.deep.equal({
      problem: 'chain-too-deep',
    });
    expect(decide(withSubject({ exchange: earlierExchange(2, ['Mid', 'Api']) }))).to.deep.equal({
      problem: 'client-repeated',
    });
  });

  it("is allowed for the client's own token", () => {
    expect(decide(withSubject({ clientId: REQUEST.clientId }))).to.include({ depth: 1 });
  });

  it('is refused for an actor token that belongs to another client or was exchanged', () => {
    expect(decide(actor({ clientId: clientId('Mid') }))).to.deep.equal({ problem: 'actor-of-another-client' });
    expect(decide(actor({ isExchanged: true }))).to.deep.equal({ problem: 'actor-exchanged' });
  });

  it('is refused for an actor that is the subject or already acts in the chain', () => {
    const bertActor = actor({ userId: userId('bert') });
    expect(decide(actor({ userId: userId('ada') }))).to.deep.equal({ problem: 'actor-is-subject' });
    expect(decide(bertActor)).to.include({ mode: 'delegation' });
    const clientSubject = { userId: null, clientId: REQUEST.clientId };
    expect(decide({ ...withSubject(clientSubject), ...actor() })).to.deep.equal({ problem: 'actor-is-subject' });
    expect(decide({ ...withSubject({ ...clientSubject, clientId: clientId('Web') }), ...actor() })).to.include({
      depth: 1,
    });
    // The subject of a client's exchanged token is the client at the root.
    const exchangedSubject = { userId: null, clientId: clientId('Mid'), exchange: earlierExchange(1, ['Mid']) };
    const exchangeWithApiRoot = {
      ...exchangedSubject.exchange,
      root: { grantId: grantId('first'), clientId: REQUEST.clientId },
    };
    expect(decide({ ...withSubject(exchangedSubject), ...actor() })).to.include({ depth: 2 });
    expect(
      decide({
        ...withSubject({ ...exchangedSubject, exchange: exchangeWithApiRoot as SubjectToken['exchange'] }),
        ...actor(),
      }),
    ).to.deep.equal({
      problem: 'actor-is-subject',
    });
    const exchangeWithBert = earlierExchange(1, ['Mid'], [{ clientId: clientId('Mid'), userId: userId('bert') }]);
    expect(decide({ ...withSubject({ exchange: exchangeWithBert }), ...bertActor })).to.deep.equal({
      problem: 'actor-repeated',
    });
    expect(decide({ ...withSubject({ exchange: exchangeWithBert }), ...actor() })).to.include({ depth: 2 });
  });

  it('is bound to a key if its subject is: a bound token is never exchanged for an unbound one', () => {
    const confirmation = { method: 'jkt', thumbprint: 'key' } as const;
    expect(decide(withSubject({ confirmation }))).to.deep.equal({ problem: 'not-bound' });
    expect(decide({ ...withSubject({ confirmation }), confirmation })).to.include({ mode: 'impersonation' });
    expect(decide({ confirmation })).to.include({ mode: 'impersonation' });
  });

  it('may have authorization details alone, if its subject has some and no scope is left', () => {
    const disjoint = actor({ scope: ['other'] });
    const details = [{ type: 'payment', hash: hashOf('detail') }];
    expect(decide({ ...withSubject({ details }), ...disjoint })).to.deep.include({ scope: [] });
  });

  it('has the scope that subject, actor and policy have in common, without the scopes for logins and operators', () => {
    const subject = withSubject({ scope: ['openid', 'email', 'read', 'write', 'audit', 'publish'] });
    expect(decide(subject)).to.deep.include({ scope: ['read', 'write', 'publish'] });
    const policy = { ...POLICY, scope: ['openid', 'read', 'publish', 'delete'] };
    expect(decide({ ...subject, policy })).to.deep.include({ scope: ['read', 'publish'] });
    expect(decide({ ...subject, policy, ...actor() })).to.deep.include({ scope: ['read'] });
    expect(decide({ ...subject, ...actor({ scope: ['other'] }) })).to.deep.equal({ problem: 'no-scope-left' });
  });

  it('is refused for a scope that the subject, actor or policy lacks, and names the first of them', () => {
    const requestFor = (...scope: readonly string[]) => ({ requested: { scope, resource: [] } });
    expect(decide(requestFor('read'))).to.deep.include({ scope: ['read'] });
    for (const [limit, missing, request] of [
      ['subject', 'publish', requestFor('read', 'publish')],
      ['actor', 'write', { ...requestFor('read', 'write'), ...actor({ scope: ['read'] }) }],
      ['policy', 'write', { ...requestFor('read', 'write'), policy: { ...POLICY, scope: ['read'] } }],
      ['exchange', 'openid', { ...requestFor('read', 'openid'), ...withSubject({ scope: ['read', 'openid'] }) }],
      ['exchange', 'audit', { ...requestFor('read', 'audit'), ...withSubject({ scope: ['read', 'audit'] }) }],
    ] as const) {
      const expected = { problem: 'scope-beyond', limit, missing: [missing], allowed: expectedScope(limit) };
      expect(decide(request)).to.deep.equal(expected);
    }
  });

  it('is for the resource servers that subject and policy have in common', () => {
    const policy = { ...POLICY, resources: [TWO] };
    expect(decide({})).to.deep.include({ resource: [] });
    expect(decide({ policy })).to.deep.include({ resource: [TWO] });
    expect(decide(withSubject({ resource: [ONE, TWO] }))).to.deep.include({ resource: [ONE, TWO] });
    expect(decide({ ...withSubject({ resource: [ONE, TWO] }), policy })).to.deep.include({ resource: [TWO] });
    expect(decide({ ...withSubject({ resource: [ONE] }), policy })).to.deep.equal({ problem: 'no-resource-left' });
  });

  it('is refused if the policy is left with no resource server, because an empty list would mean all of them', () => {
    expect(decide({ policy: { ...POLICY, resources: [] } })).to.deep.equal({ problem: 'no-resource-left' });
  });

  it('is refused for a resource server that the subject or policy does not allow', () => {
    const requestFor = (...resource: readonly string[]) => ({ requested: { scope: [], resource } });
    expect(decide(requestFor(TWO))).to.deep.include({ resource: [TWO] });
    const refusal = { problem: 'resource-beyond', missing: [TWO], allowed: [ONE] };
    expect(decide({ ...requestFor(ONE, TWO), ...withSubject({ resource: [ONE] }) })).to.deep.equal({
      ...refusal,
      limit: 'subject',
    });
    expect(decide({ ...requestFor(TWO), policy: { ...POLICY, resources: [ONE] } })).to.deep.equal({
      ...refusal,
      limit: 'policy',
    });
  });
});

const expectedScope = (limit: string): readonly string[] => (limit === 'subject' ? ['read', 'write'] : ['read']);

const NAMES = ['read', 'write', 'publish', 'openid', 'email', 'audit'] as const;
const names = fc.uniqueArray(fc.constantFrom<string>(...NAMES), { maxLength: 4 });
const uris = fc.uniqueArray(fc.constantFrom<string>(ONE, TWO, 'https://three.example'), { maxLength: 3 });
const party = fc.record({
  clientId: fc.constantFrom('Api', 'Mid', 'Web').map(clientId),
  userId: fc.constantFrom('ada', 'bert', null).map((name) => (name === null ? null : userId(name))),
});
const token = { scope: names, expiresAt: fc.integer({ min: 0, max: 2_000 }).map(seconds) };
const request: fc.Arbitrary<ExchangeRequest> = fc.record({
  clientId: fc.constant(REQUEST.clientId),
  subject: fc
    .tuple(
      party,
      fc.record({ ...token, resource: uris }),
      fc.option(
        fc.record({
          depth: fc.integer({ min: 1, max: MAX_EXCHANGE_DEPTH }),
          chain: fc.array(party, { maxLength: 3 }),
          root: fc.constant({ grantId: grantId('first'), clientId: clientId('Web') }),
          clients: fc.array(fc.constantFrom('Api', 'Mid', 'C1').map(clientId), { minLength: 1, maxLength: 4 }),
        }),
        { nil: undefined },
      ),
    )
    .map(([holder, rest, exchange]) => ({ ...SUBJECT, ...holder, ...rest, exchange })),
  actor: fc.option(
    fc
      .tuple(party, fc.record({ ...token, isExchanged: fc.boolean() }))
      .map(([holder, rest]) => ({ ...ACTOR, ...holder, ...rest })),
    { nil: undefined },
  ),
  policy: fc.option(
    fc.record({
      modes: fc.subarray([...EXCHANGE_MODES], { minLength: 1 }),
      scope: fc.option(names.filter(({ length }) => length > 0)),
      resources: fc.option(uris.filter(({ length }) => length > 0)),
    }),
    { nil: undefined },
  ),
  requested: fc.record({ scope: names, resource: uris }),
});

describe('every allowed exchange', () => {
  it('stays within the scope, audience and lifetime of its subject, its actor and its policy', () => {
    fc.assert(
      fc.property(request, (exchangeRequest) => {
        const allowedExchange = decideExchange(exchangeRequest);
        if ('problem' in allowedExchange) return;
        const { subject, policy, requested } = exchangeRequest;
        const scopes = [
          subject.scope,
          exchangeRequest.actor?.scope,
          policy?.scope,
          requested.scope.length > 0 && requested.scope,
        ];
        for (const limit of scopes) if (limit) expect(limit).to.include.members([...allowedExchange.scope]);
        expect(allowedExchange.scope).to.have.length.above(0);
        expect(allowedExchange.scope).to.not.include('openid');
        expect(allowedExchange.scope).to.not.include('audit');
        const audiences = [subject.resource, policy?.resources ?? [], requested.resource];
        for (const limit of audiences.filter(({ length }) => length > 0)) {
          expect(allowedExchange.resource).to.have.length.above(0);
          expect(limit).to.include.members([...allowedExchange.resource]);
        }
        expect(allowedExchange.latestExpiry).to.be.at.most(subject.expiresAt);
        expect(allowedExchange.latestExpiry).to.be.at.most(exchangeRequest.actor?.expiresAt ?? Infinity);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is one level deeper than its subject, within the maximum depth, and its client is new to the chain', () => {
    fc.assert(
      fc.property(request, (exchangeRequest) => {
        const allowedExchange = decideExchange(exchangeRequest);
        if ('problem' in allowedExchange) return;
        const { exchange } = exchangeRequest.subject;
        expect(allowedExchange.depth)
          .to.equal((exchange?.depth ?? 0) + 1)
          .and.to.be.at.most(MAX_EXCHANGE_DEPTH);
        expect(exchange?.clients ?? []).to.not.include(exchangeRequest.clientId);
        const addedCount = allowedExchange.chain.length - (exchange?.chain.length ?? 0);
        expect(addedCount).to.equal(allowedExchange.mode === 'delegation' ? 1 : 0);
        expect(allowedExchange.chain.slice(addedCount)).to.deep.equal(exchange?.chain ?? []);
        expect(exchangeRequest.policy?.modes).to.include(allowedExchange.mode);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the grant of an exchange', () => {
  const EXCHANGE_EVENTS = ['TokenExchanged', 'AccessTokenIssued'] as const;

  /** Exchanges a token, and returns the data of the event that records it. */
  function recordedExchange(changes: Parameters<typeof exchangeToken>[0]): EventOf<'TokenExchanged'>['data'] {
    const { events } = given(authorizationGrant)
      .when(exchangeToken(changes))
      .accepted(...EXCHANGE_EVENTS).decision;
    return events[0]?.type === 'TokenExchanged' ? events[0].data : expect.fail('no exchange');
  }

  const tokensOf = ({ parent, actor: actorToken }: EventOf<'TokenExchanged'>['data']) =>
    [parent, actorToken ?? expect.fail('no actor')] as const;

  it('begins with the exchange and its access token, in one append, once', () => {
    const [exchangeEvent, tokenEvent] = given(authorizationGrant)
      .when(exchangeToken(actor()))
      .accepted(...EXCHANGE_EVENTS).decision.events;
    expect(exchangeEvent?.data).to.deep.equal({
      grantId: grantId('exchange'),
      clientId: clientId('Api'),
      userId: userId('ada'),
      mode: 'delegation',
      scope: ['read', 'write'],
      parent: {
        grantId: SUBJECT.grantId,
        clientId: clientId('Web'),
        tokenHash: hashOf('subject'),
        tokenType: 'access_token',
      },
      actor: { grantId: grantId('actor'), clientId: clientId('Api'), userId: null, tokenHash: hashOf('actor') },
      chain: [clientParty('Api')],
      depth: 1,
      root: { grantId: SUBJECT.grantId, clientId: clientId('Web') },
      requested: { scope: [] },
      expiresAt: 500,
    });
    expect(tokenEvent?.data).to.deep.include({ exchanged: true, scope: ['read', 'write'], expiresAt: 500 });
    given(authorizationGrant, exchangeToken()).when(exchangeToken()).refused('grant-exists');
  });

  it('records the login of its subject, and the scopes that its resource servers define', () => {
    const login = loginOf('session');
    const { events } = given(authorizationGrant)
      .when(exchangeToken({ ...withSubject({ login }), definedScopes: new Set(['read']) }))
      .accepted(...EXCHANGE_EVENTS).decision;
    for (const { data } of events) expect(data).to.deep.include({ login, scope: ['read'] });
  });

  it('records the authorization details without their contents, and those that were requested', () => {
    const detail = { type: 'payment', hash: hashOf('detail') };
    const data = recordedExchange({
      ...withSubject({ details: [detail] }),
      requested: { scope: [], resource: [], details: [detail] },
      details: [{ ...detail, sealed: 'encrypted' }],
    });
    expect(data).to.deep.include({ details: [detail], requested: { scope: [], details: [detail] } });
  });

  it('has authorization details only within those of its subject', () => {
    const [detail, otherDetail] = ['one', 'two'].map((label) => ({
      type: 'payment',
      hash: hashOf(label),
      sealed: 'encrypted',
    }));
    const fromSubject = withSubject({ details: [detail!] });
    const newGrant = given(authorizationGrant);
    newGrant.when(exchangeToken({ ...fromSubject, details: [detail!] })).accepted(...EXCHANGE_EVENTS);
    newGrant.when(exchangeToken({ ...fromSubject, details: [otherDetail!] })).refused('exchange-refused');
    newGrant.when(exchangeToken({ details: [detail!] })).refused('exchange-refused');
  });

  it('needs no scope if it has authorization details', () => {
    const detail = { type: 'payment', hash: hashOf('one'), sealed: 'encrypted' };
    const exchange = exchangeToken({
      ...withSubject({ details: [detail] }),
      details: [detail],
      definedScopes: new Set(['other']),
    });
    given(authorizationGrant)
      .when(exchange)
      .accepted(...EXCHANGE_EVENTS);
  });

  it('belongs to the client and has the login of its subject, from the first event', () => {
    const login = loginOf('session');
    const { events } = authorizationGrant.decide(exchangeToken(withSubject({ login })), authorizationGrant.initial);
    const grant = events.slice(0, 1).reduce(authorizationGrant.evolve, authorizationGrant.initial);
    expect(grant).to.deep.include({ status: 'open', clientId: clientId('Api'), login, access: null });
  });

  it('begins a new stream, whose name is random', () => {
    expect(authorizationGrant.initialRevision?.(exchangeToken())).to.equal('new-stream');
  });

  it('records the issuers of JWTs from other servers in place of their grants', () => {
    const foreign: ForeignOrigin = {
      issuer: 'https://other.example',
      tokenHash: hashOf('jwt'),
      tokenType: 'jwt',
      subjectHash: hashOf('ada at the other server'),
      mapping: 'user-name',
      keyId: hashOf('key') as string as ForeignOrigin['keyId'],
      algorithm: 'ES256',
      expiresAt: seconds(1_000),
    };
    const data = recordedExchange({ ...withSubject({ foreign }), ...actor({ foreign, userId: userId('bert') }) });
    expect(data.parent).to.deep.equal(foreign);
    expect(data.actor).to.deep.equal({ clientId: clientId('Api'), userId: userId('bert'), ...foreign });
    expect(issuersOf(data)).to.deep.equal(['https://other.example', 'https://other.example']);
    expect(tokensOf(data).map(grantIdOfToken)).to.deep.equal([undefined, undefined]);
  });

  it('depends on no issuer for tokens from this server, and on the grants of both tokens', () => {
    const data = recordedExchange(actor());
    expect(issuersOf(data)).to.deep.equal([]);
    expect(tokensOf(data).map(grantIdOfToken)).to.deep.equal([SUBJECT.grantId, ACTOR.grantId]);
    expect(issuersOf({ parent: data.parent })).to.deep.equal([]);
  });

  it('does not begin for a request that the rules refuse, or with a token that outlives its subject', () => {
    const newGrant = given(authorizationGrant);
    newGrant.when(exchangeToken({ policy: undefined })).refused('exchange-refused');
    newGrant.when(exchangeToken({ accessExpiresAt: seconds(1_001) })).refused('exchange-refused');
    newGrant.when(exchangeToken({ ...actor(), accessExpiresAt: seconds(801) })).refused('exchange-refused');
    newGrant.when(exchangeToken({ now: seconds(500) })).refused('exchange-refused');
    newGrant.when(exchangeToken({ definedScopes: new Set(['other']) })).refused('exchange-refused');
    newGrant.when(exchangeToken({ accessExpiresAt: seconds(1_000) })).accepted(...EXCHANGE_EVENTS);
  });

  it('is revoked like any other grant', () => {
    const revoke = { type: 'RevokeGrant', reason: 'revoked-by-client' } as const;
    given(authorizationGrant, exchangeToken()).when(revoke).accepted('GrantRevoked');
    given(authorizationGrant, exchangeToken(), revoke).when(revoke).changesNothing();
  });
});
