/** Says to a screen reader what a look at the screen says: one polite live region for the whole page. */
export function Announcer({ text }: { readonly text: string }) {
  return (
    <p class="unseen" role="status">
      {text}
    </p>
  );
}
