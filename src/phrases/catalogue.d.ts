/** A catalogue of gettext, as tools/catalogues.ts reads it: whole, or nothing is built. */
declare module '*.po' {
  const messages: unknown;
  export default messages;
}
