import { expect } from 'chai';
import { newestDirectory, parseVersion } from '../../../scripts/postgres/installation.ts';

describe('The PostgreSQL installation that tests and scripts use', () => {
  it('is the newest installed version', () => {
    const installations = [15, 17, 16].map((version) => ({ directory: `/${version}`, version }));
    expect(newestDirectory(installations)).to.equal('/17');
  });

  it('is not older than 15', () => {
    expect(newestDirectory([{ directory: '/14', version: 14 }])).to.equal(undefined);
    expect(newestDirectory([])).to.equal(undefined);
  });

  it('prints its version, which may be a beta version', () => {
    expect(parseVersion('postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n')).to.equal(15);
    expect(parseVersion('postgres (PostgreSQL) 19beta1\n')).to.equal(19);
    expect(parseVersion('')).to.equal(undefined);
  });
});
