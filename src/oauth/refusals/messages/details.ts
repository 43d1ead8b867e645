import { formatList, wire, type ProtocolMessagesFor } from '../messages.ts';
import type { DetailsRefusal } from '../details-refusal.ts';

const invalid = (description: string) => wire('invalid_authorization_details', description);

/** Authorization details (RFC 9396). */
export const DETAILS_MESSAGES: ProtocolMessagesFor<DetailsRefusal['rule']> = {
  'details-malformed': ({ form, length }) => ({
    wire: invalid(`authorization_details must be ${form}`),
    rule: 'authorization_details is a JSON list of objects with a type (RFC 9396 §2), within limits.',
    expected: form,
    seen: `${length} characters of another form`,
    advice: 'Send the JSON text of the list, percent-encoded. In a request object, send the list itself.',
  }),
  'details-type-unknown': ({ seen, known }) => ({
    wire: invalid(
      known.length === 0
        ? 'no resource server of this server declares types of authorization details'
        : `unknown type of authorization details; this server knows: ${known.join(' ')}`,
    ),
    rule: 'A resource server must declare the type of each authorization detail.',
    expected: formatList(known),
    seen,
    advice:
      'Send a declared type, spelled exactly. Or let the owner of the resource server declare it: on its page, or ' +
      'with grantlog resource update URI --detail-types FILE.',
  }),
  'details-type-not-allowed': ({ seen, allowed }) => ({
    wire: invalid('this client is not registered for this type of authorization details'),
    rule: 'A client that is registered for certain types of authorization details may request only these.',
    expected: formatList(allowed),
    seen,
    advice: 'Add the type to the registration of the application (authorization_details_types).',
  }),
  'details-schema': ({ type, member, keyword }) => ({
    wire: invalid(
      member === ''
        ? `a detail of the type ${type} violates its schema: ${keyword}`
        : `a detail of the type ${type} violates its schema at ${member}: ${keyword}`,
    ),
    rule: 'An authorization detail satisfies the JSON Schema that the resource server declares for its type.',
    expected: `a detail that satisfies ${keyword}`,
    seen: member === '' ? 'a detail that does not' : `a value of ${member} that does not`,
    advice: 'Compare the detail with the documentation of the API. The owner of the resource server sees the schema.',
  }),
  'details-need-consent': ({ grant }) => ({
    wire: invalid(`authorization_details is not for the grant type ${grant}`),
    rule: 'Users consent to authorization details on a page, which this grant type does not show.',
    expected: 'the grant type authorization_code',
    seen: grant,
    advice: 'Send the user to the authorization endpoint.',
  }),
  'details-not-granted': ({ type, granted }) => ({
    wire: invalid('authorization_details exceeds what was granted'),
    rule:
      'A token request can name granted details and narrow them: each list of texts to a part of it, and nothing ' +
      'else (RFC 9396 §6).',
    expected: granted.length === 0 ? 'no authorization_details' : `a part of a granted detail: ${formatList(granted)}`,
    seen: `more, in a detail of the type ${type}`,
    advice: 'Omit authorization_details to get what was granted. For more, send the user through authorization again.',
  }),
  'details-of-other-resource': ({ type, resource }) => ({
    wire: invalid('a detail is for a resource server that the token is not for'),
    rule: 'A token has only details of its own resource servers.',
    expected: `types that ${formatList(resource)} declares`,
    seen: type,
    advice: 'Name the resource server that declares the type as resource, or request a token for each.',
  }),
  'details-none-left': () => ({
    wire: invalid('no resource server of the token declares the types of the granted details any more'),
    rule: 'A token without scope needs at least one detail of a type that its resource servers declare.',
    expected: 'a declared type',
    seen: 'none',
    advice: 'Ask the owner of the resource server why it no longer declares the types. Then authorize again.',
  }),
};
