import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import { mintClientSecret } from '../../src/oauth/credentials/credentials.ts';
import { createRefreshTokens } from '../../src/oauth/credentials/refresh-tokens.ts';
import { createTaggedCredentials } from '../../src/oauth/credentials/tagged-credentials.ts';
import type { GrantId } from '../../src/domain/values.ts';
import { runningService } from '../support/running-service.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { findCredentials, searchedOutput } from '../support/watched-output.ts';

describe("The output of the suite's servers is searched for credentials", () => {
  it('by their format, and for the passwords of test users', async () => {
    const entropy = seededEntropy('watched');
    const key = createSecretKey(entropy.bytes(32));
    const refresh = createRefreshTokens(key).mint('g'.repeat(22) as GrantId, entropy);
    const access = createTaggedCredentials(key).mintAccessToken(entropy);
    const credentials = [access.value, refresh.value, mintClientSecret(entropy).value];
    for (const credential of credentials)
      expect(findCredentials(`{"msg":"request","x":"${credential}"}`)).to.deep.equal([credential]);
    const running = await runningService();
    const { password } = await running.addUser();
    await running.close();
    expect(findCredentials(JSON.stringify({ form: { password } }))).to.deep.equal([password]);
    expect(
      findCredentials('{"msg":"request","requestId":"OzYs0GhM2fQtufMXc5kbyA","clientId":"24VP7UHk6A3ud1PqyLVu3r"}'),
    ).to.deep.equal([]);
  });

  it('in every line, even if the test does not request the search', async () => {
    const charactersBefore = searchedOutput().characters;
    const running = await runningService();
    const client = await running.addClient();
    await running.token(client, { grant_type: 'client_credentials' });
    await running.close();
    expect(searchedOutput().characters).to.be.above(charactersBefore);
  });
});
