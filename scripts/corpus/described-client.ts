import {
  authorizePathWithDocument,
  DOCUMENT_REDIRECT_URI,
  DOCUMENT_URL,
  DOCUMENT_VERIFIER,
  clientDocument,
  startDocumentServer,
  serveDocumentsAt,
} from '../../test/support/client-documents.ts';
import { approve } from '../../test/support/authorize-requests.ts';
import type { RunningService, TestUser } from '../../test/support/running-service.ts';
import { expectTokens } from './expect-tokens.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;

/**
 * Allows the domain of a client with a metadata document, which a user then authorizes. Blocks and unblocks another
 * domain.
 */
export async function recordDescribedClient(running: RunningService, user: TestUser): Promise<void> {
  const { domainList } = running.service();
  await domainList.setRule('app.example', 'allowed', OPERATOR);
  await domainList.setRule('evil.example', 'blocked', OPERATOR);
  await domainList.setRule('evil.example', null, OPERATOR);
  const server = await startDocumentServer(clientDocument());
  serveDocumentsAt(running, server);
  const { searchParams } = await approve(running, user, `http://localhost${authorizePathWithDocument()}`);
  await expectTokens(
    running.post('/o/token/', {
      grant_type: 'authorization_code',
      client_id: DOCUMENT_URL,
      code: searchParams.get('code') ?? '',
      redirect_uri: DOCUMENT_REDIRECT_URI,
      code_verifier: DOCUMENT_VERIFIER,
    }),
  );
  await server.close();
}
