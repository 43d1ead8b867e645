describe('A fixture', () => {
  after(() => {
    throw new Error('as it should');
  });
  it('passes', () => {});
});
