import { createOnce } from '../../src/event-store/once.ts';
import type { EpochSeconds } from '../../src/domain/values.ts';
import { decideAgain } from '../../src/event-store/decide-again.ts';
import type { RequestMetadata } from '../../src/event-store/command-handler.ts';
import type { IntrospectionResponse } from '../../src/oauth/endpoints/introspection.ts';
import type { Parameters } from '../../src/oauth/endpoints/parameters.ts';
import { requireRegisteredGrantType } from '../../src/oauth/endpoints/token-endpoint.ts';
import type { TokenResponse } from '../../src/oauth/grant-types/grant-type.ts';
import type { Service } from '../../src/composition/service.ts';

/** A request to a client endpoint, without HTTP. */
export interface ClientRequest {
  readonly parameters: Parameters;
  readonly authorization: string | undefined;
  readonly address: string;
  readonly requestMetadata: RequestMetadata;
  readonly now: () => EpochSeconds;
}

type Parts = Pick<Service, 'clientAuthentication' | 'token' | 'revocation' | 'introspection'>;

/** Responds like `POST /o/token/`. */
export function requestTokens(
  service: Pick<Parts, 'clientAuthentication' | 'token'>,
  request: ClientRequest,
): Promise<TokenResponse> {
  const { parameters, address, requestMetadata, now } = request;
  return decideAgain(async (once) => {
    const grantType = service.token.selectGrantType(parameters);
    const { client, previousSecretUsed } = await authenticate(service, request);
    requireRegisteredGrantType(client, grantType);
    return service.token.issue({
      grantType,
      parameters,
      client,
      previousSecretUsed,
      confirmation: undefined,
      address,
      now: now(),
      requestMetadata,
      once,
    });
  });
}

/** Responds like `POST /o/revoke_token/`. */
export async function requestRevocation(
  service: Pick<Parts, 'clientAuthentication' | 'revocation'>,
  request: ClientRequest,
): Promise<void> {
  const { parameters, requestMetadata, now } = request;
  const { client } = await authenticate(service, request);
  await service.revocation({ parameters, client, now: now(), requestMetadata });
}

/** Responds to a client like `POST /o/introspect/`. */
export async function requestIntrospection(
  service: Pick<Parts, 'clientAuthentication' | 'introspection'>,
  request: ClientRequest,
): Promise<IntrospectionResponse> {
  const { parameters, now } = request;
  const { client } = await authenticate(service, request);
  return service.introspection.introspect({ parameters, client, bearerClientId: null, now: now() });
}

function authenticate({ clientAuthentication }: Pick<Parts, 'clientAuthentication'>, request: ClientRequest) {
  const { authorization, parameters, now, address } = request;
  const metadata = { requestId: 'request' };
  return clientAuthentication.authenticate({
    authorization,
    parameters,
    now: now(),
    address,
    metadata,
    once: createOnce(),
    certificate: () => ({ kind: 'none' }),
  });
}
