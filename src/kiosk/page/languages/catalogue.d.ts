/** A catalogue of gettext, as tools/catalogues.ts reads it: whole, or the page is not built. */
declare module '*.po' {
  const messages: unknown;
  export default messages;
}
