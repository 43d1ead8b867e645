describe('A fixture', () => {
  before(() => {
    throw new Error('as it should');
  });
  it('never runs', () => {});
});
