import { expect } from 'chai';
import fc from 'fast-check';
import { resourceServer, type ResourceCommand } from '../../src/domain/resource-server.ts';
import type { ResourceServerSettings } from '../../src/domain/resource-settings.ts';
import { isResourceUri, withoutEmptyPath } from '../../src/domain/resource.ts';
import { unchecked } from '../support/unchecked.ts';

const URI = 'https://api.example/';
const settings = (name: string): ResourceServerSettings => ({
  name,
  ownerId: null,
  scopes: [{ name: 'a', description: 'A' }],
  accessTokenFormat: null,
  accessTokenAlgorithm: null,
  accessTokenLifetimeSeconds: null,
  publishesMetadata: false,
});

const aCommand: fc.Arbitrary<ResourceCommand> = fc.oneof(
  fc.constantFrom('A', 'B').map((name) => ({ type: 'RegisterResource', uri: URI, settings: settings(name) }) as const),
  fc.constantFrom('A', 'B').map((name) => ({ type: 'UpdateResource', settings: settings(name) }) as const),
  fc.constant({ type: 'RemoveResource' } as const),
);

describe('a resource server', () => {
  it('has the newest accepted settings from its registration to its removal, for any sequence of commands', () => {
    fc.assert(
      fc.property(fc.array(aCommand), (commands) => {
        let state = resourceServer.initial;
        let expected: string | null = null;
        for (const command of commands) {
          const { events, refusal } = resourceServer.decide(command, state);
          const previous: string | null = expected;
          if (command.type === 'RegisterResource') expected ??= command.settings.name;
          if (command.type === 'UpdateResource' && expected !== null) expected = command.settings.name;
          if (command.type === 'RemoveResource') expected = null;
          const isTaken =
            command.type === 'RegisterResource' && previous !== null && previous !== command.settings.name;
          const isUnknown = command.type === 'UpdateResource' && previous === null;
          expect(refusal).to.equal(isTaken ? 'resource-exists' : isUnknown ? 'resource-unknown' : undefined);
          expect(events?.length ?? 0).to.equal(previous === expected ? 0 : 1);
          for (const event of events ?? []) {
            expect(event.data).to.include({ uri: URI });
            state = resourceServer.evolve(state, event);
          }
          expect(state?.settings.name ?? null).to.equal(expected);
        }
      }),
    );
  });

  it('accepts no unknown event', () => {
    expect(() => resourceServer.evolve(null, unchecked({ type: 'Other' }))).to.throw('unhandled case');
  });

  it('has an absolute URI without a fragment', () => {
    for (const uri of ['https://api.example', 'http://localhost:1/mcp?x=1', 'urn:example:api'])
      expect(isResourceUri(uri), uri).to.equal(true);
    for (const uri of [
      '',
      'api.example',
      '/mcp',
      'https://api.example/#a',
      'https://a b/',
      'https://a"b/',
      '//a.example',
      ' https://api.example',
      '<https://api.example',
    ])
      expect(isResourceUri(uri), uri).to.equal(false);
  });

  it('has one URI, with or without an empty path', () => {
    for (const uri of ['https://api.example', 'http://api.example', 'HTTPS://api.example'])
      expect(withoutEmptyPath(`${uri}/`)).to.equal(uri);
    for (const uri of [
      'https://api.example',
      'https://api.example/a/',
      'https://api.example/?a',
      'urn:a/',
      'x+http://a/',
    ])
      expect(withoutEmptyPath(uri)).to.equal(uri);
  });
});
