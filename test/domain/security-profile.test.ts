import { expect } from 'chai';
import fc from 'fast-check';
import { CLIENT_AUTHENTICATION_METHODS } from '../../src/domain/client-authentication.ts';
import { effectiveSecurity, type ClientSecurityInput } from '../../src/domain/security-profile.ts';
import { DEFAULT_SECURITY, type SecuritySettings } from '../../src/domain/security-settings.ts';
import { CLIENT_TYPES, SIGNING_ALGORITHMS } from '../../src/domain/values.ts';

const algorithm = fc.constantFrom(...SIGNING_ALGORITHMS);
const security = fc.record<SecuritySettings>({
  profile: fc.constantFrom(null, 'fapi2'),
  dpopBoundAccessTokens: fc.boolean(),
  tlsBoundAccessTokens: fc.boolean(),
  requirePushedAuthorizationRequests: fc.boolean(),
  requireSignedRequestObject: fc.boolean(),
  requestObjectAlgorithm: fc.option(algorithm),
  requestUris: fc.constant([]),
  authorizationResponseAlgorithm: algorithm,
  introspectionAlgorithm: algorithm,
});
const client = fc.record<ClientSecurityInput>({
  clientType: fc.constantFrom(...CLIENT_TYPES),
  authentication: fc.record({ methods: fc.subarray([...CLIENT_AUTHENTICATION_METHODS], { minLength: 1 }) }),
  security,
});
const server = fc.record({ requireDpop: fc.boolean(), requirePar: fc.boolean() });

const BASIC_CLIENT: ClientSecurityInput = {
  clientType: 'confidential',
  authentication: { methods: ['private_key_jwt'] },
  security: DEFAULT_SECURITY,
};
const withSecurity = (changes: Partial<SecuritySettings>): ClientSecurityInput => ({
  ...BASIC_CLIENT,
  security: { ...DEFAULT_SECURITY, ...changes },
});
const NO_DEMANDS = { requireDpop: false, requirePar: false };

describe('the security that applies to a client', () => {
  it('requires nothing by default', () => {
    expect(effectiveSecurity(BASIC_CLIENT, NO_DEMANDS)).to.deep.equal({
      profile: null,
      dpop: null,
      tls: null,
      pushedRequest: null,
      signedRequest: null,
      s256: null,
      rotatesRefreshTokens: true,
      algorithms: SIGNING_ALGORITHMS,
      maxCodeLifetimeSeconds: Infinity,
      allowsLoopbackRedirects: true,
    });
  });

  it('contains all requirements of FAPI 2.0, for any other settings', () => {
    fc.assert(
      fc.property(client, server, (settings, demands) => {
        const fapi: ClientSecurityInput = { ...settings, security: { ...settings.security, profile: 'fapi2' } };
        const effective = effectiveSecurity(fapi, demands);
        expect([effective.dpop, effective.tls]).to.have.members(['profile', null]);
        expect(effective).to.include({
          pushedRequest: 'profile',
          s256: 'profile',
          rotatesRefreshTokens: false,
          maxCodeLifetimeSeconds: 60,
          allowsLoopbackRedirects: false,
        });
        expect(effective.algorithms).to.have.members(['PS256', 'ES256', 'EdDSA']);
      }),
    );
  });

  it('keeps every requirement if the server demands more', () => {
    const requirementFlags = ({
      dpop,
      tls,
      pushedRequest,
      signedRequest,
      s256,
    }: ReturnType<typeof effectiveSecurity>) =>
      [dpop ?? tls, pushedRequest, signedRequest, s256].map((requiredBy) => requiredBy !== null);
    fc.assert(
      fc.property(client, (someClient) => {
        const withoutDemands = requirementFlags(effectiveSecurity(someClient, NO_DEMANDS));
        const withDemands = requirementFlags(effectiveSecurity(someClient, { requireDpop: true, requirePar: true }));
        withoutDemands.forEach((isRequired, index) => expect(withDemands[index]).to.equal(isRequired || index < 2));
      }),
    );
  });

  it('binds tokens with DPoP or with mutual TLS, never with both', () => {
    fc.assert(
      fc.property(client, server, (someClient, demands) => {
        const { dpop, tls } = effectiveSecurity(someClient, demands);
        expect(dpop === null || tls === null).to.equal(true);
      }),
    );
  });

  it('rotates refresh tokens if and only if tokens need not be bound', () => {
    fc.assert(
      fc.property(client, server, (someClient, demands) => {
        const { dpop, tls, rotatesRefreshTokens } = effectiveSecurity(someClient, demands);
        expect(rotatesRefreshTokens).to.equal(dpop === null && tls === null);
      }),
    );
  });

  it('names the client as the reason, rather than the server, if both make the same demand', () => {
    const serverDemands = { requireDpop: true, requirePar: true };
    expect(effectiveSecurity(BASIC_CLIENT, serverDemands)).to.include({ dpop: 'server', pushedRequest: 'server' });
    const demandingClient = withSecurity({ dpopBoundAccessTokens: true, requirePushedAuthorizationRequests: true });
    expect(effectiveSecurity(demandingClient, serverDemands)).to.include({ dpop: 'client', pushedRequest: 'client' });
  });

  it('binds tokens to the certificate of a client with a profile if it uses only certificates and not DPoP', () => {
    fc.assert(
      fc.property(client, server, (someClient, demands) => {
        const { tls } = effectiveSecurity(someClient, demands);
        const { profile, dpopBoundAccessTokens, tlsBoundAccessTokens } = someClient.security;
        const usesOnlyCertificates = someClient.authentication.methods.every((method) =>
          ['tls_client_auth', 'self_signed_tls_client_auth'].includes(method),
        );
        const isDefault = profile !== null && usesOnlyCertificates && !dpopBoundAccessTokens;
        expect(tls !== null).to.equal(tlsBoundAccessTokens || isDefault);
        expect(tls ?? 'none').to.equal(tls === null ? 'none' : profile === null ? 'client' : 'profile');
      }),
    );
    const [first, second] = ['tls_client_auth', 'self_signed_tls_client_auth'] as const;
    for (const methods of [[first], [second], [first, second]])
      expect(
        effectiveSecurity({ ...withSecurity({ profile: 'fapi2' }), authentication: { methods } }, NO_DEMANDS),
      ).to.include({ dpop: null, tls: 'profile' });
  });

  it('requires signed requests if the client does', () => {
    const signingClient = withSecurity({ requireSignedRequestObject: true });
    expect(effectiveSecurity(signingClient, NO_DEMANDS)).to.include({ signedRequest: 'client' });
  });

  it('keeps the binding that the client chose, even if the server requires DPoP', () => {
    const tlsClient = withSecurity({ tlsBoundAccessTokens: true });
    expect(effectiveSecurity(tlsClient, { requireDpop: true })).to.include({ dpop: null, tls: 'client' });
  });
});
