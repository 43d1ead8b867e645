import { unreachable } from '../../domain/values.ts';
import { message, type Message } from '../../language/message.ts';
import type { TreeEnd } from './exchange-tree-node.ts';
import { decodeParties } from './exchange-search.ts';
import type { FindParties } from './parties.ts';
import { describeEvent } from './sentence.ts';
import { applicationParty, partyValues, type Names } from './sentence-parts.ts';

/** Explains why a token in a tree of exchanges has ended: the grant that ended, and the event that ended it. */
export async function describeEnd(end: TreeEnd, findParties: FindParties, names: Names): Promise<Message> {
  const { cause, event, endedGrant } = end;
  if (cause === 'expired') return message('sentence.expired');
  const why =
    event === null ? message('sentence.account-erased') : describeEvent(event, await findParties(event.stream), names);
  const values = { ...partyValues({ client: applicationParty(decodeParties(endedGrant.first).clientId, names) }), why };
  switch (endedGrant.relation) {
    case 'own':
      return why;
    case 'above':
      return message('sentence.ended-with-above', values);
    case 'actor':
      return message('sentence.ended-with-actor', values);
    default:
      return unreachable(endedGrant.relation);
  }
}
