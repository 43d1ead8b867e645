import { expect } from 'chai';
import { defaultAuthentication } from '../../../../src/domain/client-authentication.ts';
import type { ClientId } from '../../../../src/domain/values.ts';
import { envFile } from '../../../../src/http/pages/applications/env-file.ts';

describe('A .env file', () => {
  const client = { clientId: 'engine' as ClientId, authentication: defaultAuthentication('public'), secret: null };
  const writeRedirectUriLine = (redirectUri: string): string | undefined =>
    envFile({ ...client, redirectUris: [redirectUri] }, { issuer: 'https://id.example', endpoints: [] }, null)
      .split('\n')
      .find((line) => line.startsWith('OAUTH_REDIRECT_URI='));

  it('quotes only values that a shell would interpret', () => {
    expect(writeRedirectUriLine('https://app.example/cb')).to.equal('OAUTH_REDIRECT_URI=https://app.example/cb');
    expect(writeRedirectUriLine('com.example.app:~/cb')).to.equal('OAUTH_REDIRECT_URI="com.example.app:~/cb"');
    expect(writeRedirectUriLine('https://app.example/cb?a=$b')).to.equal(
      String.raw`OAUTH_REDIRECT_URI="https://app.example/cb?a=\$b"`,
    );
  });
});
