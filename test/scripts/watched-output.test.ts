import { createSecretKey } from 'node:crypto';
import { expect } from 'chai';
import { mintAccessToken, mintClientSecret } from '../../src/oauth/credentials/credentials.ts';
import { createRefreshTokens } from '../../src/oauth/credentials/refresh-tokens.ts';
import type { GrantId } from '../../src/domain/values.ts';
import { runningService } from '../support/running-service.ts';
import { seededEntropy } from '../support/seeded-entropy.ts';
import { credentialsIn, watched } from '../support/watched-output.ts';

describe("The output of the suite's servers is looked through for credentials", () => {
  it('which are known by their form, or because a user was given them', async () => {
    const entropy = seededEntropy('watched');
    const refresh = createRefreshTokens(createSecretKey(entropy.bytes(32))).mint('g'.repeat(22) as GrantId, entropy);
    const minted = [mintAccessToken(entropy).value, refresh.value, mintClientSecret(entropy).value];
    for (const credential of minted)
      expect(credentialsIn(`{"msg":"request","x":"${credential}"}`)).to.deep.equal([credential]);
    const running = await runningService();
    const { password } = await running.addUser();
    await running.close();
    expect(credentialsIn(JSON.stringify({ form: { password } }))).to.deep.equal([password]);
    expect(
      credentialsIn('{"msg":"request","requestId":"OzYs0GhM2fQtufMXc5kbyA","clientId":"24VP7UHk6A3ud1PqyLVu3r"}'),
    ).to.deep.equal([]);
  });

  it('each line of them, also where a test asks for none', async () => {
    const before = watched().characters;
    const running = await runningService();
    const client = await running.addClient();
    await running.token(client, { grant_type: 'client_credentials' });
    await running.close();
    expect(watched().characters).to.be.above(before);
  });
});
