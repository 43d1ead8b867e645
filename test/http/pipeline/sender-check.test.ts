import { expect } from 'chai';
import fc from 'fast-check';
import type { Confirmation } from '../../../src/domain/confirmation.ts';
import { bearerToken, type LiveToken } from '../../../src/http/pipeline/bearer-token.ts';
import type { PrincipalState } from '../../../src/http/pipeline/principal-state.ts';
import type { PolicyContext } from '../../../src/http/pipeline/policy-context.ts';
import { requirePolicy } from '../../../src/http/pipeline/require-policy.ts';
import type { ProofVerifier } from '../../../src/http/pipeline/sender-check.ts';
import { allScopes } from '../../../src/policy/policies.ts';
import { unchecked } from '../../support/unchecked.ts';

const KEY_CONFIRMATION: Confirmation = { method: 'jkt', thumbprint: 'key' };
const CERTIFICATE_CONFIRMATION: Confirmation = { method: 'x5t#S256', thumbprint: 'certificate' };

interface PresentedToken {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly proof: string | undefined;
  /** `none`, `refused`, or the thumbprint of a valid certificate. */
  readonly certificate: string;
}

/** Creates a verifier that accepts every proof, and takes the proof itself for the thumbprint of its key. */
function createVerifier(): ProofVerifier & { readonly acceptedProofs: readonly string[] } {
  const acceptedProofs: string[] = [];
  return {
    acceptedProofs,
    nonce: () => 'nonce',
    async accept({ proof, method, path, accessToken }) {
      acceptedProofs.push(`${method} ${path} ${accessToken}`);
      return { confirmation: { method: 'jkt', thumbprint: proof }, nextNonce: undefined };
    },
  };
}

type ApiRequest = Parameters<ReturnType<typeof bearerToken>>[0] & PolicyContext & { state: PrincipalState };

function createRequest({ scheme, proof, certificate }: PresentedToken): ApiRequest {
  const clientCertificate =
    certificate === 'none' || certificate === 'refused'
      ? { kind: certificate }
      : { kind: 'valid', certificate: { thumbprint: certificate } };
  const responseHeaders: Record<string, unknown> = {};
  const ctx: ApiRequest = unchecked({
    method: 'GET',
    path: '/widgets',
    headers: { authorization: `${scheme} token`, ...(proof === undefined ? {} : { dpop: proof }) },
    state: { clientCertificate: () => clientCertificate },
    status: 404,
    body: undefined,
    set: (name: string, value: unknown) => void (responseHeaders[name] = value),
    app: { emit: () => false },
    responseHeaders,
  });
  return ctx;
}

async function authenticateRequest(
  presentedToken: PresentedToken,
  confirmation: Confirmation | undefined,
  proofs = createVerifier(),
) {
  const liveToken: LiveToken = { clientId: 'client', userId: 'alice', scope: ['read'], confirmation };
  const ctx = createRequest(presentedToken);
  await bearerToken({ find: () => liveToken }, { proofs })(ctx, async () => {});
  return ctx.state;
}

const arbitraryToken: fc.Arbitrary<PresentedToken> = fc.record({
  scheme: fc.constantFrom('Bearer', 'DPoP'),
  proof: fc.constantFrom(undefined, 'key', 'other', 'certificate'),
  certificate: fc.constantFrom('none', 'refused', 'certificate', 'other', 'key'),
});

