import type { EpochSeconds } from '../../domain/values.ts';
import type { PostMortem } from '../../oauth/grant-types/post-mortem.ts';
import type { Explanations, RefusedRequest } from '../../oauth/refusals/explanations.ts';
import type { ClientLookup } from '../../oauth/clients/secret-authentication.ts';
import { sanitizePath } from '../../oauth/refusals/sanitize.ts';
import { impliesGenuineCredential } from '../../oauth/refusals/genuine-credential.ts';
import type { Refusal } from '../../oauth/refusals/refusal.ts';
import { redactSecrets } from '../../oauth/refusals/redact-secrets.ts';
import type { PolicyDenial } from './principal-state.ts';
import { readAccessToken } from './read-access-token.ts';
import type { RefusalSubject, RequestContext } from './state.ts';

export interface RefusalRecorderDeps {
  readonly explanations: Pick<Explanations, 'record'>;
  readonly postMortem: Pick<PostMortem, 'explainInvalidAccessToken'>;
  readonly clients: Pick<ClientLookup, 'find'>;
  readonly now: () => EpochSeconds;
  readonly log: { debug?(details: Readonly<Record<string, unknown>>, message: string): void };
}

/**
 * Records why requests were refused, so that the application's owners and the operator can look up the reason by
 * request id.
 */
export interface RefusalRecorder {
  /**
   * Records and returns the refused request.
   * @param error the OAuth error code in the response; undefined if the response has none
   */
  record(ctx: RequestContext, refusal: Refusal, error?: string): RefusedRequest;
  recordDenial(ctx: RequestContext, denial: PolicyDenial): Promise<void>;
}

const UNKNOWN_CLIENT: RefusalSubject = { clientId: null, isAuthenticated: false, secrets: [] };

export function createRefusalRecorder({
  explanations,
  postMortem,
  clients,
  now,
  log,
}: RefusalRecorderDeps): RefusalRecorder {
  const isClientId = (segment: string): boolean => clients.find(segment) !== undefined;

  function recordFor(
    ctx: RequestContext,
    refusal: Refusal,
    error: string | null,
    { clientId, isAuthenticated, secrets }: RefusalSubject,
  ): RefusedRequest {
    const { requestId } = ctx.state;
    ctx.state.rule = refusal.rule;
    const refusedRequest: RefusedRequest = {
      id: requestId,
      at: now(),
      method: ctx.method,
      path: sanitizePath(ctx.path, isClientId),
      error,
      clientId,
      isProven: clientId !== null && (isAuthenticated || impliesGenuineCredential(refusal)),
      refusal: redactSecrets(refusal, secrets),
    };
    explanations.record(refusedRequest);
    log.debug?.({ requestId, rule: refusal.rule, ...(clientId === null ? {} : { clientId }) }, 'request refused');
    return refusedRequest;
  }

  return {
    record: (ctx, refusal, error) =>
      recordFor(ctx, refusal, error ?? null, ctx.state.refusalSubject?.() ?? UNKNOWN_CLIENT),

    async recordDenial(ctx, denial) {
      if (denial !== 'invalid-token') {
        const { principal } = ctx.state;
        recordFor(
          ctx,
          denial,
          null,
          principal.kind === 'bearer'
            ? { clientId: principal.clientId, isAuthenticated: true, secrets: [] }
            : UNKNOWN_CLIENT,
        );
        return;
      }
      const { senderRefused } = ctx.state;
      if (senderRefused !== undefined) {
        const { refusal, error, clientId } = senderRefused;
        recordFor(ctx, refusal, error, { ...UNKNOWN_CLIENT, clientId });
        return;
      }
      const { refusal, clientId } = await postMortem.explainInvalidAccessToken(readAccessToken(ctx), now());
      recordFor(ctx, refusal, 'invalid_token', { ...UNKNOWN_CLIENT, clientId });
    },
  };
}
