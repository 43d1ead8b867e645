import {
  CLIENT_AUTHENTICATION_METHODS,
  TLS_SUBJECT_KINDS,
  type ClientAuthenticationMethod,
  type TlsSubject,
} from '../../../domain/client-authentication.ts';
import type { CertificateSupport } from '../../../oauth/endpoints/certificate-metadata.ts';
import type { Form } from '../../pipeline/form.ts';
import { certificateProblem } from './certificate-problem.ts';

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
  tls_client_auth: {
    title: 'TLS client certificate of an authority',
    help: 'tls_client_auth: an authority that the operator trusts issues the certificate. Needs its subject.',
  },
  self_signed_tls_client_auth: {
    title: 'TLS client certificate with a registered key',
    help: 'self_signed_tls_client_auth: the application connects with a certificate for one of its public keys.',
  },
  none: null,
};

/** The methods that the owners of a confidential application can choose. */
export function confidentialMethods(): readonly MethodChoice[] {
  return CLIENT_AUTHENTICATION_METHODS.flatMap((value) => {
    const texts = METHODS[value];
    return texts === null ? [] : [{ value, ...texts }];
  });
}

/** Methods that this server cannot use yet say so. An application can choose them before they are turned on. */
export function methodsOn(support: CertificateSupport): readonly MethodChoice[] {
  return confidentialMethods().map((method) => {
    const problem = certificateProblem([method.value], support);
    return problem === null ? method : { ...method, help: `${method.help} ${problem}` };
  });
}

const SUBJECT_TITLES: Readonly<Record<TlsSubject['kind'], string>> = {
  subject_dn: 'Distinguished name',
  san_dns: 'Alternative name: host',
  san_uri: 'Alternative name: URI',
  san_ip: 'Alternative name: IP address',
  san_email: 'Alternative name: e-mail address',
};

/** The fields for the subject of the application's certificates, as a page shows them. */
export interface TlsSubjectValues {
  readonly kinds: readonly { readonly value: string; readonly title: string }[];
  readonly kind: string;
  /** Empty without a subject. */
  readonly subject: string;
}

export function tlsSubjectValues(tls: TlsSubject | null): TlsSubjectValues {
  const kinds = TLS_SUBJECT_KINDS.map((value) => ({ value, title: SUBJECT_TITLES[value] }));
  return { kinds, kind: tls?.kind ?? 'subject_dn', subject: tls?.value ?? '' };
}

/** The entered subject; null without one. An unknown kind becomes the first, which the form then shows. */
export function readTlsSubject(form: Form): TlsSubject | null {
  const value = form.text('tls_subject').trim();
  const kind = TLS_SUBJECT_KINDS.find((known) => known === form.text('tls_subject_kind')) ?? TLS_SUBJECT_KINDS[0];
  return value === '' ? null : { kind, value };
}
