import { clientDocument, DOCUMENT_URL, startDocumentServer, serveDocumentsAt } from '../client-documents.ts';
import { OPERATOR, requestAuthorization, type RefusalScenario, type RefusedRequest } from './scenario.ts';

/** Sends an authorization request with `url` as the client ID, while `document` is published there. */
async function requestAs(scenario: RefusalScenario, url: string, document: unknown = clientDocument()) {
  const documents = await startDocumentServer(document);
  const stop = serveDocumentsAt(scenario.running, documents);
  try {
    const redirectUri = 'https://app.example/callback';
    return await requestAuthorization(scenario, { client_id: url, redirect_uri: redirectUri });
  } finally {
    stop();
    await documents.close();
  }
}

/** Refusals of clients that describe themselves in a Client ID Metadata Document. */
export const CLIENT_DOCUMENT_REFUSALS: readonly RefusedRequest[] = [
  {
    rule: 'client-address',
    name: 'a URL with a password',
    about: 'nobody',
    send: (scenario) => requestAs(scenario, 'https://user:password@app.example/client.json'),
  },
  {
    rule: 'client-document-not-accepted',
    name: 'a domain blocked by an administrator',
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
    name: "another client's document",
    about: 'nobody',
    send: (scenario) =>
      requestAs(scenario, DOCUMENT_URL, clientDocument({ client_id: 'https://app.example/other.json' })),
  },
];
