declare module 'ipp-printer' {
  import type { Server } from 'node:http';
  import type { Readable } from 'node:stream';

  interface Printer {
    on(event: 'job', heard: (job: Readable) => void): void;
    on(event: 'operation', heard: (request: { readonly operationId: number }) => void): void;
  }
  const create: (options: { name: string; server: Server; uri: string; zeroconf: false }) => Printer;
  export default create;
}
