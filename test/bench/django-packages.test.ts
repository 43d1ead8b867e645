import { expect } from 'chai';
import fc from 'fast-check';
import { missingPackages } from '../../scripts/bench/contenders/django-packages.ts';

const MODULES = ['oauth2_provider', 'gunicorn', 'psycopg2'];
const ALL_PACKAGES = ['python3-django-oauth-toolkit', 'python3-gunicorn', 'python3-psycopg2', 'postgresql'];

describe('the packages that django-oauth-toolkit lacks', () => {
  it('are an empty list if everything is installed, and all packages if nothing is', () => {
    expect(missingPackages({ modules: MODULES, postgres: '/usr/lib/postgresql/15/bin' })).to.deep.equal([]);
    expect(missingPackages({ modules: [], postgres: undefined })).to.deep.equal(ALL_PACKAGES);
  });

  it('include one package for each missing module, regardless of other installed modules', () => {
    fc.assert(
      fc.property(
        fc.subarray(MODULES),
        fc.array(fc.string()),
        fc.option(fc.constant('/bin'), { nil: undefined }),
        (modules, otherModules, postgres) => {
          const installedCount = modules.length + (postgres === undefined ? 0 : 1);
          const unknownNames = otherModules.filter((name) => !MODULES.includes(name));
          expect(missingPackages({ modules: [...unknownNames, ...modules], postgres })).to.have.lengthOf(
            ALL_PACKAGES.length - installedCount,
          );
        },
      ),
    );
  });
});
