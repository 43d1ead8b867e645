import {
  CLIENT_AUTHENTICATION_METHODS,
  type ClientAuthenticationMethod,
} from '../../../domain/client-authentication.ts';

interface MethodChoice {
  readonly value: ClientAuthenticationMethod;
  readonly title: string;
  readonly help: string;
}

const METHODS: Readonly<Record<ClientAuthenticationMethod, Omit<MethodChoice, 'value'> | null>> = {
  client_secret_basic: {
    title: 'Client secret in a header',
    help: 'client_secret_basic: HTTP Basic, which all software supports.',
  },
  client_secret_post: { title: 'Client secret in the body', help: 'client_secret_post: as a form field.' },
  private_key_jwt: {
    title: 'Signature with a private key',
    help: 'private_key_jwt: nothing that could be stolen is stored here or sent. Needs a public key.',
  },
  self_signed_tls_client_auth: {
    title: 'TLS client certificate with a registered key',
    help: 'self_signed_tls_client_auth: the application connects with a certificate for one of its public keys.',
  },
  /** Needs the subject of the certificates, which the operator registers. */
  tls_client_auth: null,
  none: null,
};

/** The methods that the owners of a confidential application can choose. */
export function confidentialMethods(): readonly MethodChoice[] {
  return CLIENT_AUTHENTICATION_METHODS.flatMap((value) => {
    const texts = METHODS[value];
    return texts === null ? [] : [{ value, ...texts }];
  });
}
