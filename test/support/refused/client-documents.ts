import { clientDocument, DOCUMENT_URL, startDocumentServer, serveDocumentsAt } from '../client-documents.ts';
import { OPERATOR, requestAuthorization, type RefusalScenario, type RefusedRequest } from './scenario.ts';

/** Sends the authorization request of a client whose id is `address`, while `document` is published there. */
async function requestAs(scenario: RefusalScenario, address: string, document: unknown = clientDocument()) {
  const documents = await startDocumentServer(document);
  const stop = serveDocumentsAt(scenario.running, documents);
  try {
    const redirectUri = 'https://app.example/callback';
    return await requestAuthorization(scenario, { client_id: address, redirect_uri: redirectUri });
  } finally {
    stop();
    await documents.close();
  }
}

/** Clients that describe themselves in a document (Client ID Metadata Documents). */
export const CLIENT_DOCUMENT_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'client-address',
    name: 'an address with a password',
    about: 'nobody',
    send: (scenario) => requestAs(scenario, 'https://user:password@app.example/client.json'),
  },
  {
    rule: 'client-document-not-accepted',
    name: 'a domain that an administrator has blocked',
    about: 'nobody',
    details: { why: 'blocked', host: 'blocked.example' },
    send: async (scenario) => {
      await scenario.running.service().domainList.setRule('blocked.example', 'blocked', OPERATOR);
      return requestAs(scenario, 'https://blocked.example/oauth/client.json');
    },
  },
  {
    rule: 'client-document-unreadable',
    name: 'a document that is not JSON',
    about: 'nobody',
    send: (scenario) => requestAs(scenario, DOCUMENT_URL, '<html>'),
  },
  {
    rule: 'client-document-invalid',
    name: 'the document of another client',
    about: 'nobody',
    send: (scenario) =>
      requestAs(scenario, DOCUMENT_URL, clientDocument({ client_id: 'https://app.example/other.json' })),
  },
];
