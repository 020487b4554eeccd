/** Three moving dots while something is on its way. */
export const Dots = () => (
  <div class="dots" aria-hidden="true">
    <i />
    <i />
    <i />
  </div>
);
