import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Grant } from '../../../src/domain/authorization-grant.ts';
import { REGISTERED_GRANTS, type ClientId, type CredentialHash } from '../../../src/domain/values.ts';
import { OAuthError } from '../../../src/oauth/endpoints/errors.ts';
import { applyRefreshRules } from '../../../src/oauth/grant-types/refresh-rules.ts';
import type { Refusal } from '../../../src/oauth/refusals/refusal.ts';
import { clientId, grantId, hashOf, userId } from '../../support/domain-values.ts';
import { unchecked } from '../../support/unchecked.ts';

const CURRENT_HASH = hashOf('current');
const CLIENT = clientId('A');
const SCOPES = ['read', 'write', 'groups'];
const RESOURCES = ['https://one.example/', 'https://two.example/', 'https://three.example/'];

const REFRESHABLE_GRANTS = ['authorization-code', 'password', 'device-code'] as const;

/** The properties that vary between refreshes. */
interface Situation {
  readonly status: Grant['status'];
  /** The grant type that began the grant. */
  readonly grantType: (typeof REFRESHABLE_GRANTS)[number];
  readonly presentedHash: CredentialHash;
  readonly client: ClientId;
  readonly registeredGrants: readonly string[];
  readonly grantedScope: readonly string[];
  readonly scope: readonly string[];
  readonly knownScopes: readonly string[];
  readonly grantedResources: readonly string[];
  readonly requestedResources: readonly string[];
  readonly knownResources: readonly string[];
}

/** A refresh that all current rules allow. */
const ALLOWED_REFRESH: Situation = {
  status: 'redeemed',
  grantType: 'authorization-code',
  presentedHash: CURRENT_HASH,
  client: CLIENT,
  registeredGrants: ['authorization-code'],
  grantedScope: ['read', 'write'],
  scope: ['read'],
  knownScopes: ['read', 'write'],
  grantedResources: [],
  requestedResources: [],
  knownResources: [],
};

const aSituation: fc.Arbitrary<Situation> = fc.record({
  status: fc.constantFrom<Grant['status']>('open', 'redeemed', 'revoked'),
  grantType: fc.constantFrom(...REFRESHABLE_GRANTS),
  presentedHash: fc.constantFrom(CURRENT_HASH, CURRENT_HASH, hashOf('earlier')),
  client: fc.constantFrom(CLIENT, CLIENT, clientId('B')),
  registeredGrants: fc.subarray([...REGISTERED_GRANTS]),
  grantedScope: fc.subarray(SCOPES, { minLength: 1 }),
  scope: fc.subarray(SCOPES),
  knownScopes: fc.subarray(SCOPES),
  grantedResources: fc.subarray(RESOURCES),
  requestedResources: fc.subarray(RESOURCES),
  knownResources: fc.subarray(RESOURCES),
});

function createGrant({ status, grantType, grantedScope, grantedResources }: Situation): Grant {
  return {
    status,
    clientId: CLIENT,
    code: null,
    deviceCode: null,
    isDeviceGrant: grantType === 'device-code',
    redeemedCodeHash: grantType === 'authorization-code' ? hashOf('code') : null,
    access: null,
    refresh: {
      currentHash: CURRENT_HASH,
      clientId: CLIENT,
      userId: userId('ada'),
      scope: grantedScope,
      resource: grantedResources,
      expiresAt: null,
      hasUntagged: false,
      confirmation: undefined,
      rotation: null,
      refreshesSinceSummary: 0,
    },
    login: undefined,
    claims: undefined,
    details: undefined,
    idToken: undefined,
    management: undefined,
    replacedBy: undefined,
  };
}

/** Applies the rules. Returns the resource servers of the refresh, or the refusal. */
function refresh(situation: Situation, grant = createGrant(situation)): readonly string[] | Refusal {
  const { presentedHash, client, registeredGrants, scope, requestedResources, knownScopes, knownResources } = situation;
  const request = {
    presentedToken: { grantId: grantId('grant'), hash: presentedHash },
    client: unchecked({ clientId: client, grantTypes: registeredGrants }),
    scope,
    resource: requestedResources,
  };
  const scopes = Object.fromEntries(knownScopes.map((name) => [name, `may ${name}`]));
  try {
    return applyRefreshRules(grant, request, { scopes, knownResources });
  } catch (error) {
    if (error instanceof OAuthError) return error.refusal;
    throw error;
  }
}

