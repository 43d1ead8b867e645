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

const KEY: Confirmation = { method: 'jkt', thumbprint: 'key' };
const CERTIFICATE: Confirmation = { method: 'x5t#S256', thumbprint: 'certificate' };

interface PresentedToken {
  readonly scheme: 'Bearer' | 'DPoP';
  readonly proof: string | undefined;
  /** `none`, `refused`, or the thumbprint of a valid certificate. */
  readonly certificate: string;
}

/** Accepts every proof, and uses its text as the thumbprint of its key. */
function createVerifier(): ProofVerifier & { readonly accepted: readonly string[] } {
  const accepted: string[] = [];
  return {
    accepted,
    nonce: () => 'nonce',
    async accept({ proof, method, path, accessToken }) {
      accepted.push(`${method} ${path} ${accessToken}`);
      return { confirmation: { method: 'jkt', thumbprint: proof }, nextNonce: undefined };
    },
  };
}

type RequestOfApi = Parameters<ReturnType<typeof bearerToken>>[0] & PolicyContext & { state: PrincipalState };

function requestWith({ scheme, proof, certificate }: PresentedToken): RequestOfApi {
  const presented =
    certificate === 'none' || certificate === 'refused'
      ? { kind: certificate }
      : { kind: 'valid', certificate: { thumbprint: certificate } };
  const responseHeaders: Record<string, unknown> = {};
  const ctx: RequestOfApi = unchecked({
    method: 'GET',
    path: '/widgets',
    headers: { authorization: `${scheme} token`, ...(proof === undefined ? {} : { dpop: proof }) },
    state: { clientCertificate: () => presented },
    status: 404,
    body: undefined,
    set: (name: string, value: unknown) => void (responseHeaders[name] = value),
    app: { emit: () => false },
    responseHeaders,
  });
  return ctx;
}

async function stateAfter(
  presentedToken: PresentedToken,
  confirmation: Confirmation | undefined,
  proofs = createVerifier(),
) {
  const live: LiveToken = { clientId: 'client', userId: 'alice', scope: ['read'], confirmation };
  const ctx = requestWith(presentedToken);
  await bearerToken({ find: () => live }, { proofs })(ctx, async () => {});
  return ctx.state;
}

const aPresentedToken: fc.Arbitrary<PresentedToken> = fc.record({
  scheme: fc.constantFrom('Bearer', 'DPoP'),
  proof: fc.constantFrom(undefined, 'key', 'other', 'certificate'),
  certificate: fc.constantFrom('none', 'refused', 'certificate', 'other', 'key'),
});

describe('The sender of an access token', () => {
  it('is accepted only with the key or certificate that the token is bound to, and only with its scheme', async () => {
    await fc.assert(
      fc.asyncProperty(
        aPresentedToken,
        fc.constantFrom(undefined, KEY, CERTIFICATE),
        async (presentedToken, confirmation) => {
          const { principal, authorization } = await stateAfter(presentedToken, confirmation);
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
    const bare: PresentedToken = { scheme: 'Bearer', proof: undefined, certificate: 'none' };
    for (const [presentedToken, confirmation, problem] of [
      [bare, KEY, 'sent-as-bearer'],
      [{ ...bare, scheme: 'DPoP' }, KEY, 'proof-missing'],
      [{ ...bare, scheme: 'DPoP', proof: 'x'.repeat(8_193) }, KEY, 'proof-missing'],
      [{ ...bare, scheme: 'DPoP', proof: 'other' }, KEY, 'another-key'],
      [bare, CERTIFICATE, 'certificate-missing'],
      [{ ...bare, certificate: 'refused' }, CERTIFICATE, 'certificate-refused'],
      [{ ...bare, certificate: 'other' }, CERTIFICATE, 'another-certificate'],
    ] as const) {
      const { senderRefused } = await stateAfter(presentedToken, confirmation);
      expect(senderRefused?.refusal).to.deep.equal({ rule: 'sender-not-proven', problem });
      expect(senderRefused).to.include({ clientId: 'client', scheme: presentedToken.scheme });
    }
    const { senderRefused } = await stateAfter({ ...bare, scheme: 'DPoP', proof: 'key' }, undefined);
    expect(senderRefused?.refusal).to.deep.equal({ rule: 'token-unbound', needed: 'scheme' });
  });

  it('proves its key for the path, the method and the token, once for each request', async () => {
    const proofs = createVerifier();
    const ctx = requestWith({ scheme: 'DPoP', proof: 'key', certificate: 'none' });
    const lookup = { find: (): LiveToken => ({ clientId: 'c', userId: null, scope: [], confirmation: KEY }) };
    const identify = bearerToken(lookup, { proofs });
    await identify(ctx, async () => identify(ctx, async () => {}));
    expect(proofs.accepted).to.deep.equal(['GET /widgets token']);
    expect(ctx.state.principal.kind).to.equal('bearer');
  });

  it('is not asked for proofs by an API that accepts none, which refuses tokens that need one', async () => {
    const lookup = { find: (): LiveToken => ({ clientId: 'c', userId: null, scope: [], confirmation: KEY }) };
    for (const [scheme, authorization] of [
      ['DPoP', 'other-scheme'],
      ['Bearer', 'invalid-token'],
    ] as const) {
      const ctx = requestWith({ scheme, proof: 'key', certificate: 'none' });
      await bearerToken(lookup)(ctx, async () => {});
      expect(ctx.state).to.deep.include({ principal: { kind: 'anonymous' }, authorization });
    }
  });

  it('must have a bound token if the route requires it, whatever the policy says', async () => {
    const guard = requirePolicy<PolicyContext>(allScopes(['read']), { senderConstrained: true });
    for (const [confirmation, status] of [
      [undefined, 401],
      [KEY, 200],
      [CERTIFICATE, 200],
    ] as const) {
      const presentedToken: PresentedToken = {
        scheme: confirmation === KEY ? 'DPoP' : 'Bearer',
        proof: 'key',
        certificate: 'certificate',
      };
      const ctx = requestWith(presentedToken);
      const live: LiveToken = { clientId: 'client', userId: 'alice', scope: ['read'], confirmation };
      const denials: unknown[] = [];
      ctx.state.recordDenial = async (denial) => void denials.push(denial);
      await bearerToken({ find: () => live }, { proofs: createVerifier() })(ctx, async () =>
        guard(ctx, async () => {
          ctx.status = 200;
        }),
      );
      expect(ctx.status).to.equal(status);
      expect(denials).to.deep.equal(status === 200 ? [] : [{ rule: 'token-unbound', needed: 'policy' }]);
    }
  });
});
