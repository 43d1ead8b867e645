import type { SessionEndReason } from '../../domain/events.ts';
import { message, type Message } from '../../language/message.ts';
import { partyValues, type Party } from './sentence-parts.ts';

const END_SENTENCES = {
  'logged-out': 'sentence.logged-out',
  'logged-out-through-client': 'sentence.logged-out-through-client',
  'ended-by-user': 'sentence.session-ended-by-user',
  'ended-by-administrator': 'sentence.session-ended-by',
  'logged-in-again': 'sentence.logged-in-again',
  'another-login': 'sentence.another-login',
  'two-step-turned-on': 'sentence.two-step-on',
  'account-unlinked': 'sentence.session-unlinked',
} as const satisfies Record<SessionEndReason, string>;

/** Returns a message saying that a session ended. Earlier releases did not record the reason. */
export function describeSessionEnd(
  reason: SessionEndReason = 'logged-out',
  parties: Readonly<Record<'actor' | 'user', Party>>,
): Message {
  return message(END_SENTENCES[reason], partyValues(parties));
}
