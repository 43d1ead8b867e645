import { hash } from 'node:crypto';
import type { Grant, RedeemCode } from '../../domain/authorization-grant.ts';
import { narrowResources, type Resources } from '../../domain/resource.ts';
import type { CredentialHash, EpochSeconds, GrantId, UserId } from '../../domain/values.ts';
import { grantStream } from '../../domain/streams.ts';
import type { Entropy } from '../../platform/ports.ts';
import type { Client } from '../../projections/clients.ts';
import type { AccessTokenFacts, FormatAccessToken } from '../credentials/access-token-format.ts';
import { codeViolation, type CodeRuleSettings } from './code-rules.ts';
import { mintAccessToken, parseCode } from '../credentials/credentials.ts';
import { credentialForm } from '../refusals/credential-form.ts';
import { OAuthError } from '../endpoints/errors.ts';
import type { PostMortem } from './post-mortem.ts';
import { accessExpiry, refreshExpiry, type LifetimeSettings } from '../credentials/lifetimes.ts';
import { requireParameter } from '../endpoints/parameters.ts';
import type { RefreshTokens } from '../credentials/refresh-tokens.ts';
import { noResourceLeft, remainingResources, requestedResources } from '../endpoints/requested-resources.ts';
import type { EffectiveScope } from '../endpoints/restricted-scopes.ts';
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
  readonly heldScope: EffectiveScope;
  readonly settings: LifetimeSettings & CodeRuleSettings;
}): GrantType {
  const { grants, liveGrants, refreshTokens, entropy, postMortem } = parts;
  const { formatAccessToken, knownResources, heldScope, settings } = parts;

  /**
   * Applies the current rules. A refused code stays unspent: the settings may be changed back while it lives.
   * @returns the resource servers to ask for
   */
  function applyRules(code: IssuedCode, client: Client, named: Resources): Resources {
    const broken = codeViolation(code, client, settings);
    if (broken !== undefined) throw new OAuthError('invalid_grant', REFUSED, broken.refusal);
    const { resource: granted = [] } = code;
    const left = remainingResources(named, granted, knownResources());
    if (left === undefined) throw noResourceLeft(granted, knownResources());
    return left;
  }

  return {
    name: 'authorization_code',
    registeredAs: ['authorization-code'],

    async exchange({ parameters, client, previousSecretUsed, now, context, withinBudget }) {
      const value = requireParameter(parameters, 'code');
      const code = parseCode(value);
      const verifier = readVerifier(parameters.get('code_verifier'));
      const named = requestedResources(parameters, knownResources());
      if (code === undefined)
        throw new OAuthError('invalid_grant', REFUSED, {
          rule: 'credential-unknown',
          parameter: 'code',
          form: credentialForm(value),
        });
      const refused = { presented: code, client, now };
      if (!liveGrants.isLive(code.grantId))
        throw new OAuthError('invalid_grant', REFUSED, await postMortem.deadCode(refused));
      const stream = grantStream(code.grantId);
      const expiresAt = accessExpiry(now, settings);
      const secret = mintAccessToken(entropy);
      const grant = await grants.state(stream);
      const resource = isRedeemable(grant, code.hash, client) ? applyRules(grant.code, client, named) : named;
      const facts =
        client.accessTokenFormat === 'opaque' ? undefined : accessTokenFacts(grant, resource, now, expiresAt);
      const held = facts && { ...facts, scope: heldScope(facts.scope, client, facts.userId) };
      const access = held === undefined ? secret : formatAccessToken(client.accessTokenFormat, secret, held);
      const refresh = refreshTokens.mint(code.grantId, entropy);
      const redirectUri = parameters.get('redirect_uri') ?? null;
      const { refusal, state } = await withinBudget(userOf(grant), async () =>
        grants.execute(
          stream,
          {
            type: 'RedeemCode',
            grantId: code.grantId,
            codeHash: code.hash,
            clientId: client.clientId,
            redirectUri,
            verifier,
            resource,
            now,
            accessHash: access.hash,
            accessExpiresAt: expiresAt,
            previousSecretUsed,
            refreshHash: refresh.hash,
            refreshExpiresAt: refreshExpiry(now, settings),
          },
          context,
        ),
      );
      if (refusal !== undefined) {
        const [error, description] = refusal === 'resource-exceeds-grant' ? TOO_MUCH : NOT_GOOD;
        throw new OAuthError(
          error,
          description,
          await postMortem.refusedCode(refused, refusal, state, { redirectUri, verifier, resource }),
        );
      }
      if (!liveGrants.isLive(code.grantId)) {
        throw new OAuthError('invalid_grant', REFUSED, await postMortem.grantEnded(refused, 'code'));
      }
      const granted = heldScope(state.refresh?.scope ?? [], client, state.refresh?.userId ?? null);
      return tokenResponse(access.value, settings.accessTokenLifetimeSeconds, granted, refresh.value);
    },
  };
}

function userOf({ code, refresh }: Grant): UserId | null {
  return code?.userId ?? refresh?.userId ?? null;
}

type IssuedCode = NonNullable<Grant['code']>;

/** Whether the code is this client's and not redeemed yet. Anything else wrong with it is for the stream to refuse. */
function isRedeemable(
  grant: Grant,
  codeHash: CredentialHash,
  { clientId }: Client,
): grant is Grant & { readonly code: IssuedCode } {
  return grant.status === 'open' && grant.code?.codeHash === codeHash && grant.code.clientId === clientId;
}

/** What the code's token will say, which is settled when the code is issued; undefined where there is nothing to be had for it. */
function accessTokenFacts(
  { code }: Grant,
  asked: Resources,
  issuedAt: EpochSeconds,
  expiresAt: EpochSeconds,
): AccessTokenFacts | undefined {
  const resource = narrowResources(asked, code?.resource ?? []);
  if (code === null || resource === undefined) return undefined;
  const { clientId, userId, scope } = code;
  return { clientId, userId, scope, resource, issuedAt, expiresAt };
}

function readVerifier(verifier: string | undefined): RedeemCode['verifier'] {
  if (verifier === undefined) return null;
  if (!CODE_VERIFIER.test(verifier)) {
    throw new OAuthError('invalid_request', `code_verifier must be ${VERIFIER_FORM}`, {
      rule: 'parameter-malformed',
      parameter: 'code_verifier',
      form: VERIFIER_FORM,
      length: verifier.length,
    });
  }
  return { S256: hash('sha256', verifier, 'base64url'), plain: verifier };
}
