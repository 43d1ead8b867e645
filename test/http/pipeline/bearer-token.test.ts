import { expect } from 'chai';
import * as fc from 'fast-check';
import Koa from 'koa';
import { bearerToken, recheckToken } from '../../../src/http/pipeline/bearer-token.ts';
import type { PrincipalState } from '../../../src/http/pipeline/principal-state.ts';
import { unchecked } from '../../support/unchecked.ts';
import { withServer } from '../../support/with-server.ts';

const LIVE_TOKEN = 'mF_9.B5f-4.1JqM';
const tokenProperties = { clientId: 'client', userId: 'alice', scope: ['read'] };
const lookup = { find: (token: string) => (token === LIVE_TOKEN ? tokenProperties : undefined) };

const anonymousState = (authorization: string): object => ({ principal: { kind: 'anonymous' }, authorization });
const validState = { principal: { kind: 'bearer', ...tokenProperties }, authorization: 'valid-token' };

function contextOf(authorization: string | undefined) {
  return {
    method: 'GET',
    path: '/',
    req: unchecked({}),
    headers: { authorization },
    state: {},
    status: 404,
    body: undefined,
    set: () => {},
    app: { emit: () => false },
  };
}

async function stateAfter(authorization: string | undefined): Promise<Partial<PrincipalState>> {
  const ctx = contextOf(authorization);
  await bearerToken(lookup)(ctx, async () => {});
  return ctx.state;
}

describe('A bearer token', () => {
  it('identifies the caller, ignoring the case of the scheme', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
      expect(await stateAfter(`${scheme} ${LIVE_TOKEN}`)).to.deep.equal(validState);
      expect(await stateAfter(`${scheme}   ${LIVE_TOKEN}`)).to.deep.equal(validState);
    }
  });

  it('is optional: without it, the caller is anonymous', async () => {
    expect(await stateAfter(undefined)).to.deep.equal(anonymousState('absent'));
  });

  it('is recorded as invalid if it is unknown or malformed', async () => {
    for (const header of [
      'Bearer',
      'Bearer unknown',
      `Bearer ${LIVE_TOKEN} ${LIVE_TOKEN}`,
      `Bearer ${LIVE_TOKEN},`,
      `Bearer "${LIVE_TOKEN}"`,
      'Bearer =',
      `Bearer token=${LIVE_TOKEN}`,
    ]) {
      expect(await stateAfter(header), header).to.deep.equal(anonymousState('invalid-token'));
    }
  });

  it('is not read from other schemes', async () => {
    for (const header of [
      'Basic YTpi',
      `Token ${LIVE_TOKEN}`,
      `BearerX ${LIVE_TOKEN}`,
      LIVE_TOKEN,
      '',
      `Bearer:${LIVE_TOKEN}`,
      `Bearer\t${LIVE_TOKEN}`,
    ]) {
      expect(await stateAfter(header), header).to.deep.equal(anonymousState('other-scheme'));
    }
  });

  it('for certain resource servers is invalid at all other servers, and at a server without a resource URI', () => {
    const [ownResource, otherResource] = ['https://here.example', 'https://there.example'];
    const outcomeFor = (resource: readonly string[] | undefined, server: string | undefined): string => {
      const foundToken = { ...tokenProperties, ...(resource === undefined ? {} : { resource }) };
      return recheckToken(`Bearer ${LIVE_TOKEN}`, {
        find: () => foundToken,
        ...(server === undefined ? {} : { resource: server }),
      }).authorization;
    };
    for (const server of [ownResource, undefined])
      for (const resource of [[], undefined]) expect(outcomeFor(resource, server)).to.equal('valid-token');
    expect(outcomeFor([otherResource, ownResource], ownResource)).to.equal('valid-token');
    expect(outcomeFor([otherResource], ownResource)).to.equal('invalid-token');
    expect(outcomeFor([otherResource], undefined)).to.equal('invalid-token');
  });

  it('is looked up only if it has the characters of RFC 6750 §2.1', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (token) => {
        const lookups: string[] = [];
        const ctx = contextOf(`Bearer ${token}`);
        await bearerToken({
          find: (name) => {
            lookups.push(name);
            return undefined;
          },
        })(ctx, async () => {});
        for (const name of lookups) expect(name).to.match(/^[A-Za-z0-9._~+/-]+=*$/);
        expect(ctx.state).to.have.deep.property('principal', { kind: 'anonymous' });
      }),
    );
  });

  it('is read only from the header, never from the query', async () => {
    const app = new Koa();
    app.use(bearerToken(lookup));
    app.use((ctx) => {
      ctx.body = ctx.state;
    });
    await withServer(app, async (origin) => {
      const queryResponse = await fetch(`${origin}/?access_token=${LIVE_TOKEN}`);
      expect(await queryResponse.json()).to.deep.equal(anonymousState('absent'));
      const headerResponse = await fetch(origin, { headers: { authorization: `Bearer ${LIVE_TOKEN}` } });
      expect(await headerResponse.json()).to.deep.equal(validState);
    });
  });
});
