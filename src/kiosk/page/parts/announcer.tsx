/** Tells a screen reader the same as the screen shows: one polite live region for the whole page. */
export function Announcer({ text }: { readonly text: string }) {
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  );
}
