import { expect } from 'chai';
import fc from 'fast-check';
import { clientDomains, ruleForHost, type ClientDomainCommand } from '../../src/domain/client-domains.ts';
import { DOMAIN_RULES, type DomainRule } from '../../src/domain/values.ts';
import { given } from '../support/given-when-then.ts';
import { unchecked } from '../support/unchecked.ts';

const list = (domain: string, rule: DomainRule = 'allowed'): ClientDomainCommand => ({
  type: 'ListDomain',
  domain,
  rule,
});
const unlist = (domain: string): ClientDomainCommand => ({ type: 'UnlistDomain', domain });

const aDomain = fc.constantFrom('a.example', 'b.example');
const aCommand = fc.oneof(
  fc.tuple(aDomain, fc.constantFrom(...DOMAIN_RULES)).map(([domain, rule]) => list(domain, rule)),
  aDomain.map(unlist),
);

describe('the listed domains', () => {
  it('have the rules that they were last given, and no event without a change', () => {
    fc.assert(
      fc.property(fc.array(aCommand), (commands) => {
        let state = clientDomains.initial;
        const expected = new Map<string, DomainRule>();
        for (const command of commands) {
          const { domain } = command;
          const ruleBefore = expected.get(domain);
          if (command.type === 'ListDomain') expected.set(domain, command.rule);
          else expected.delete(domain);
          const { events, refusal } = clientDomains.decide(command, state);
          expect(refusal).to.equal(undefined);
          expect(events).to.have.lengthOf(ruleBefore === expected.get(domain) ? 0 : 1);
          state = events.reduce(clientDomains.evolve, state);
          expect([...state]).to.have.deep.members([...expected]);
        }
      }),
    );
  });

  it('are recorded with each change', () => {
    const { decision } = given(clientDomains).when(list('a.example', 'blocked')).accepted('ClientDomainListed');
    expect(decision.events[0]?.data).to.deep.equal({ domain: 'a.example', rule: 'blocked' });
    const removal = given(clientDomains, list('a.example')).when(unlist('a.example')).accepted('ClientDomainUnlisted');
    expect(removal.decision.events[0]?.data).to.deep.equal({ domain: 'a.example' });
  });

  it('accept no unknown command', () => {
    expect(() => given(clientDomains).when(unchecked({ type: 'Other' }))).to.throw('unhandled case');
  });
});

describe('the rule for a host', () => {
  const ruleIn =
    (rules: Readonly<Record<string, DomainRule>>) =>
    (host: string): DomainRule | undefined =>
      ruleForHost(host, (domain) => rules[domain]);

  it('is that of the longest listed domain that equals or contains it', () => {
    const ruleOf = ruleIn({ 'example.org': 'blocked', 'apps.example.org': 'allowed', localhost: 'allowed' });
    expect(ruleOf('example.org')).to.equal('blocked');
    expect(ruleOf('www.example.org')).to.equal('blocked');
    expect(ruleOf('apps.example.org')).to.equal('allowed');
    expect(ruleOf('my.own.apps.example.org')).to.equal('allowed');
    expect(ruleOf('localhost')).to.equal('allowed');
  });

  it('does not exist if no listed domain contains it, however similar', () => {
    const ruleOf = ruleIn({ 'example.org': 'blocked' });
    for (const host of ['', 'org', 'example.com', 'badexample.org', 'example.org.evil.test', 'localhost'])
      expect(ruleOf(host), host).to.equal(undefined);
  });

  it('can be that of a top-level domain', () => {
    expect(ruleIn({ test: 'blocked' })('a.b.test')).to.equal('blocked');
  });
});
