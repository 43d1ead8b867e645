describe('A fixture', () => {
  it.only('is exclusive', () => {});
  it('must not be skipped', () => {});
});
