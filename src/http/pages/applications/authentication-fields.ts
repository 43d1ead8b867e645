import {
  CLIENT_AUTHENTICATION_METHODS,
  TLS_SUBJECT_KINDS,
  type ClientAuthenticationMethod,
  type TlsSubject,
} from '../../../domain/client-authentication.ts';
import type { MessageKey } from '../../../language/catalog.ts';
import { message, type Message } from '../../../language/message.ts';
import type { CertificateSupport } from '../../../oauth/endpoints/certificate-metadata.ts';
import type { Form } from '../../pipeline/form.ts';
import { certificateProblem } from './certificate-problem.ts';

interface MethodChoice {
  readonly value: ClientAuthenticationMethod;
  readonly title: Message;
  readonly help: Message;
}

const METHODS: Readonly<Record<ClientAuthenticationMethod, readonly [title: MessageKey, help: MessageKey] | null>> = {
  client_secret_basic: ['authentication.secret-basic', 'authentication.secret-basic-help'],
  client_secret_post: ['authentication.secret-post', 'authentication.secret-post-help'],
  private_key_jwt: ['authentication.private-key', 'authentication.private-key-help'],
  tls_client_auth: ['authentication.tls', 'authentication.tls-help'],
  self_signed_tls_client_auth: ['authentication.self-signed', 'authentication.self-signed-help'],
  none: null,
};

/** Returns the methods that the owners of a confidential application can choose. */
export function confidentialMethods(): readonly MethodChoice[] {
  return CLIENT_AUTHENTICATION_METHODS.flatMap((value) => {
    const keys = METHODS[value];
    return keys === null ? [] : [{ value, title: message(keys[0]), help: message(keys[1]) }];
  });
}

/**
 * Returns the methods, with a note on each method that this server does not support yet. Owners can choose such a
 * method before the operator enables it.
 */
export function annotatedMethods(support: CertificateSupport): readonly MethodChoice[] {
  return confidentialMethods().map((method) => {
    const problem = certificateProblem([method.value], support);
    return problem === null
      ? method
      : { ...method, help: message('authentication.help-and-problem', { help: method.help, problem }) };
  });
}

const SUBJECT_TITLES: Readonly<Record<TlsSubject['kind'], MessageKey>> = {
  subject_dn: 'authentication.subject-dn',
  san_dns: 'authentication.subject-dns',
  san_uri: 'authentication.subject-uri',
  san_ip: 'authentication.subject-ip',
  san_email: 'authentication.subject-email',
};

/** The fields for the subject of the application's certificates, as shown on a page. */
export interface TlsSubjectValues {
  readonly kinds: readonly { readonly value: string; readonly title: Message }[];
  readonly kind: string;
  /** Empty if there is no subject. */
  readonly subject: string;
}

export function tlsSubjectValues(tls: TlsSubject | null): TlsSubjectValues {
  const kinds = TLS_SUBJECT_KINDS.map((value) => ({ value, title: message(SUBJECT_TITLES[value]) }));
  return { kinds, kind: tls?.kind ?? 'subject_dn', subject: tls?.value ?? '' };
}

/**
 * Returns the entered subject, or null if the field is empty. Replaces an unknown kind with the first kind, which the
 * form then shows.
 */
export function readTlsSubject(form: Form): TlsSubject | null {
  const value = form.text('tls_subject').trim();
  const kind =
    TLS_SUBJECT_KINDS.find((candidate) => candidate === form.text('tls_subject_kind')) ?? TLS_SUBJECT_KINDS[0];
  return value === '' ? null : { kind, value };
}
