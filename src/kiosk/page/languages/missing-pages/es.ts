/** What is said of pages that did not come out, in Spanish. */
export const missingPages = {
  printMissing: 'Imprimir las páginas {from} a {to}',
  printMissingOne: 'Imprimir la página {to}',
  cameOut: 'La impresora contó {n} de {of} páginas. Mire en la bandeja.',
};
