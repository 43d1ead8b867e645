import { hash } from 'node:crypto';
import type { Grant, RedeemCode } from '../../domain/authorization-grant.ts';
import { narrowed, type Resources } from '../../domain/resource.ts';
import { withoutForbidden } from '../../domain/scope.ts';
import type { EpochSeconds, GrantId } from '../../domain/values.ts';
import { grantStream } from '../../domain/streams.ts';
import type { Entropy } from '../../ports.ts';
import type { AccessTokenFacts, FormatAccessToken } from '../access-token-format.ts';
import { mintAccessToken, parseCode } from '../credentials.ts';
import { formOfCredential } from '../../refusals/credential-form.ts';
import { OAuthError } from '../errors.ts';
import type { PostMortem } from '../post-mortem.ts';
import { accessExpiry, refreshExpiry, type LifetimeSettings } from '../lifetimes.ts';
import { required } from '../parameters.ts';
import type { RefreshTokens } from '../refresh-tokens.ts';
import { requestedResources } from '../requested-resources.ts';
import type { RestrictedScopesOf } from '../restricted-scopes.ts';
import { tokenResponse, type GrantCommands, type GrantType } from './grant-type.ts';

/** Whether a grant still stands although its own stream may not say why it does not (its user was disabled). */
export interface LiveGrants {
  isLive(grantId: GrantId): boolean;
}

/**
 * Wider than RFC 7636 §4.1, which has 43 to 128 unreserved characters: a verifier is right if it hashes to the
 * challenge, and clients in use send padded base64.
 */
const CODE_VERIFIER = /^[\x20-\x7e]{1,256}$/;
const VERIFIER_FORM = 'at most 256 printable ASCII characters';

const REFUSED =
  'the authorization code is unknown, expired, already used, issued to another client, or redirect_uri or code_verifier does not match';

const NOT_GOOD = ['invalid_grant', REFUSED] as const;
const TOO_MUCH = ['invalid_target', 'resource exceeds what the authorization request named'] as const;

/** RFC 6749 §4.1.3: a code for tokens, once. */
export function authorizationCodeGrant(parts: {
  readonly grants: GrantCommands;
  readonly liveGrants: LiveGrants;
  readonly refreshTokens: Pick<RefreshTokens, 'mint'>;
  readonly entropy: Entropy;
  readonly postMortem: PostMortem;
  readonly formatAccessToken: FormatAccessToken;
  readonly knownResources: () => readonly string[];
  readonly restrictedScopesOf: RestrictedScopesOf;
  readonly settings: LifetimeSettings;
}): GrantType {
  const { grants, liveGrants, refreshTokens, entropy, postMortem } = parts;
  const { formatAccessToken, knownResources, restrictedScopesOf, settings } = parts;
  return {
    name: 'authorization_code',
    registeredAs: ['authorization-code'],

    async exchange({ parameters, client, previousSecretUsed, now, context }) {
      const value = required(parameters, 'code');
      const code = parseCode(value);
      const verifier = readVerifier(parameters.get('code_verifier'));
      const resource = requestedResources(parameters, knownResources());
      if (code === undefined) throw new OAuthError('invalid_grant', REFUSED, { rule: 'credential-unknown', parameter: 'code', form: formOfCredential(value) });
      const refused = { presented: code, client, now };
      if (!liveGrants.isLive(code.grantId)) throw new OAuthError('invalid_grant', REFUSED, await postMortem.deadCode(refused));
      const stream = grantStream(code.grantId);
      const expiresAt = accessExpiry(now, settings);
      const secret = mintAccessToken(entropy);
      const facts = client.accessTokenFormat === 'opaque' ? undefined : bought(await grants.state(stream), resource, now, expiresAt);
      const access = facts === undefined ? secret : formatAccessToken(client.accessTokenFormat, secret, { ...facts, scope: withoutForbidden(facts.scope, restrictedScopesOf(client, facts.userId)) });
      const refresh = refreshTokens.mint(code.grantId, entropy);
      const redirectUri = parameters.get('redirect_uri') ?? null;
      const { refusal, state } = await grants.execute(
        stream,
        {
          type: 'RedeemCode', grantId: code.grantId, codeHash: code.hash, clientId: client.clientId, redirectUri, verifier, resource, now,
          accessHash: access.hash, accessExpiresAt: expiresAt, previousSecretUsed,
          refreshHash: refresh.hash, refreshExpiresAt: refreshExpiry(now, settings),
        },
        context,
      );
      if (refusal !== undefined) {
        const [error, description] = refusal === 'resource-exceeds-grant' ? TOO_MUCH : NOT_GOOD;
        throw new OAuthError(error, description, await postMortem.refusedCode(refused, refusal, state, { redirectUri, verifier, resource }));
      }
      const restricted = restrictedScopesOf(client, state.refresh?.userId ?? null);
      const granted = withoutForbidden(state.refresh?.scope ?? [], restricted);
      return tokenResponse(access.value, settings.accessTokenLifetimeSeconds, granted, refresh.value);
    },
  };
}

/** What the code's token will say, which is settled when the code is issued; undefined where there is nothing to be had for it. */
function bought({ code }: Grant, asked: Resources, issuedAt: EpochSeconds, expiresAt: EpochSeconds): AccessTokenFacts | undefined {
  const resource = narrowed(asked, code?.resource ?? []);
  if (code === null || resource === undefined) return undefined;
  const { clientId, userId, scope } = code;
  return { clientId, userId, scope, resource, issuedAt, expiresAt };
}

function readVerifier(verifier: string | undefined): RedeemCode['verifier'] {
  if (verifier === undefined) return null;
  if (!CODE_VERIFIER.test(verifier)) {
    throw new OAuthError('invalid_request', `code_verifier must be ${VERIFIER_FORM}`, {
      rule: 'parameter-malformed', parameter: 'code_verifier', form: VERIFIER_FORM, length: verifier.length,
    });
  }
  return { S256: hash('sha256', verifier, 'base64url'), plain: verifier };
}
