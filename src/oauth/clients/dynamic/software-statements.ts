import type { EpochSeconds } from '../../../domain/values.ts';
import { SIGNING_ALGORITHMS } from '../../../domain/values.ts';
import { message, type Message } from '../../../language/message.ts';
import { oauthError } from '../../endpoints/errors.ts';
import { sanitizeMember } from '../../refusals/sanitize.ts';
import { unverifiedClaims, unverifiedHeader } from '../../signing/jws.ts';
import { findSigner } from '../client-signatures.ts';
import { createClientKeyFinder } from '../client-key-finder.ts';
import type { PublishedKeys } from '../published-keys.ts';
import type { ClientMetadata } from './client-metadata.ts';

/** Software statements (RFC 7591 §2.3): client metadata signed by an issuer that the operator trusts. */
export interface SoftwareStatements {
  /**
   * Returns the metadata, in which the members of the software statement replace those that the client sent. Nothing is
   * requested from other servers unless the statement claims to be from an issuer that the operator trusts.
   * @throws OAuthError if the statement is not from a trusted issuer, or cannot be verified
   */
  apply(
    metadata: ClientMetadata,
    now: EpochSeconds,
  ): Promise<{ readonly metadata: ClientMetadata; readonly statementIssuer: string | undefined }>;
}

const MAX_STATEMENT_LENGTH = 16_384;
/** The issuer's clock may be ahead by this much. */
const TOLERANCE_SECONDS = 60;
/** Claims about the statement itself, and metadata that only this server determines. */
const NOT_METADATA = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'client_id', 'client_secret'];

export function createSoftwareStatements(
  publishedKeys: Pick<PublishedKeys, 'find'>,
  { softwareStatementIssuers: issuers }: { readonly softwareStatementIssuers: Readonly<Record<string, string>> },
): SoftwareStatements {
  const findClientKeys = createClientKeyFinder(publishedKeys);

  return {
    async apply({ software_statement: statement, ...metadata }, now) {
      if (statement === undefined || statement === null) return { metadata, statementIssuer: undefined };
      if (typeof statement !== 'string' || statement.length > MAX_STATEMENT_LENGTH)
        throw invalidStatement(message('software-statement.not-a-jwt'));
      const [header, claims] = [unverifiedHeader(statement), unverifiedClaims(statement)];
      if (header === undefined || claims === undefined) throw invalidStatement(message('software-statement.not-a-jwt'));
      const { iss } = claims;
      if (typeof iss !== 'string' || !Object.hasOwn(issuers, iss))
        throw oauthError({
          rule: 'software-statement-untrusted',
          issuer: sanitizeMember(iss),
          trusted: Object.keys(issuers),
        });
      const algorithm = SIGNING_ALGORITHMS.find((candidate) => candidate === header['alg']);
      if (algorithm === undefined)
        throw invalidStatement(message('software-statement.algorithm', { choices: SIGNING_ALGORITHMS.join(', ') }));
      const kid = typeof header['kid'] === 'string' ? header['kid'] : null;
      const authentication = { methods: [], keys: [], keysUri: issuers[iss] ?? null, tls: null };
      const { key, problem } = await findSigner(statement, { algorithm, kid }, { authentication }, findClientKeys);
      if (key === undefined)
        throw invalidStatement(
          problem === null ? message('software-statement.unsigned') : message('software-statement.keys', { problem }),
        );
      requireValidTime(claims, now);
      const members = Object.entries(claims).filter(([name]) => !NOT_METADATA.includes(name));
      return { metadata: { ...metadata, ...Object.fromEntries(members) }, statementIssuer: iss };
    },
  };
}

function requireValidTime({ exp, nbf }: Readonly<Record<string, unknown>>, now: number): void {
  for (const time of [exp, nbf])
    if (time !== undefined && typeof time !== 'number') throw invalidStatement(message('software-statement.time-form'));
  if (typeof exp === 'number' && now >= exp) throw invalidStatement(message('software-statement.expired'));
  if (typeof nbf === 'number' && nbf > now + TOLERANCE_SECONDS)
    throw invalidStatement(message('software-statement.early'));
}

function invalidStatement(problem: Message) {
  return oauthError({ rule: 'software-statement-invalid', problem });
}
