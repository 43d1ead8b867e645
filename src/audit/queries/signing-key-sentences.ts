import type { EventOf } from '../../domain/events.ts';
import { message, type Message } from '../../language/message.ts';
import { partyValues, type Party } from './sentence-parts.ts';

/** Returns a message saying that a signing key was introduced. */
export function describeKeyIntroduction(
  { kid, algorithm, reason }: EventOf<'SigningKeyIntroduced'>['data'],
  actor: Party,
): Message {
  return message('sentence.key-introduced', { ...partyValues({ actor }), key: kid, algorithm, reason });
}

/** Returns a message saying that a signing key was retired. */
export function describeKeyRetirement({ kid, reason }: EventOf<'SigningKeyRetired'>['data'], actor: Party): Message {
  return message('sentence.key-retired', { ...partyValues({ actor }), key: kid, reason });
}
