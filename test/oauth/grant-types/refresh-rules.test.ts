import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Grant } from '../../../src/domain/authorization-grant.ts';
import { REGISTERED_GRANTS, type ClientId, type CredentialHash } from '../../../src/domain/values.ts';
import { OAuthError } from '../../../src/oauth/endpoints/errors.ts';
import { applyRefreshRules } from '../../../src/oauth/grant-types/refresh-rules.ts';
import type { Refusal } from '../../../src/oauth/refusals/refusal.ts';
import { clientId, grantId, hashOf, userId } from '../../support/domain-values.ts';
import { unchecked } from '../../support/unchecked.ts';

const CURRENT = hashOf('current');
const CLIENT = clientId('A');
const SCOPES = ['read', 'write', 'groups'];
const RESOURCES = ['https://one.example/', 'https://two.example/', 'https://three.example/'];

/** The properties in which refreshes differ. */
interface Situation {
  readonly status: Grant['status'];
  readonly isByPassword: boolean;
  readonly presented: CredentialHash;
  readonly client: ClientId;
  readonly registered: readonly string[];
  readonly granted: readonly string[];
  readonly scope: readonly string[];
  readonly known: readonly string[];
  readonly grantedResources: readonly string[];
  readonly namedResources: readonly string[];
  readonly knownResources: readonly string[];
}

/** A refresh that all current rules allow. */
const ALLOWED: Situation = {
  status: 'redeemed',
  isByPassword: false,
  presented: CURRENT,
  client: CLIENT,
  registered: ['authorization-code'],
  granted: ['read', 'write'],
  scope: ['read'],
  known: ['read', 'write'],
  grantedResources: [],
  namedResources: [],
  knownResources: [],
};

const aSituation: fc.Arbitrary<Situation> = fc.record({
  status: fc.constantFrom<Grant['status']>('open', 'redeemed', 'revoked'),
  isByPassword: fc.boolean(),
  presented: fc.constantFrom(CURRENT, CURRENT, hashOf('earlier')),
  client: fc.constantFrom(CLIENT, CLIENT, clientId('B')),
  registered: fc.subarray([...REGISTERED_GRANTS]),
  granted: fc.subarray(SCOPES, { minLength: 1 }),
  scope: fc.subarray(SCOPES),
  known: fc.subarray(SCOPES),
  grantedResources: fc.subarray(RESOURCES),
  namedResources: fc.subarray(RESOURCES),
  knownResources: fc.subarray(RESOURCES),
});

function grantOf({ status, isByPassword, granted, grantedResources }: Situation): Grant {
  return {
    status,
    clientId: CLIENT,
    code: null,
    deviceCode: null,
    isDeviceGrant: false,
    redeemedCodeHash: isByPassword ? null : hashOf('code'),
    access: null,
    refresh: {
      currentHash: CURRENT,
      clientId: CLIENT,
      userId: userId('ada'),
      scope: granted,
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

/** Applies the rules, and returns the resource servers to request or the refusal. */
function refresh(situation: Situation, grant = grantOf(situation)): readonly string[] | Refusal {
  const { presented, client, registered, scope, namedResources, known, knownResources } = situation;
  const request = {
    presented: { grantId: grantId('grant'), hash: presented },
    client: unchecked({ clientId: client, grantTypes: registered }),
    scope,
    resource: namedResources,
  };
  const scopes = Object.fromEntries(known.map((name) => [name, `may ${name}`]));
  try {
    return applyRefreshRules(grant, request, { scopes, knownResources });
  } catch (error) {
    if (error instanceof OAuthError) return error.refusal;
    throw error;
  }
}

/**
 * The resource servers that the rules return: those in the request, or if it has none and some of the grant's no longer
 * exist, the remaining ones of the grant; undefined if none of these remains.
 */
function effectiveResources({
  namedResources,
  grantedResources,
  knownResources,
}: Situation): readonly string[] | undefined {
  if (namedResources.length > 0 || grantedResources.length === 0) return namedResources;
  const existing = grantedResources.filter((uri) => knownResources.includes(uri));
  if (existing.length === grantedResources.length) return namedResources;
  return existing.length === 0 ? undefined : existing;
}

const isCurrent = ({ status, presented, client }: Situation): boolean =>
  status !== 'revoked' && presented === CURRENT && client === CLIENT;

describe('the current rules, for a refresh', () => {
  it('do not apply to tokens that are not current, belong to other clients or have a revoked grant', () => {
    fc.assert(
      fc.property(aSituation, (situation) => {
        fc.pre(!isCurrent(situation));
        expect(refresh(situation)).to.deep.equal(effectiveResources(situation) ?? situation.namedResources);
      }),
    );
    for (const change of [{ status: 'revoked' as const }, { presented: hashOf('other') }, { client: clientId('B') }])
      expect(refresh({ ...ALLOWED, registered: [], known: [], ...change }), Object.keys(change)[0]).to.deep.equal([]);
  });

  it('do not apply to a token of a grant without refresh tokens', () => {
    fc.assert(
      fc.property(aSituation, (situation) => {
        const grant = { ...grantOf(situation), refresh: null };
        expect(refresh(situation, grant)).to.deep.equal(situation.namedResources);
      }),
    );
  });

  it('require that the client is still registered for the grant type that began the grant', () => {
    fc.assert(
      fc.property(aSituation, (situation) => {
        const { isByPassword, registered } = situation;
        fc.pre(isCurrent(situation));
        const grantType = isByPassword ? 'password' : 'authorization-code';
        const refusal = { rule: 'client-not-registered-for', grantType, registered };
        if (registered.includes(grantType)) expect(refresh(situation)).to.not.include({ rule: refusal.rule });
        else expect(refresh(situation)).to.deep.equal(refusal);
      }),
    );
  });

  it('refuse a requested scope of the grant that no longer exists, and report it', () => {
    fc.assert(
      fc.property(aSituation, (situation) => {
        const { granted, scope, known } = situation;
        fc.pre(isCurrent(situation));
        const registered = REGISTERED_GRANTS;
        const unknown = scope.filter((name) => granted.includes(name) && !known.includes(name));
        const result = refresh({ ...situation, registered });
        if (unknown.length === 0) expect(result).to.not.include({ rule: 'scope-unknown' });
        else expect(result).to.deep.equal({ rule: 'scope-unknown', unknown, known });
      }),
    );
  });

  it('do not apply to a scope that was never granted, whether it exists or not', () => {
    for (const known of [ALLOWED.known, SCOPES])
      expect(refresh({ ...ALLOWED, scope: ['read', 'groups'], known })).to.deep.equal([]);
  });

  it('keep the resource servers of the grant that still exist, and refuse if none of them exists', () => {
    fc.assert(
      fc.property(aSituation, (situation) => {
        fc.pre(isCurrent(situation));
        const { grantedResources, knownResources } = situation;
        const result = refresh({ ...situation, registered: REGISTERED_GRANTS, known: SCOPES });
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
