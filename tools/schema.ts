/** Writes the JSON Schemas for editors: of the configuration, and of the seed of a simulated cloud. `npm run schema`. */
import { writeFileSync } from 'node:fs';
import { configJsonSchema } from '../src/config/known-keys.ts';
import { seedJsonSchema } from '../src/simulator/seed/seed-schema.ts';

writeFileSync(new URL('../config/platen.schema.json', import.meta.url), configJsonSchema());
writeFileSync(new URL('../config/platen-cloud-seed.schema.json', import.meta.url), seedJsonSchema());
