import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import fc from 'fast-check';
import { curlExamples } from '../../src/http/curl-examples.ts';
import type { ExampleClient } from '../../src/http/curl-examples.ts';

const client: ExampleClient = {
  issuer: 'https://id.example', clientId: 'the-client', clientType: 'confidential', clientSecret: 'the-secret',
  grants: ['authorization-code', 'client-credentials', 'password'], redirectUris: ['https://app.example/cb?a=1&b=2'],
  pkce: false, sampleApi: true,
};

/** The arguments that a shell would hand to curl, without running it. */
function pasted(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8', env: {} }).split('\0').slice(0, -1);
}

function commandOf(title: string, of: ExampleClient): string {
  return curlExamples(of).find((example) => example.title === title)?.command ?? '';
}

describe('Curl examples', () => {
  it('are one for each registered grant, a refresh where there is one, and a call with the token', () => {
    expect(curlExamples({ ...client, grants: ['client-credentials'] }).map(({ title }) => title))
      .to.deep.equal(['Client credentials', 'Use the token']);
    expect(curlExamples({ ...client, grants: ['password'], sampleApi: false }).map(({ title }) => title))
      .to.deep.equal(['Resource owner password', 'Refresh']);
    expect(curlExamples({ ...client, grants: [] })).to.deep.equal([]);
  });

  it('hand curl the values that were registered, whatever a shell would make of them', () => {
    const value = fc.string({ unit: fc.constantFrom("'", '"', '$', '`', '\\', '(', ')', ';', '&', '!', ' ', 'a') });
    fc.assert(fc.property(value, value, (clientId, clientSecret) => {
      const command = commandOf('Client credentials', { ...client, clientId, clientSecret });
      expect(pasted(command)).to.deep.equal(
        ['https://id.example/o/token/', '-u', `${clientId}:${clientSecret}`, '-d', 'grant_type=client_credentials'],
      );
    }), { numRuns: 25 });
  });

  it('exchange a code with the redirect URI that it was asked for with', () => {
    expect(pasted(commandOf('Authorization code: exchange it', client))).to.include('redirect_uri=https://app.example/cb?a=1&b=2');
    const address = new URL(commandOf('Authorization code: ask the user', client));
    expect(address.searchParams.get('redirect_uri')).to.equal('https://app.example/cb?a=1&b=2');
  });

  it('prove the code by its verifier where a challenge is needed, and name no secret of a public client', () => {
    const open: ExampleClient = { ...client, clientType: 'public', clientSecret: null, pkce: true, grants: ['authorization-code', 'password'] };
    expect(commandOf('Authorization code: ask the user', open)).to.include('code_challenge_method=S256');
    expect(commandOf('Authorization code: exchange it', open)).to.include('code_verifier="$verifier"');
    expect(curlExamples(open).map(({ command }) => command).join()).not.to.match(/secret/i);
  });
});
