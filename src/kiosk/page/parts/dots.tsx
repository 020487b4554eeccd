/** Something is on its way: three dots that breathe. */
export const Dots = () => (
  <div class="dots" aria-hidden="true">
    <i />
    <i />
    <i />
  </div>
);
