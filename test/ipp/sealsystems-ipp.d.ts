declare module '@sealsystems/ipp' {
  const ipp: {
    parse(octets: Buffer): Record<string, unknown>;
    serialize(message: object): Buffer;
    readonly enums: Readonly<Record<string, { readonly lookup: readonly (string | null)[] } | undefined>>;
  };
  export default ipp;
}
