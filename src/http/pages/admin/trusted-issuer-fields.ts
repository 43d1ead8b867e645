import type { ClientKey } from '../../../domain/client-authentication.ts';
import { readPastedKeys } from '../../../oauth/clients/pasted-keys.ts';
import {
  DEFAULT_ASSERTION_AGE_SECONDS,
  DEFAULT_TOKEN_LIFETIME_SECONDS,
  type TrustedIssuerErrors,
  type TrustedIssuerFields,
} from '../../../oauth/issuers/issuer-rules.ts';
import { formatClaim, formatClientLines } from '../../../oauth/issuers/issuer-texts.ts';
import type { TrustedIssuer } from '../../../projections/trusted-issuers.ts';
import type { Form } from '../../pipeline/form.ts';
import { definedErrors, type FieldErrors } from '../page-context.ts';
import type { TrustedIssuerValues } from './trusted-issuer-locals.ts';
import type { Text } from '../../../language/message.ts';

export const BLANK_VALUES: TrustedIssuerValues = {
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
 * Returns an issuer's current settings, as shown in the form.
 * @param findUsername returns the name of a user, or undefined if the account has been erased
 */
export function toFormValues(
  trustedIssuer: TrustedIssuer,
  findUsername: (userId: string) => string | undefined,
): TrustedIssuerValues {
  const { subject } = trustedIssuer;
  const entries = subject.by === 'table' ? subject.entries : [];
  return {
    issuer: trustedIssuer.issuer,
    keys: trustedIssuer.keys.length === 0 ? '' : JSON.stringify({ keys: trustedIssuer.keys.map(toJwk) }, null, 2),
    keysUri: trustedIssuer.keysUri ?? '',
    audience: (trustedIssuer.audience ?? []).join('\n'),
    uses: trustedIssuer.uses,
    claims: trustedIssuer.requiredClaims.map(formatClaim).join('\n'),
    mapping: subject.by,
    nameClaim: subject.by === 'user-name' ? subject.claim : '',
    users: entries
      .flatMap(({ subjectHash, userId }) => {
        const username = findUsername(userId);
        return username === undefined ? [] : `recorded:${subjectHash}=${username}`;
      })
      .join('\n'),
    clients: formatClientLines(trustedIssuer.clients).join('\n'),
    scope: trustedIssuer.scope.join('\n'),
    resources: (trustedIssuer.resources ?? []).join('\n'),
    tokenLifetime: String(trustedIssuer.maxTokenLifetimeSeconds),
    assertionAge: String(trustedIssuer.maxAssertionAgeSeconds),
  };
}

export function readValues(form: Form): TrustedIssuerValues {
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

/** Converts the entered values to fields. If the pasted keys are invalid, resolves with the problem instead. */
export async function fieldsFrom(
  values: TrustedIssuerValues,
): Promise<TrustedIssuerFields | { readonly keysProblem: Text }> {
  const result = values.keys === '' ? { keys: [] } : await readPastedKeys(values.keys);
  if ('problem' in result) return { keysProblem: result.problem };
  const { uses, mapping, nameClaim, keysUri, resources } = values;
  return {
    keys: result.keys,
    keysUri: keysUri === '' ? null : keysUri,
    audience: splitLines(values.audience),
    uses,
    claims: splitLines(values.claims),
    mapping,
    nameClaim,
    users: splitLines(values.users),
    clients: splitLines(values.clients),
    scope: splitLines(values.scope),
    resources: resources === '' ? null : splitLines(resources),
    maxTokenLifetimeSeconds: parseSeconds(values.tokenLifetime),
    maxAssertionAgeSeconds: parseSeconds(values.assertionAge),
  };
}

/** Splits a value into its lines, which have already been trimmed. */
const splitLines = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'));

/** Parses a number of seconds. Returns NaN, which every rule refuses, for any other text. */
function parseSeconds(text: string): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
}

function toJwk({ kid, algorithm, publicKey }: ClientKey): object {
  return { ...publicKey, ...(kid === null ? {} : { kid }), ...(algorithm === null ? {} : { alg: algorithm }) };
}

/** Returns the errors, keyed by form field. */
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
