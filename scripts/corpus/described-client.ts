import { documentOf, documentServer, DOCUMENT_URL, serveDocumentsAt } from '../../test/support/client-documents.ts';
import { approve } from '../../test/support/authorize-requests.ts';
import type { RunningService, TestUser } from '../../test/support/running-service.ts';
import { answered } from './expect-answer.ts';

const OPERATOR = { actor: { kind: 'operator' }, requestId: null } as const;
const REDIRECT_URI = 'https://app.example/callback';
const VERIFIER = 'v'.repeat(43);
/** SHA-256 of the verifier (RFC 7636 §4.2). */
const CHALLENGE = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM';

/** A user consents to a client that describes itself, whose domain the operator allowed; another domain is blocked. */
export async function describedClient(running: RunningService, user: TestUser): Promise<void> {
  const { domainList } = running.service();
  await domainList.setRule('app.example', 'allowed', OPERATOR);
  await domainList.setRule('evil.example', 'blocked', OPERATOR);
  await domainList.setRule('evil.example', null, OPERATOR);
  const server = await documentServer(documentOf());
  serveDocumentsAt(running, server);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: DOCUMENT_URL,
    redirect_uri: REDIRECT_URI,
    scope: 'read',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
  });
  const { searchParams } = await approve(running, user, `http://localhost/o/authorize/?${query.toString()}`);
  await answered(
    running.post('/o/token/', {
      grant_type: 'authorization_code',
      client_id: DOCUMENT_URL,
      code: searchParams.get('code') ?? '',
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
    }),
  );
  await server.close();
}
