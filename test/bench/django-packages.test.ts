import { expect } from 'chai';
import fc from 'fast-check';
import { missingPackages, newestVersion } from '../../scripts/bench/contenders/django-packages.ts';

const MODULES = ['oauth2_provider', 'gunicorn', 'psycopg2'];
const ALL = ['python3-django-oauth-toolkit', 'python3-gunicorn', 'python3-psycopg2', 'postgresql'];

describe('what django-oauth-toolkit lacks to take part', () => {
  it('is nothing where all is there, and every package where none is', () => {
    expect(missingPackages({ modules: MODULES, postgres: '/usr/lib/postgresql/15/bin' })).to.deep.equal([]);
    expect(missingPackages({ modules: [], postgres: undefined })).to.deep.equal(ALL);
  });

  it('is one package for each thing that is not there, whatever else is', () => {
    fc.assert(
      fc.property(
        fc.subarray(MODULES),
        fc.array(fc.string()),
        fc.option(fc.constant('/bin'), { nil: undefined }),
        (modules, others, postgres) => {
          const there = modules.length + (postgres === undefined ? 0 : 1);
          const foreign = others.filter((name) => !MODULES.includes(name));
          expect(missingPackages({ modules: [...foreign, ...modules], postgres })).to.have.lengthOf(ALL.length - there);
        },
      ),
    );
  });

  it('is never an older PostgreSQL while there is a newer one', () => {
    expect(newestVersion(['15', '9.6', '17', '16'])).to.equal('17');
    expect(newestVersion([])).to.equal(undefined);
  });
});
