describe('A fixture', () => {
  it.skip('is skipped', () => {});
});
