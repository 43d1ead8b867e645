import { english } from '../../../language/english.ts';
import { message } from '../../../language/message.ts';
import { formatList } from '../list-text.ts';
import { wire, type ProtocolMessagesFor } from '../messages.ts';
import type { DetailsRefusal } from '../details-refusal.ts';

const invalidDetails = (description: string) => wire('invalid_authorization_details', description);

/** Messages about authorization details (RFC 9396). */
export const DETAILS_MESSAGES: ProtocolMessagesFor<DetailsRefusal['rule']> = {
  'details-malformed': ({ form, length }) => ({
    wire: invalidDetails(`authorization_details must be ${english.text(form)}`),
    rule: message('refusal.details-malformed.rule'),
    expected: form,
    seen: message('refusal.details-malformed.seen', { length }),
    advice: message('refusal.details-malformed.advice'),
  }),
  'details-type-unknown': ({ seen, known }) => ({
    wire: invalidDetails(
      known.length === 0
        ? 'no resource server declares any types of authorization details'
        : `unknown type of authorization details; this server supports: ${known.join(' ')}`,
    ),
    rule: message('refusal.details-type-unknown.rule'),
    expected: formatList(known),
    seen,
    advice: message('refusal.details-type-unknown.advice'),
  }),
  'details-type-not-allowed': ({ seen, allowed }) => ({
    wire: invalidDetails('this client is not registered for this type of authorization details'),
    rule: message('refusal.details-type-not-allowed.rule'),
    expected: formatList(allowed),
    seen,
    advice: message('refusal.details-type-not-allowed.advice'),
  }),
  'details-schema': ({ type, member, keyword }) => ({
    wire: invalidDetails(
      member === ''
        ? `an authorization detail of type ${type} violates its schema: ${keyword}`
        : `an authorization detail of type ${type} violates its schema at ${member}: ${keyword}`,
    ),
    rule: message('refusal.details-schema.rule'),
    expected: message('refusal.details-schema.expected', { keyword }),
    seen: member === '' ? message('refusal.details-schema.seen') : message('refusal.details-schema.seen-2', { member }),
    advice: message('refusal.details-schema.advice'),
  }),
  'details-need-consent': ({ grant }) => ({
    wire: invalidDetails(`authorization_details cannot be used with the ${grant} grant type`),
    rule: message('refusal.details-need-consent.rule'),
    expected: message('refusal.details-need-consent.expected'),
    seen: grant,
    advice: message('refusal.details-need-consent.advice'),
  }),
  'details-not-granted': ({ type, granted }) => ({
    wire: invalidDetails('authorization_details exceeds what was granted'),
    rule: message('refusal.details-not-granted.rule'),
    expected:
      granted.length === 0
        ? message('refusal.details-not-granted.expected')
        : message('refusal.details-not-granted.expected-2', { granted: formatList(granted) }),
    seen: message('refusal.details-not-granted.seen', { type }),
    advice: message('refusal.details-not-granted.advice'),
  }),
  'details-of-other-resource': ({ type, resource }) => ({
    wire: invalidDetails('an authorization detail is for a resource server outside the audience of the token'),
    rule: message('refusal.details-of-other-resource.rule'),
    expected: message('refusal.details-of-other-resource.expected', { resource: formatList(resource) }),
    seen: type,
    advice: message('refusal.details-of-other-resource.advice'),
  }),
  'details-none-left': () => ({
    wire: invalidDetails(
      "the token's resource servers no longer declare the types of the granted authorization details",
    ),
    rule: message('refusal.details-none-left.rule'),
    expected: message('refusal.details-none-left.expected'),
    seen: message('refusal.details-none-left.seen'),
    advice: message('refusal.details-none-left.advice'),
  }),
};
