/** Names with their values. Unknown values are left out. */
import type { ComponentChildren } from 'preact';

export const Facts = ({ of }: { readonly of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {of
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
