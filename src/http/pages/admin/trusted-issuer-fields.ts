import type { ClientKey } from '../../../domain/client-authentication.ts';
import { readPastedKeys } from '../../../oauth/clients/pasted-keys.ts';
import {
  DEFAULT_ASSERTION_AGE_SECONDS,
  DEFAULT_TOKEN_LIFETIME_SECONDS,
  type TrustedIssuerErrors,
  type TrustedIssuerFields,
} from '../../../oauth/issuers/issuer-rules.ts';
import { formatClaim, clientLines } from '../../../oauth/issuers/issuer-texts.ts';
import type { TrustedIssuer } from '../../../projections/trusted-issuers.ts';
import type { Form } from '../../pipeline/form.ts';
import { definedErrors, type FieldErrors } from '../page-context.ts';
import type { TrustedIssuerValues } from './trusted-issuer-locals.ts';
import type { Text } from '../../../language/message.ts';

export const BLANK: TrustedIssuerValues = {
  issuer: '',
  keys: '',
  keysUri: '',
  audience: '',
  uses: [],
  claims: '',
  mapping: 'client',
  nameClaim: '',
  users: '',
  clients: '',
  scope: '',
  resources: '',
  tokenLifetime: String(DEFAULT_TOKEN_LIFETIME_SECONDS),
  assertionAge: String(DEFAULT_ASSERTION_AGE_SECONDS),
};

/**
 * Returns the current settings of an issuer, as the form shows them.
 * @param nameOf returns the name of a user, or undefined for an erased account
 */
export function valuesOf(trusted: TrustedIssuer, nameOf: (userId: string) => string | undefined): TrustedIssuerValues {
  const { subject } = trusted;
  const entries = subject.by === 'table' ? subject.entries : [];
  return {
    issuer: trusted.issuer,
    keys: trusted.keys.length === 0 ? '' : JSON.stringify({ keys: trusted.keys.map(toJwk) }, null, 2),
    keysUri: trusted.keysUri ?? '',
    audience: (trusted.audience ?? []).join('\n'),
    uses: trusted.uses,
    claims: trusted.requiredClaims.map(formatClaim).join('\n'),
    mapping: subject.by,
    nameClaim: subject.by === 'user-name' ? subject.claim : '',
    users: entries
      .flatMap(({ subjectHash, userId }) => {
        const name = nameOf(userId);
        return name === undefined ? [] : `recorded:${subjectHash}=${name}`;
      })
      .join('\n'),
    clients: clientLines(trusted.clients).join('\n'),
    scope: trusted.scope.join('\n'),
    resources: (trusted.resources ?? []).join('\n'),
    tokenLifetime: String(trusted.maxTokenLifetimeSeconds),
    assertionAge: String(trusted.maxAssertionAgeSeconds),
  };
}

export function enteredValues(form: Form): TrustedIssuerValues {
  return {
    issuer: form.trimmed('trust_issuer'),
    keys: form.trimmed('client_keys').replaceAll('\r\n', '\n'),
    keysUri: form.trimmed('jwks_uri'),
    audience: form.words('trust_audience').join('\n'),
    uses: form.list('trust_use'),
    claims: form.lines('trust_claims').join('\n'),
    mapping: form.text('trust_mapping'),
    nameClaim: form.trimmed('trust_name_claim'),
    users: form.lines('trust_users').join('\n'),
    clients: form.lines('trust_clients').join('\n'),
    scope: form.words('trust_scope').join('\n'),
    resources: form.words('trust_resources').join('\n'),
    tokenLifetime: form.text('trust_token_lifetime').trim(),
    assertionAge: form.text('trust_assertion_age').trim(),
  };
}

/** Converts the entered values to fields, or returns the problem with the pasted keys. */
export async function fieldsFrom(
  values: TrustedIssuerValues,
): Promise<TrustedIssuerFields | { readonly keysProblem: Text }> {
  const result = values.keys === '' ? { keys: [] } : await readPastedKeys(values.keys);
  if ('problem' in result) return { keysProblem: result.problem };
  const { uses, mapping, nameClaim, keysUri, resources } = values;
  return {
    keys: result.keys,
    keysUri: keysUri === '' ? null : keysUri,
    audience: entriesIn(values.audience),
    uses,
    claims: entriesIn(values.claims),
    mapping,
    nameClaim,
    users: entriesIn(values.users),
    clients: entriesIn(values.clients),
    scope: entriesIn(values.scope),
    resources: resources === '' ? null : entriesIn(resources),
    maxTokenLifetimeSeconds: secondsIn(values.tokenLifetime),
    maxAssertionAgeSeconds: secondsIn(values.assertionAge),
  };
}

/** Splits a value into its lines, which are trimmed already. */
const entriesIn = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'));

/** Returns the number in the text, or NaN, which every rule refuses. */
function secondsIn(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function toJwk({ kid, algorithm, publicKey }: ClientKey): object {
  return { ...publicKey, ...(kid === null ? {} : { kid }), ...(algorithm === null ? {} : { alg: algorithm }) };
}

/** Returns the errors, keyed by the form's field names. */
export function toFormErrors(errors: TrustedIssuerErrors): FieldErrors {
  return definedErrors({
    trust_issuer: errors.issuer,
    client_keys: errors.keys,
    jwks_uri: errors.keysUri,
    trust_audience: errors.audience,
    trust_use: errors.uses,
    trust_claims: errors.claims,
    trust_mapping: errors.mapping,
    trust_name_claim: errors.nameClaim,
    trust_users: errors.users,
    trust_clients: errors.clients,
    trust_scope: errors.scope,
    trust_resources: errors.resources,
    trust_token_lifetime: errors.maxTokenLifetimeSeconds,
    trust_assertion_age: errors.maxAssertionAgeSeconds,
  });
}
