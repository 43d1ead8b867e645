import { expect } from 'chai';
import { setupFrame } from '../../src/cli/setup-link.ts';

const LINK = `http://localhost:8000/accounts/setup/?token=${'x'.repeat(32)}`;

describe('The set-up link in a terminal', () => {
  it('has a frame whose lines are equally long', () => {
    const lines = setupFrame(LINK, { columns: 80, hasColors: false }).trim().split('\n');
    expect(new Set(lines.map(({ length }) => length)).size).to.equal(1);
    expect(lines.filter((line) => line.includes(LINK))).to.have.length(1);
  });

  it('is never split by the frame: a narrow terminal shows only lines above and below the link', () => {
    const lines = setupFrame(LINK, { columns: 60, hasColors: false }).trim().split('\n');
    expect(lines).to.include(LINK);
    expect(lines.at(0)).to.equal('─'.repeat(59));
  });

  it('is colored only if the terminal supports colors, and has the same width with and without them', () => {
    const plainFrame = setupFrame(LINK, { columns: 80, hasColors: false });
    const coloredFrame = setupFrame(LINK, { columns: 80, hasColors: true });
    expect(coloredFrame).not.to.equal(plainFrame);
    // oxlint-disable-next-line no-control-regex
    expect(coloredFrame.replaceAll(/\u001B\[[\d;]*m/g, '')).to.equal(plainFrame);
    expect(plainFrame).not.to.contain('\u001B');
  });
});
