import { expect } from 'chai';
import { forecastSentence } from '../../src/cli/setting-forecast.ts';

describe('The forecast sentence for a setting', () => {
  const emptyCounts = { since: '2026-10-30T00:00:00.000Z', requests: 4, refused: 0, answered: 0, refused_requests: 0 };

  it('counts the applications and the requests', () => {
    const sentence = (counts: object) =>
      forecastSentence({ kind: 'simulated', because: null, ...emptyCounts, ...counts });
    expect(sentence({})).to.equal(
      'No application would have been refused or would have received a different response ' +
        '(4 requests since 2026-10-30).',
    );
    expect(sentence({ refused: 1, refused_requests: 3, answered: 2 })).to.equal(
      '1 application would have been refused (3 requests), and 2 applications would have received different ' +
        'responses; 4 requests since 2026-10-30.',
    );
  });

  it('says why there is no forecast', () => {
    expect(forecastSentence({ kind: 'unknown', because: 'the log has no such requests', ...emptyCounts })).to.equal(
      'The log does not show what this would have changed (the log has no such requests).',
    );
    expect(forecastSentence({ kind: 'indifferent', because: null, ...emptyCounts })).to.equal(
      'No request depends on this setting.',
    );
  });
});