/**
 * Returns what the rules should return: normally the resource servers in the request. If it has none and some resource
 * servers of the grant no longer exist, they should return the remaining ones, or undefined if none remains.
 */
function effectiveResources({
  requestedResources,
  grantedResources,
  knownResources,
}: Situation): readonly string[] | undefined {
  if (requestedResources.length > 0 || grantedResources.length === 0) return requestedResources;
  const existingResources = grantedResources.filter((uri) => knownResources.includes(uri));
  if (existingResources.length === grantedResources.length) return requestedResources;
  return existingResources.length === 0 ? undefined : existingResources;
}

const isCurrentToken = ({ status, presentedHash, client }: Situation): boolean =>
  status !== 'revoked' && presentedHash === CURRENT_HASH && client === CLIENT;

describe('the current rules for a refresh', () => {
  it('do not apply to tokens that are not current, belong to other clients or have a revoked grant', () => {
    fc.assert(
      fc.property(aSituation, (situation) => {
        fc.pre(!isCurrentToken(situation));
        expect(refresh(situation)).to.deep.equal(effectiveResources(situation) ?? situation.requestedResources);
      }),
    );
    for (const change of [
      { status: 'revoked' as const },
      { presentedHash: hashOf('other') },
      { client: clientId('B') },
    ])
      expect(
        refresh({ ...ALLOWED_REFRESH, registeredGrants: [], knownScopes: [], ...change }),
        Object.keys(change)[0],
      ).to.deep.equal([]);
  });

  it('do not apply to a token of a grant without refresh tokens', () => {
    fc.assert(
      fc.property(aSituation, (situation) => {
        const grant = { ...createGrant(situation), refresh: null };
        expect(refresh(situation, grant)).to.deep.equal(situation.requestedResources);
      }),
    );
  });

  it('require that the client is still registered for the grant type that began the grant', () => {
    fc.assert(
      fc.property(aSituation, (situation) => {
        const { grantType, registeredGrants } = situation;
        fc.pre(isCurrentToken(situation));
        const refusal = { rule: 'client-not-registered-for', grantType, registered: registeredGrants };
        if (registeredGrants.includes(grantType)) expect(refresh(situation)).to.not.include({ rule: refusal.rule });
        else expect(refresh(situation)).to.deep.equal(refusal);
      }),
    );
  });

  it('refuse a requested scope of the grant that no longer exists, and report it', () => {
    fc.assert(
      fc.property(aSituation, (situation) => {
        const { grantedScope, scope, knownScopes } = situation;
        fc.pre(isCurrentToken(situation));
        const registeredGrants = REGISTERED_GRANTS;
        const unknownScopes = scope.filter((name) => grantedScope.includes(name) && !knownScopes.includes(name));
        const result = refresh({ ...situation, registeredGrants });
        if (unknownScopes.length === 0) expect(result).to.not.include({ rule: 'scope-unknown' });
        else expect(result).to.deep.equal({ rule: 'scope-unknown', unknown: unknownScopes, known: knownScopes });
      }),
    );
  });

  it('do not apply to a scope that was never granted, whether it exists or not', () => {
    for (const knownScopes of [ALLOWED_REFRESH.knownScopes, SCOPES])
      expect(refresh({ ...ALLOWED_REFRESH, scope: ['read', 'groups'], knownScopes })).to.deep.equal([]);
  });

  it('keep the resource servers of the grant that still exist, and refuse if none of them exists', () => {
    fc.assert(
      fc.property(aSituation, (situation) => {
        fc.pre(isCurrentToken(situation));
        const { grantedResources, knownResources } = situation;
        const result = refresh({ ...situation, registeredGrants: REGISTERED_GRANTS, knownScopes: SCOPES });
        expect(result).to.deep.equal(
          effectiveResources(situation) ?? {
            rule: 'resource-unknown',
            seen: grantedResources.join(' '),
            known: knownResources,
          },
        );
      }),
    );
  });
});
