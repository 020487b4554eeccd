/** A screen without content, with the reason. */
import type { ComponentChildren } from 'preact';
import { useHeading } from '../focus.ts';

export function Message({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  const heading = useHeading(title);
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{children}</p>
    </>
  );
}
