import type { EventOf } from '../../domain/events.ts';
import type { ClientId } from '../../domain/values.ts';
import { applicationPart, say, scopeText, userPart, type Names, type SentencePart } from './sentence-parts.ts';

/** Another issuer became trusted with these settings, or is not trusted any more. */
export function trustedIssuerChange(
  data: EventOf<'TrustedIssuerSet' | 'TrustedIssuerRemoved'>['data'],
  actor: SentencePart,
  application: (clientId: ClientId) => SentencePart,
): readonly SentencePart[] {
  if (!('settings' in data))
    return say`${actor} removed the trust in the issuer ${data.issuer}, and ended what was issued for its tokens`;
  const { uses, clients, scope, resources } = data.settings;
  const names = clients.flatMap(({ clientId }, index) => [...(index === 0 ? [] : say`, `), application(clientId)]);
  return [
    ...say`${actor} set the trust in the issuer ${data.issuer}: ${uses.join(', ')} by ${names}`,
    ...say`, for ${scopeText(scope)}`,
    ...(resources === null ? [] : say`, at ${resources.join(', ')}`),
  ];
}

/** Which client got a token for an assertion of another issuer, for whom. */
export function redemptionOfAssertion(
  { clientId, userId, use, issuer, scope, resource }: EventOf<'AssertionRedeemed'>['data'],
  names: Names,
): readonly SentencePart[] {
  const kind = use === 'assertion' ? 'an assertion' : 'an identity assertion';
  return [
    ...say`${applicationPart(clientId, names)} redeemed ${kind} of ${issuer}`,
    ...(userId === null ? say`, for itself` : say`, for ${userPart(userId, names)}`),
    ...say`, and was granted ${scopeText(scope)}`,
    ...(resource === undefined ? [] : say`, at ${resource.join(', ')}`),
  ];
}
