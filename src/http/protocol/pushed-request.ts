import type { ServerSecurity } from '../../domain/security-profile.ts';
import type { PushRequest } from '../../oauth/requests/pushed-requests.ts';
import { pushedRequestOperation } from '../openapi/authorization-api.ts';
import { authenticateClient, type AuthenticateClientDeps } from '../pipeline/authenticate-client.ts';
import { acceptDpopProof, type DpopProofDeps } from '../pipeline/dpop-proof.ts';
import { readParameters, type BodySettings } from '../pipeline/read-parameters.ts';
import { attributeRefusals, type RefusalSubjectDeps } from '../pipeline/refusal-subject.ts';
import { retryWhenOutdated } from '../pipeline/retry-when-outdated.ts';
import { fromState, type Handler } from '../pipeline/state.ts';
import type { Route } from '../route.ts';

export interface PushedRequestRouteDeps
  extends Omit<AuthenticateClientDeps, 'clientAuthentication'>, RefusalSubjectDeps, DpopProofDeps {
  /**
   * The client authentication for this endpoint. It also accepts clients that are not in the log yet, if their ids
   * contain their registrations or are the URLs of their metadata documents.
   */
  readonly pushAuthentication: AuthenticateClientDeps['clientAuthentication'];
  readonly pushRequest: PushRequest;
  readonly settings: BodySettings & ServerSecurity;
}

/** Returns the route for pushed authorization requests (RFC 9126). */
export function pushedRequestRoute(deps: PushedRequestRouteDeps): Route {
  const { settings } = deps;
  return {
    method: 'POST',
    path: '/o/par',
    kind: 'protocol',
    authentication: 'client',
    cors: { origins: 'clients', methods: 'POST' },
    openApi: [pushedRequestOperation(settings)],
    pipeline: [
      attributeRefusals(deps),
      readParameters(settings),
      retryWhenOutdated,
      authenticateClient({ ...deps, clientAuthentication: deps.pushAuthentication }),
      acceptDpopProof(deps), // sets ctx.state.confirmation if the request contains a proof
      push(deps),
    ],
  };
}

function push({ pushRequest, addressOf, now }: PushedRequestRouteDeps): Handler {
  return async (ctx) => {
    const [parameters, client] = [fromState(ctx, 'parameters'), fromState(ctx, 'client')];
    const { once, confirmation } = ctx.state;
    ctx.body = await pushRequest({
      parameters,
      client,
      confirmation,
      address: addressOf(ctx),
      now: now(),
      once,
    });
    ctx.status = 201;
    ctx.set('Pragma', 'no-cache');
  };
}
