import { z } from 'zod';
import { english } from '../language/english.ts';
import { OPERATION_TEXTS } from '../config/input-limits.ts';
import { ISSUER_USES, SUBJECT_MAPPINGS } from '../domain/values.ts';
import { formatClaim, formatClientLines } from '../oauth/issuers/issuer-texts.ts';
import type { TrustedIssuer } from '../projections/trusted-issuers.ts';
import { parseClientKeys } from './client-authentication.ts';
import { OperationRefused } from './control/operation-refused.ts';
import { invalidFields } from './invalid-fields.ts';
import { isoTime } from './iso-time.ts';
import type { OperationContext } from './operation-context.ts';
import { operation, streamingOperation, type Operation } from './operation.ts';

const issuer = z.string().min(1).max(OPERATION_TEXTS.checkedText);
const texts = z.array(z.string().max(OPERATION_TEXTS.checkedText));

const fields = {
  /** A JWK set, as JSON. */
  jwks: z.string().max(OPERATION_TEXTS.jwks).nullable(),
  keysUri: z.string().max(OPERATION_TEXTS.checkedText).nullable(),
  audience: texts,
  uses: z.array(z.enum(ISSUER_USES)),
  claims: texts,
  mapping: z.enum(SUBJECT_MAPPINGS),
  nameClaim: z.string().max(OPERATION_TEXTS.checkedText),
  users: texts,
  clients: texts,
  scope: texts,
  resources: texts.nullable(),
  maxTokenLifetimeSeconds: z.int(),
  maxAssertionAgeSeconds: z.int(),
};

/** A trusted issuer, as shown to operators. */
interface TrustedIssuerRow {
  readonly issuer: string;
  readonly uses: readonly string[];
  /** The ids of its keys; empty if it publishes them. */
  readonly keys: readonly string[];
  /** The thumbprints of these keys, as used in the log and by `log blast-radius --key`. */
  readonly thumbprints: readonly string[];
  readonly jwks_uri: string | null;
  /** Null if this server's issuer identifier and the URL of its token endpoint are accepted. */
  readonly audience: readonly string[] | null;
  readonly required_claims: readonly string[];
  readonly mapping: string;
  readonly name_claim: string | null;
  /** The users, each with the hash of their subject; null if no table maps subjects to users. */
  readonly users: readonly string[] | null;
  readonly clients: readonly string[];
  readonly scope: readonly string[];
  /** Null if there is no limit. */
  readonly resources: readonly string[] | null;
  readonly max_token_lifetime_seconds: number;
  readonly max_assertion_age_seconds: number;
  readonly changed_at: string;
}

function toRow(trustedIssuer: TrustedIssuer, { projections: { users } }: OperationContext): TrustedIssuerRow {
  const { subject } = trustedIssuer;
  return {
    issuer: trustedIssuer.issuer,
    uses: trustedIssuer.uses,
    keys: trustedIssuer.keys.map(({ keyId, kid }) => kid ?? keyId),
    thumbprints: trustedIssuer.keys.map(({ keyId }) => keyId),
    jwks_uri: trustedIssuer.keysUri,
    audience: trustedIssuer.audience,
    required_claims: trustedIssuer.requiredClaims.map(formatClaim),
    mapping: subject.by,
    name_claim: subject.by === 'user-name' ? subject.claim : null,
    users:
      subject.by === 'table'
        ? subject.entries.map(
            ({ subjectHash, userId }) => `recorded:${subjectHash}=${users.find(userId)?.username ?? ''}`,
          )
        : null,
    clients: formatClientLines(trustedIssuer.clients),
    scope: trustedIssuer.scope,
    resources: trustedIssuer.resources,
    max_token_lifetime_seconds: trustedIssuer.maxTokenLifetimeSeconds,
    max_assertion_age_seconds: trustedIssuer.maxAssertionAgeSeconds,
    changed_at: isoTime(trustedIssuer.changedAt),
  };
}

/**
 * Finds a trusted issuer by its identifier.
 * @throws OperationRefused if the issuer is not trusted
 */
export function requireIssuer(issuerName: string, { projections }: OperationContext): TrustedIssuer {
  const trustedIssuer = projections.trustedIssuers.find(issuerName);
  if (trustedIssuer !== undefined) return trustedIssuer;
  throw new OperationRefused(
    `the issuer ${JSON.stringify(issuerName)} is not trusted; see: grantlog trusted-issuer list`,
    'unknown',
  );
}

export const trustedIssuerOperations: Readonly<Record<string, Operation>> = {
  'trusted-issuer set': operation(z.strictObject({ issuer, ...fields }), async (input, context) => {
    const { issuer: name, jwks, ...enteredFields } = input;
    const keys = jwks === null ? [] : await parseClientKeys(jwks);
    const result = await context.trustedIssuerRegistry.set(name, { ...enteredFields, keys }, context.cause);
    if ('errors' in result) throw invalidFields(result.errors);
    return toRow(result.trustedIssuer, context);
  }),

  'trusted-issuer list': streamingOperation(z.strictObject({}), async function* (_input, context) {
    for (const trustedIssuer of context.projections.trustedIssuers.all()) yield toRow(trustedIssuer, context);
  }),

  'trusted-issuer show': operation(z.strictObject({ issuer }), (input, context) =>
    toRow(requireIssuer(input.issuer, context), context),
  ),

  /** Lists the issuer's keys, which are fetched if the issuer publishes them. */
  'trusted-issuer keys': streamingOperation(z.strictObject({ issuer }), async function* (input, context) {
    const { keys, keysUri } = requireIssuer(input.issuer, context);
    const authentication = { methods: [], keys, keysUri, tls: null };
    const { allKeys, problem } = await context.findClientKeys({ authentication }, () => true);
    if (allKeys.length === 0 && problem !== null) throw new OperationRefused(`${keysUri} ${english.text(problem)}`);
    for (const { keyId, kid, algorithm, publicKey } of allKeys)
      yield { thumbprint: keyId, kid, kty: publicKey.kty, alg: algorithm };
  }),

  'trusted-issuer remove': operation(z.strictObject({ issuer }), async (input, context) => {
    await context.trustedIssuerRegistry.remove(requireIssuer(input.issuer, context), context.cause);
    return { issuer: input.issuer };
  }),
};
