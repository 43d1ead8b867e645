import { wire, type MessagesFor, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

const SPECIFICATION = 'OAuth Client ID Metadata Document';
const NOT_ACCEPTED: Readonly<
  Record<RefusalOf<'client-document-not-accepted'>['why'], { readonly seen: string; readonly advice: string }>
> = {
  off: {
    seen: 'a client_id that is an address, while the setting clientDocuments is off',
    advice: 'Register the application, or set clientDocuments to list and allow the domain.',
  },
  'not-listed': {
    seen: 'a domain that is not on the list of allowed domains',
    advice: 'An administrator can allow it on the page “Client domains”, or with grantlog domain allow.',
  },
  blocked: {
    seen: 'a domain that an administrator has blocked',
    advice: 'An administrator can lift that on the page “Client domains”, or with grantlog domain remove.',
  },
  removed: {
    seen: 'an application that was removed from this server',
    advice: 'Removed applications never come back. Publish the document at another address.',
  },
};

/** At the token endpoint, and at the authorization endpoint, where only the user sees it. */
export const CLIENT_DOMAIN_MESSAGES: ProtocolMessagesFor<'client-document-not-accepted'> = {
  'client-document-not-accepted': ({ why, host }) => ({
    wire: wire('unauthorized_client', 'the operator of this server does not accept applications of this domain'),
    rule: 'The operator decides which domains may describe applications.',
    expected: `a domain that this server accepts, instead of ${host}`,
    ...NOT_ACCEPTED[why],
  }),
};

/** Clients that describe themselves. Their redirect URIs are not known, so only the user sees these. */
export const CLIENT_DOCUMENT_MESSAGES: MessagesFor<
  'client-address' | 'client-document-unreadable' | 'client-document-invalid'
> = {
  'client-address': ({ problem }) => ({
    rule: `A client_id that is an address must be an https URL in normal form (${SPECIFICATION} §3).`,
    expected: 'a client_id such as https://app.example.com/oauth/client.json',
    seen: `an address that ${problem}`,
    advice: 'Send the address exactly as the document writes it, in normal form.',
  }),
  'client-document-unreadable': ({ problem }) => ({
    rule: `The client_id must be the address of a document (${SPECIFICATION} §4).`,
    expected: 'status 200 and JSON of at most 5120 bytes, from a public address, without a redirect, within 5 seconds',
    seen: `an address that ${problem}`,
    advice: 'Open the address without a browser, such as with curl. Some sites answer programs with another page.',
  }),
  'client-document-invalid': ({ problem }) => ({
    rule: `The document must describe the client completely and safely (${SPECIFICATION} §4.1).`,
    expected: 'client_id equal to the address, redirect_uris of its own origin or of the device, and no secrets',
    seen: `a document that ${problem}`,
    advice: 'Correct the document. It is read again at the next request.',
  }),
};
