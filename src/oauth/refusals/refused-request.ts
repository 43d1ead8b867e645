import { english } from '../../language/english.ts';
import type { RefusedRequest } from './explanations.ts';
import { headlineOf } from './headlines.ts';
import { explain } from './refusal-messages.ts';

/** Reports whether this release can explain the item. Other releases may have stored other members or rules. */
export function isRefusedRequest(item: unknown): item is RefusedRequest {
  const { id, at, method, path, error, clientId, isProven, refusal } = Object(item) as Partial<RefusedRequest>;
  const hasMembers =
    [id, method, path].every((value) => typeof value === 'string') &&
    [error, clientId].every((value) => value === null || typeof value === 'string') &&
    Number.isSafeInteger(at) &&
    typeof isProven === 'boolean';
  return hasMembers && refusal !== undefined && canExplain(refusal);
}

function canExplain(refusal: RefusedRequest['refusal']): boolean {
  try {
    return [english.text(headlineOf(refusal)), ...Object.values(explain(refusal)).map(english.text)].every(
      (text) => typeof text === 'string',
    );
  } catch {
    return false;
  }
}
