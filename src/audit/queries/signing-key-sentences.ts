import type { EventOf } from '../../domain/events.ts';
import { unreachable } from '../../domain/values.ts';
import { say, type SentencePart } from './sentence-parts.ts';

export function introduction(
  { kid, algorithm, reason }: EventOf<'SigningKeyIntroduced'>['data'],
  actor: SentencePart,
): readonly SentencePart[] {
  const introduced = say`${actor} introduced the signing key ${kid} for ${algorithm}`;
  switch (reason) {
    case 'first':
      return introduced;
    case 'scheduled':
      return [...introduced, ...say`, as scheduled`];
    case 'requested':
      return [...introduced, ...say`, by command`];
    case 'lost':
      return [...introduced, ...say`; the private half of the previous key is missing or damaged`];
    default:
      return unreachable(reason);
  }
}

export function retirement(
  { kid, reason }: EventOf<'SigningKeyRetired'>['data'],
  actor: SentencePart,
): readonly SentencePart[] {
  return reason === 'expired'
    ? say`${actor} retired the signing key ${kid}; every token that it signed has expired`
    : say`${actor} retired the signing key ${kid}; no token that it signed is valid any more`;
}
