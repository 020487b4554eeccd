/** A card on its way to the reader. It tells nothing that is not in the headline. */
export const CardPicture = ({ isOut }: { readonly isOut: boolean }) => (
  <svg class={isOut ? 'card-picture out' : 'card-picture'} viewBox="0 0 160 160" aria-hidden="true">
    <rect class="reader" x="88" y="18" width="58" height="124" rx="14" />
    <circle class="light" cx="117" cy="42" r="6" />
    <path class="waves" d="M106 96a15 15 0 0122 0M98 86a27 27 0 0138 0M112 106a7 7 0 0110 0" />
    <g class="card">
      <rect x="8" y="58" width="84" height="54" rx="8" />
      <path d="M20 96h34M20 84h22" />
      <circle cx="74" cy="80" r="8" />
    </g>
  </svg>
);
