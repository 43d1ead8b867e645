import { message, type Text } from '../../../language/message.ts';
import { wire, type MessagesFor, type ProtocolMessagesFor } from '../messages.ts';
import type { RefusalOf } from '../refusal.ts';

const EXPLANATIONS: Readonly<
  Record<RefusalOf<'client-document-not-accepted'>['why'], { readonly seen: Text; readonly advice: Text }>
> = {
  off: {
    seen: message('refusal.client-documents.not-accepted.off.seen'),
    advice: message('refusal.client-documents.not-accepted.off.advice'),
  },
  'not-listed': {
    seen: message('refusal.client-documents.not-accepted.not-listed.seen'),
    advice: message('refusal.client-documents.not-accepted.not-listed.advice'),
  },
  blocked: {
    seen: message('refusal.client-documents.not-accepted.blocked.seen'),
    advice: message('refusal.client-documents.not-accepted.blocked.advice'),
  },
  removed: {
    seen: message('refusal.client-documents.not-accepted.removed.seen'),
    advice: message('refusal.client-documents.not-accepted.removed.advice'),
  },
};

/**
 * Messages about clients whose domain is not accepted. The token endpoint sends this refusal to the client; the
 * authorization endpoint shows it only to the user.
 */
export const CLIENT_DOMAIN_MESSAGES: ProtocolMessagesFor<'client-document-not-accepted'> = {
  'client-document-not-accepted': ({ why, host }) => ({
    wire: wire(
      'unauthorized_client',
      why === 'removed'
        ? 'this application was removed from this server'
        : 'the operator of this server does not accept applications from this domain',
    ),
    rule:
      why === 'removed'
        ? message('refusal.client-document-not-accepted.rule-2')
        : message('refusal.client-document-not-accepted.rule'),
    expected:
      why === 'removed'
        ? message('refusal.client-document-not-accepted.expected-2')
        : message('refusal.client-document-not-accepted.expected', { host }),
    ...EXPLANATIONS[why],
  }),
};

/**
 * Messages about clients whose id is the URL of a metadata document that cannot be used. Their redirect URIs are
 * unknown, so the authorization endpoint shows these refusals only to the user.
 */
export const CLIENT_DOCUMENT_MESSAGES: MessagesFor<
  'client-address' | 'client-document-unreadable' | 'client-document-invalid'
> = {
  'client-address': ({ problem }) => ({
    rule: message('refusal.client-address.rule'),
    expected: message('refusal.client-address.expected'),
    seen: message('refusal.client-address.seen', { problem }),
    advice: message('refusal.client-address.advice'),
  }),
  'client-document-unreadable': ({ problem }) => ({
    rule: message('refusal.client-document-unreadable.rule'),
    expected: message('refusal.client-document-unreadable.expected'),
    seen: message('refusal.client-document-unreadable.seen', { problem }),
    advice: message('refusal.client-document-unreadable.advice'),
  }),
  'client-document-invalid': ({ problem }) => ({
    rule: message('refusal.client-document-invalid.rule'),
    expected: message('refusal.client-document-invalid.expected'),
    seen: message('refusal.client-document-invalid.seen', { problem }),
    advice: message('refusal.client-document-invalid.advice'),
  }),
};
