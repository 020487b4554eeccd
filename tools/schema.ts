/** Writes config/platen.schema.json, the JSON Schema of the configuration for editors. `npm run schema`. */
import { writeFileSync } from 'node:fs';
import { configJsonSchema } from '../src/config/json-schema.ts';

writeFileSync(new URL('../config/platen.schema.json', import.meta.url), configJsonSchema());
