import { effectiveSecurity, type ServerSecurity } from '../../domain/security-profile.ts';
import { requireCertificate } from '../../oauth/clients/certificate-authentication.ts';
import type { CertificateSupport } from '../../oauth/endpoints/certificate-metadata.ts';
import { fromState, type Handler } from './state.ts';

export interface BindToCertificateDeps {
  readonly certificateSupport: Pick<CertificateSupport, 'mtlsBase'>;
  readonly settings: ServerSecurity;
}

/**
 * Returns a step for the token endpoint, to run after `authenticateClient`. It sets `ctx.state.confirmation` if the
 * client's tokens are bound to its certificate (RFC 8705 §3). Such a client can authenticate with a different method,
 * or be public (§4).
 * @throws OAuthError if such a client's request has no certificate, or one that cannot be accepted
 */
export function bindToCertificate({ certificateSupport, settings }: BindToCertificateDeps): Handler {
  return (ctx, next) => {
    if (effectiveSecurity(fromState(ctx, 'client'), settings).tls !== null) {
      const presentedCertificate = fromState(ctx, 'clientCertificate')();
      const { certificate } = requireCertificate(presentedCertificate, 'binding', certificateSupport.mtlsBase());
      ctx.state.confirmation = { method: 'x5t#S256', thumbprint: certificate.thumbprint };
    }
    return next();
  };
}