describe('The sender of an access token', () => {
  it('is accepted only with the matching scheme and the key or certificate that the token is bound to', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryToken,
        fc.constantFrom(undefined, KEY_CONFIRMATION, CERTIFICATE_CONFIRMATION),
        async (presentedToken, confirmation) => {
          const { principal, authorization } = await authenticateRequest(presentedToken, confirmation);
          const isAccepted =
            confirmation === undefined
              ? presentedToken.scheme === 'Bearer'
              : confirmation.method === 'jkt'
                ? presentedToken.scheme === 'DPoP' && presentedToken.proof === 'key'
                : presentedToken.scheme === 'Bearer' && presentedToken.certificate === 'certificate';
          expect([principal.kind, authorization]).to.deep.equal(
            isAccepted ? ['bearer', 'valid-token'] : ['anonymous', 'invalid-token'],
          );
          if (principal.kind === 'bearer') expect(principal.confirmation).to.deep.equal(confirmation);
        },
      ),
    );
  });

  it('is refused with the reason', async () => {
    const bareToken: PresentedToken = { scheme: 'Bearer', proof: undefined, certificate: 'none' };
    for (const [presentedToken, confirmation, problem] of [
      [bareToken, KEY_CONFIRMATION, 'sent-as-bearer'],
      [{ ...bareToken, scheme: 'DPoP' }, KEY_CONFIRMATION, 'proof-missing'],
      [{ ...bareToken, scheme: 'DPoP', proof: 'x'.repeat(8_193) }, KEY_CONFIRMATION, 'proof-missing'],
      [{ ...bareToken, scheme: 'DPoP', proof: 'other' }, KEY_CONFIRMATION, 'another-key'],
      [bareToken, CERTIFICATE_CONFIRMATION, 'certificate-missing'],
      [{ ...bareToken, certificate: 'refused' }, CERTIFICATE_CONFIRMATION, 'certificate-refused'],
      [{ ...bareToken, certificate: 'other' }, CERTIFICATE_CONFIRMATION, 'another-certificate'],
    ] as const) {
      const { senderRefused } = await authenticateRequest(presentedToken, confirmation);
      expect(senderRefused?.refusal).to.deep.equal({ rule: 'sender-not-proven', problem });
      expect(senderRefused).to.include({ clientId: 'client', scheme: presentedToken.scheme });
    }
    const { senderRefused } = await authenticateRequest({ ...bareToken, scheme: 'DPoP', proof: 'key' }, undefined);
    expect(senderRefused?.refusal).to.deep.equal({ rule: 'token-unbound', needed: 'scheme' });
  });

  it('proves possession of its key for the method, path and token, and only once per request', async () => {
    const proofs = createVerifier();
    const ctx = createRequest({ scheme: 'DPoP', proof: 'key', certificate: 'none' });
    const lookup = {
      find: (): LiveToken => ({ clientId: 'c', userId: null, scope: [], confirmation: KEY_CONFIRMATION }),
    };
    const identify = bearerToken(lookup, { proofs });
    await identify(ctx, async () => identify(ctx, async () => {}));
    expect(proofs.acceptedProofs).to.deep.equal(['GET /widgets token']);
    expect(ctx.state.principal.kind).to.equal('bearer');
  });

  it('cannot use a bound token at an API that accepts no proofs, and is not asked for a proof', async () => {
    const lookup = {
      find: (): LiveToken => ({ clientId: 'c', userId: null, scope: [], confirmation: KEY_CONFIRMATION }),
    };
    for (const [scheme, authorization] of [
      ['DPoP', 'other-scheme'],
      ['Bearer', 'invalid-token'],
    ] as const) {
      const ctx = createRequest({ scheme, proof: 'key', certificate: 'none' });
      await bearerToken(lookup)(ctx, async () => {});
      expect(ctx.state).to.deep.include({ principal: { kind: 'anonymous' }, authorization });
    }
  });

  it('must have a bound token if the route requires it, whatever the policy says', async () => {
    const guard = requirePolicy<PolicyContext>(allScopes(['read']), { senderConstrained: true });
    for (const [confirmation, status] of [
      [undefined, 401],
      [KEY_CONFIRMATION, 200],
      [CERTIFICATE_CONFIRMATION, 200],
    ] as const) {
      const presentedToken: PresentedToken = {
        scheme: confirmation === KEY_CONFIRMATION ? 'DPoP' : 'Bearer',
        proof: 'key',
        certificate: 'certificate',
      };
      const ctx = createRequest(presentedToken);
      const liveToken: LiveToken = { clientId: 'client', userId: 'alice', scope: ['read'], confirmation };
      const denials: unknown[] = [];
      ctx.state.recordDenial = async (denial) => void denials.push(denial);
      await bearerToken({ find: () => liveToken }, { proofs: createVerifier() })(ctx, async () =>
        guard(ctx, async () => {
          ctx.status = 200;
        }),
      );
      expect(ctx.status).to.equal(status);
      expect(denials).to.deep.equal(status === 200 ? [] : [{ rule: 'token-unbound', needed: 'policy' }]);
    }
  });
});
