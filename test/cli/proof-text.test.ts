import { expect } from 'chai';
import { formatProof } from '../../src/cli/proof-text.ts';

const RECORD = JSON.stringify({
  stream: 'grant-Glw4qA8jggjcdfqzQ34XMA',
  revision: 3,
  type: 'AccessTokenIssued',
  version: 5,
  recordedAt: 1_767_225_600_250,
  data: { scope: ['read'] },
});
const CHECKPOINT = 'id.example\n15\nWzv2wMKxuSh6zIySzBx0f6jq0BMbVkhsHwpvozW+WQI=\n\n— id.example key\n';
const PROOF = {
  position: 13,
  record: RECORD,
  leaf_index: 12,
  leaf_hash: 'bGVhZg==',
  inclusion_proof: ['Zmlyc3Q=', 'c2Vjb25k'],
  checkpoint: CHECKPOINT,
  verifier_key: 'id.example+0a0b+key',
};

const PIPE = { isAtTerminal: false };

describe("An event's proof as text", () => {
  it('begins with the event, and says what the proof shows and how to verify the log', () => {
    const [facts = '', explanation = ''] = formatProof(PROOF, PIPE).split('\n\n');
    expect(facts.split('\n')).to.deep.equal([
      'position: 13',
      'event: AccessTokenIssued',
      'recorded: 2026-01-01T00:00:00.250Z',
      'stream: grant-Glw4qA8jggjcdfqzQ34XMA',
    ]);
    expect(explanation)
      .to.include('leaf 12 of the tree of 15 records')
      .and.to.include('grantlog log verify --bundle DIRECTORY');
  });

  it('contains the exact record, the hashes in their order, and the checkpoint at the end', () => {
    const text = formatProof(PROOF, PIPE);
    expect(text).to.include(`\nrecord: ${RECORD}\n`);
    expect(text).to.include('\ninclusion_proof:\n  Zmlyc3Q=\n  c2Vjb25k\n');
    expect(text.endsWith(`\ncheckpoint:\n${CHECKPOINT}`)).to.equal(true);
  });

  it('shows the login of a credential, with its time in ISO 8601', () => {
    const text = formatProof({ ...PROOF, login: 'password', authenticated_at: 1_767_225_600 }, PIPE);
    expect(text).to.include('\nlogin: password\n').and.to.include('\nauthenticated_at: 2026-01-01T00:00:00Z\n');
    expect(formatProof(PROOF, PIPE)).not.to.include('authenticated_at');
  });

  it('omits the record at a terminal, and says how to see it', () => {
    const text = formatProof(PROOF, { isAtTerminal: true });
    expect(text).to.match(/^record: \d+ characters; --json prints it$/m);
  });
});
