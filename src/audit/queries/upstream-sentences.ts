import type { EventOf } from '../../domain/events.ts';
import { say, type SentencePart } from './sentence-parts.ts';

/** A provider was set up, changed or removed. */
export function providerChange(
  data: EventOf<'UpstreamProviderSet' | 'UpstreamProviderRemoved'>['data'],
  actor: SentencePart,
): readonly SentencePart[] {
  if (!('settings' in data)) return say`${actor} removed the provider ${data.providerId}; nobody logs in through it`;
  const { issuer, required, linking, createsUsers } = data.settings;
  return [
    ...say`${actor} set up the provider ${data.providerId}, with the issuer ${issuer}`,
    ...(linking === 'explicit' ? [] : say`, which links accounts by verified e-mail address`),
    ...(createsUsers ? say`, and creates users` : []),
    ...(required ? say`; passwords are off` : []),
  ];
}

/** An account at a provider was linked to a user. */
export function link(
  { providerId, basis }: EventOf<'UpstreamAccountLinked'>['data'],
  actor: SentencePart,
  user: SentencePart,
): readonly SentencePart[] {
  const what = say`${actor} linked an account at ${providerId} to ${user}`;
  switch (basis) {
    case 'asked':
      return what;
    case 'verified-email':
      return [...what, ...say`, because both have the same verified e-mail address`];
    case 'created':
      return [...what, ...say`, whose account its first login created`];
  }
}
